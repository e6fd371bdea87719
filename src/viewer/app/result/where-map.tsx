import type { TagValue } from "../../../compare/slice-name.ts";
import { strengthMarks } from "../../../report/doc/choice-findings-tables.ts";
import type { SliceCell, SliceTable } from "../../../compare/summary/slice-table.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { changeFigure } from "../../../report/say/figures.ts";
import { tagName } from "../../../report/say/names.ts";
import { number } from "../../../report/say/quantity.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { useReport } from "../parts/report.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { useRoving } from "../parts/use-roving.ts";

/** Lines that are shown at first; the others follow on demand. */
const mostShown = 8;

/** Where the candidate changed, by the values of two tags: each cell is the way to its rows. */
export function WhereMap() {
  const { summary, candidate } = useReport();
  const table = summary.sliceTables?.find((each) => each.candidate === summary.candidates[candidate]);
  const metric = summary.metrics.find(({ name }) => name === table?.metric);
  if (table === undefined || metric === undefined) return null;
  // Where no cell is surely worse or better, the table says nothing.
  if (!table.lines.some(({ cells }) => cells.some((cell) => cell !== null && cell.mark !== null))) return null;
  const all = table.lines.filter(({ slice }) => slice === null);
  const lines = table.lines.filter(({ slice }) => slice !== null);
  const [first, rest] = [lines.slice(0, mostShown), lines.slice(mostShown)];
  const [lineTag, columnTag] = [tagName(lines[0]?.slice?.tag ?? ""), tagName(table.across ?? "")];
  const name = `Where: ${lineTag} by ${columnTag}`;
  return (
    <section class="section where">
      <h2>
        Where: <bdi>{lineTag}</bdi> × <bdi>{columnTag}</bdi>
      </h2>
      <Cells name={name} table={table} lines={[...first, ...all]} metric={metric} />
      {rest.length > 0 && (
        <details>
          <summary>
            {number(rest.length)} more of <bdi>{lineTag}</bdi>
          </summary>
          <Cells name={`${name}, more`} table={table} lines={rest} metric={metric} />
        </details>
      )}
      <p class="quiet legend-line">
        Difference, then rows. ▼ ▲: surely worse, better, adjusted for all cells.
        <span class="of-column"> Cells without a change are not listed.</span>
      </p>
    </section>
  );
}

/** All rows, where there is no value. */
const shown = (value: string | null): string => (value === null ? "all" : valueShown(value));

const valueShown = (value: string): string => (value === "" ? "(empty)" : value);

/** Cells of which one is reached by Tab, the others from there by arrow keys. */
function Cells(props: { name: string; table: SliceTable; lines: SliceTable["lines"]; metric: ReportMetric }) {
  const { name, table, lines, metric } = props;
  const { across, columns } = table;
  const roving = useRoving<HTMLTableSectionElement>("button");
  return (
    <ScrollTable name={name} kind="tag-map">
      <thead>
        <tr>
          <th scope="col">
            <bdi>{tagName(lines[0]?.slice?.tag ?? "")}</bdi>
          </th>
          {columns.map((value) => (
            <th key={value} scope="col" class="number">
              <bdi>{shown(value)}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...roving}>
        {lines.map(({ slice, cells }) => (
          <tr key={slice?.value}>
            <th scope="row">
              <bdi>{shown(slice?.value ?? null)}</bdi>
            </th>
            {columns.map((value, at) => {
              const column = across === null || value === null ? null : { tag: across, value };
              const tags = [slice, column].filter((each) => each !== null);
              return <Cell key={value} cell={cells[at] ?? null} tags={tags} column={shown(value)} metric={metric} />;
            })}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** A colour never stands alone: it has its mark, and words for who sees none. */
function Cell(props: { cell: SliceCell | null; tags: readonly TagValue[]; column: string; metric: ReportMetric }) {
  const { cell, tags, column, metric } = props;
  if (tags.length === 0) return <td class="none" />;
  if (cell === null) return <td class="number none">·</td>;
  const { mark } = cell;
  return (
    <td class={`number ${mark === null ? "" : `stands-${mark}`} ${cell.difference === 0 ? "is-zero" : ""}`}>
      <span class="of-column" aria-hidden="true">
        <bdi>{column}</bdi>{" "}
      </span>
      {mark !== null && <span aria-hidden="true">{strengthMarks[mark]} </span>}
      <RowsLink to={{ tags, group: rowGroup.paired(metric.name), sort: "rank" }}>
        {changeFigure(cell.difference, metric, { unit: false })} <span class="beside">{number(cell.cases)}</span>
        <span class="unseen">
          {" "}
          rows with {tags.map(({ tag, value }) => `${tagName(tag)} = ${valueShown(value)}`).join(" and ")}
        </span>
      </RowsLink>
      {mark !== null && <span class="unseen">, surely {mark}</span>}
    </td>
  );
}
