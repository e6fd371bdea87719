import type { ComponentChildren } from "preact";
import type { TagValue } from "../../../compare/slice-name.ts";
import type { SliceCell, SliceTable } from "../../../compare/summary/slice-table.ts";
import { strengthLegend, surestFirst } from "../../../report/doc/choice-findings-tables.ts";
import { placesByMean } from "../../../report/model/choice-order.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { difference, scoreFigure } from "../../../report/say/figures.ts";
import { tagName } from "../../../report/say/names.ts";
import { number } from "../../../report/say/quantity.ts";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { SliceLink, valueShown } from "../charts/slice-link.tsx";
import type { SetAddress } from "../data/address.ts";
import { AndMore } from "../parts/and-more.tsx";
import { HeatCell } from "../parts/heat-cell.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { TargetName } from "../parts/target-name.tsx";

type SliceLine = SliceTable["lines"][number];

interface Props {
  summary: ReportSummary;
  setAddress: SetAddress;
}

/** Lines that are shown at first; the others follow on demand. */
const mostShown = { values: 8, targets: 12 };

/** Where the candidate changed, by the values of two tags: each cell is the way to its rows. */
export function WhereTable({ summary, candidate, setAddress }: Props & { candidate: number }) {
  const table = summary.sliceTables?.find((each) => each.candidate === summary.candidates[candidate]);
  const metric = summary.metrics.find(({ name }) => name === table?.metric);
  if (table === undefined || metric === undefined) return null;
  // Where no cell is surely worse or better, the table says nothing.
  if (!table.lines.some(({ cells }) => cells.some((cell) => cell !== null && cell.mark !== null))) return null;
  const all = table.lines.filter(({ slice }) => slice === null);
  const lines = table.lines.filter(({ slice }) => slice !== null);
  const [first, rest] = [lines.slice(0, mostShown.values), lines.slice(mostShown.values)];
  const [lineTag, columnTag] = [tagName(lines[0]?.slice?.tag ?? ""), tagName(table.across ?? "")];
  const name = `Where: ${lineTag} by ${columnTag}`;
  const drawn = { table, metric, setAddress };
  return (
    <section class="findings where" aria-labelledby="where">
      <h2 id="where">
        Where: <bdi>{lineTag}</bdi> × <bdi>{columnTag}</bdi>
      </h2>{" "}
      <Values name={name} lines={[...first, ...all]} {...drawn} />
      {rest.length > 0 && (
        <details>
          <summary>
            {number(rest.length)} more of <bdi>{lineTag}</bdi>
          </summary>
          <Values name={`${name}, more`} lines={rest} {...drawn} />
        </details>
      )}
      <p class="quiet legend-line">
        Difference, then rows. ▼ ▲: surely worse, better, adjusted for all cells.
        <span class="of-column"> Cells without a change are not listed.</span>
      </p>
    </section>
  );
}

/** The places at which each configuration is good: slices by targets. */
export function StrengthTable({ summary: { choice, metrics }, setAddress }: Props) {
  const metric = metrics.find(({ name }) => name === choice?.metric);
  if (choice?.slices === undefined || metric === undefined) return null;
  const lines = surestFirst(choice.slices.lines);
  const { left } = choice.slices;
  const [first, rest] = [lines.slice(0, mostShown.targets), lines.slice(mostShown.targets)];
  const drawn = { table: choice.slices, places: placesByMean(choice, metric), metric, setAddress };
  return (
    <section class="findings" aria-labelledby="strengths">
      <h2 id="strengths">Where each is good</h2>
      <Targets name="Where each is good" lines={first} {...drawn} />
      <p class="quiet">{strengthLegend}. Below each figure stands how far it is from the others there.</p>
      {rest.length > 0 && (
        <details>
          <summary>{number(rest.length)} more</summary>
          <Targets name="Where each is good: more" lines={rest} {...drawn} />
        </details>
      )}
      <AndMore all={lines.length + left} shown={lines.length} where=" values of tags, with fewer rows" />
    </section>
  );
}

