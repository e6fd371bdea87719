import type { ReportMetric, ReportSummary, ReportTagCell } from "../../../report/shape/model.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { segmentDecision } from "../../../report/model/segment-decision.ts";
import { difference } from "../../../report/say/figures.ts";
import { number } from "../../../report/say/quantity.ts";
import { tagName } from "../../../report/say/names.ts";
import type { SetAddress } from "../data/address.ts";
import { HeatCell } from "../parts/heat-cell.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";

interface Props {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
}

/** Lines that are shown at first; the others follow on demand. */
const mostShown = 8;

/** True for a candidate whose losses stand in a map; where the data decide nothing, nothing is coloured and none is shown. */
function hasTagMap({ tagMaps = [], candidates, verdict }: ReportSummary, candidate: number): boolean {
  return verdict.state !== "invalid" && tagMaps.some((map) => map.candidate === candidates[candidate]);
}

/** Where the candidate changed, by the values of two tags: each cell is the way to its rows. */
export function TagMapView({ summary, candidate, setAddress }: Props) {
  const map = (summary.tagMaps ?? []).find((each) => each.candidate === summary.candidates[candidate]);
  const metric = summary.metrics.find(({ name }) => name === map?.metric);
  if (map === undefined || metric === undefined || !hasTagMap(summary, candidate)) return null;
  const { tags, values, alone, cells } = map;
  // Where no cell is surely worse or better, the map says nothing.
  const isSure = [...alone.flat(), ...cells.flat()].some(
    (cell) => cell !== null && segmentDecision(cell, summary) !== null,
  );
  if (!isSure) return null;
  const [lineTag, columnTag] = tags;
  const [lines, columns] = values;
  const about = { summary, metric, setAddress };
  const table = (from: number, to: number, name: string) => (
    <ScrollTable name={name} kind="strengths tag-map">
      <thead>
        <tr>
          <th scope="col">
            <bdi>{tagName(lineTag)}</bdi>
          </th>
          {columns.map((value) => (
            <th key={value} scope="col" class="number">
              <bdi>{shownValue(value)}</bdi>
            </th>
          ))}
          <th scope="col" class="number">
            all
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.slice(from, to).map((value, at) => (
          <tr key={value}>
            <th scope="row">
              <bdi>{shownValue(value)}</bdi>
            </th>
            {columns.map((other, column) => (
              <Cell
                key={other}
                column={shownValue(other)}
                cell={cells[from + at]?.[column] ?? null}
                of={[
                  { name: lineTag, value },
                  { name: columnTag, value: other },
                ]}
                {...about}
              />
            ))}
            <Cell cell={alone[0][from + at] ?? null} of={[{ name: lineTag, value }]} column="all" {...about} />
          </tr>
        ))}
        {from === 0 && (
          <tr>
            <th scope="row">all</th>
            {columns.map((other, column) => (
              <Cell
                key={other}
                column={shownValue(other)}
                cell={alone[1][column] ?? null}
                of={[{ name: columnTag, value: other }]}
                {...about}
              />
            ))}
            <td class="none" />
          </tr>
        )}
      </tbody>
    </ScrollTable>
  );
  return (
    <section class="findings where" aria-labelledby="where">
      <h2 id="where">
        Where: <bdi>{tagName(lineTag)}</bdi> × <bdi>{tagName(columnTag)}</bdi>
      </h2>{" "}
      {table(0, mostShown, `Where: ${tagName(lineTag)} by ${tagName(columnTag)}`)}
      {lines.length > mostShown && (
        <details>
          <summary>
            {number(lines.length - mostShown)} more of <bdi>{tagName(lineTag)}</bdi>
          </summary>
          {table(mostShown, lines.length, `Where: ${tagName(lineTag)} by ${tagName(columnTag)}, more`)}
        </details>
      )}
      <p class="quiet legend-line">
        Difference, then rows. ▼ ▲: surely worse, better, adjusted for all cells.
        <span class="of-column"> Cells without a change are not listed.</span>
      </p>
    </section>
  );
}

const shownValue = (value: string): string => (value === "" ? "(empty)" : value);

function Cell(props: {
  cell: ReportTagCell | null;
  column: string;
  of: { name: string; value: string }[];
  summary: ReportSummary;
  metric: ReportMetric;
  setAddress: SetAddress;
}) {
  const { cell, column, of, summary, metric, setAddress } = props;
  if (cell === null) return <td class="number none">·</td>;
  const decided = segmentDecision(cell, summary);
  return (
    <HeatCell heat={decided} column={<bdi>{column}</bdi>} isZero={cell.difference === 0}>
      <RowsLink to={{ tags: of, group: rowGroup.paired(metric.name), sort: "rank" }} setAddress={setAddress}>
        {difference(cell.difference, metric, false)} <span class="beside">{number(cell.cases)}</span>
        <span class="unseen">
          {" "}
          rows with {of.map(({ name, value }) => `${tagName(name)} = ${shownValue(value)}`).join(" and ")}
        </span>
      </RowsLink>
    </HeatCell>
  );
}
