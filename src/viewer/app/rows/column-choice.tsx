import { mostListColumns } from "../data/address.ts";
import {
  fieldColumn,
  fieldOfColumn,
  figureNames,
  metricColumn,
  sheetColumn,
  sheetColumnName,
} from "../data/columns.ts";
import { queryFrame } from "../../../report/query/row-conditions.ts";
import { tagName } from "../../../report/say/names.ts";
import { Menu } from "../parts/menu.tsx";
import { useReport } from "../parts/report.tsx";

/** The columns that the list has beside its own: figures and fields of the answers, and columns of the sheet. */
export function ColumnChoice() {
  const { summary, address, setAddress } = useReport();
  const { columns } = address;
  const { tags, columns: sheet } = queryFrame(summary);
  const offered: [value: string, name: string][] = [
    ...Object.entries(figureNames),
    ...summary.metrics.map(({ name }): [string, string] => [metricColumn(name), `Score ${name}`]),
    ...(summary.fields ?? []).map((path): [string, string] => [fieldColumn(path), `Answer ${path}`]),
    ...Array.from(new Set([...tags, ...sheet]), (name): [string, string] => [sheetColumnName(name), tagName(name)]),
  ];
  // A view of another suite may name what is not here.
  const unknown = columns.filter((column) => !offered.some(([value]) => value === column));
  const isFull = columns.length >= mostListColumns;
  return (
    <Menu kind="exports columns" name={columns.length === 0 ? "Columns" : `Columns (${columns.length})`}>
      {(close) => (
        <fieldset tabIndex={-1}>
          <legend class="unseen">Columns of the list</legend>
          {[
            ...offered,
            ...unknown.map((value): [string, string] => [
              value,
              `${sheetColumn(value) ?? fieldOfColumn(value) ?? value} (not here)`,
            ]),
          ].map(([value, name]) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={columns.includes(value)}
                disabled={isFull && !columns.includes(value)}
                onChange={({ currentTarget: { checked } }) =>
                  setAddress({ columns: checked ? [...columns, value] : columns.filter((each) => each !== value) })
                }
              />
              <bdi>{name}</bdi>
            </label>
          ))}
          <button
            type="button"
            class="link"
            disabled={columns.length === 0}
            onClick={() => {
              setAddress({ columns: [] });
              close();
            }}
          >
            None of them
          </button>
        </fieldset>
      )}
    </Menu>
  );
}