interface Drawn {
  name: string;
  table: SliceTable;
  lines: readonly SliceLine[];
  metric: ReportMetric;
  setAddress: SetAddress;
}

/** All rows, where there is no value. */
const shown = (value: string | null): string => (value === null ? "all" : valueShown(value));

function Values({ name, table: { across, columns }, lines, metric, setAddress }: Drawn) {
  return (
    <Lines
      {...{ name, kind: "strengths tag-map" }}
      head={<bdi>{tagName(lines[0]?.slice?.tag ?? "")}</bdi>}
      columns={columns.map((value) => (
        <bdi key={value}>{shown(value)}</bdi>
      ))}
    >
      {lines.map(({ slice, cells }) => (
        <tr key={slice?.value}>
          <th scope="row">
            <bdi>{shown(slice?.value ?? null)}</bdi>
          </th>
          {columns.map((value, at) => {
            const cell = cells[at] ?? null;
            const tags = [slice, across === null || value === null ? null : { tag: across, value }].filter(
              (each) => each !== null,
            );
            return <ValueCell key={value} {...{ cell, tags, column: shown(value), metric, setAddress }} />;
          })}
        </tr>
      ))}
    </Lines>
  );
}

function ValueCell(props: {
  cell: SliceCell | null;
  tags: readonly TagValue[];
  column: string;
  metric: ReportMetric;
  setAddress: SetAddress;
}) {
  const { cell, tags, column, metric, setAddress } = props;
  if (tags.length === 0) return <td class="none" />;
  if (cell === null) return <td class="number none">·</td>;
  return (
    <HeatCell heat={cell.mark} column={<bdi>{column}</bdi>} isZero={cell.difference === 0}>
      <RowsLink to={{ tags, group: rowGroup.paired(metric.name), sort: "rank" }} setAddress={setAddress}>
        {difference(cell.difference, metric, false)} <span class="beside">{number(cell.cases)}</span>
        <span class="unseen">
          {" "}
          rows with {tags.map(({ tag, value }) => `${tagName(tag)} = ${valueShown(value)}`).join(" and ")}
        </span>
      </RowsLink>
    </HeatCell>
  );
}

function Targets({
  name,
  table: { columns },
  places,
  lines,
  metric,
  setAddress,
}: Drawn & { places: readonly number[] }) {
  return (
    <Lines
      {...{ name, kind: "strengths" }}
      head="Rows with"
      columns={["Cases", ...places.map((place) => <TargetName key={place} name={columns[place] ?? ""} />)]}
    >
      {lines.map(({ slice, cells }) => (
        <tr key={`${slice?.tag} ${slice?.value}`}>
          <th scope="row">{slice !== null && <SliceLink slice={{ ...slice, and: null }} setAddress={setAddress} />}</th>
          <td class="number">{number(cells[0]?.cases ?? 0)}</td>
          {places.map((place) => (
            <TargetCell key={place} cell={cells[place] ?? null} metric={metric} />
          ))}
        </tr>
      ))}
    </Lines>
  );
}

/** Each cell says in words and by a mark what its colour says. */
function TargetCell({ cell, metric }: { cell: SliceCell | null; metric: ReportMetric }) {
  if (cell?.mean === undefined) return <td class="number">–</td>;
  return (
    <HeatCell heat={cell.mark}>
      {scoreFigure(cell.mean, metric)}
      <span class="beside">{difference(cell.difference, metric, false)}</span>
    </HeatCell>
  );
}

function Lines(props: {
  name: string;
  kind: string;
  head: ComponentChildren;
  columns: readonly ComponentChildren[];
  children: ComponentChildren;
}) {
  const { name, kind, head, columns, children } = props;
  return (
    <ScrollTable name={name} kind={kind}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map((column, at) => (
            <th key={at} scope="col" class="number">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </ScrollTable>
  );
}
