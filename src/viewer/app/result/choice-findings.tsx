import { placesByMean } from "../../../report/model/choice-order.ts";
import {
  findingsTables,
  type FindingsTable,
  strengthLegend,
  surestFirst,
} from "../../../report/doc/choice-findings-tables.ts";
import type { StrengthCell, TagStrength } from "../../../compare/choice/strengths.ts";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { difference, scoreFigure } from "../../../report/say/figures.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { SegmentLink } from "../charts/segment-link.tsx";
import type { SetAddress } from "../data/address.ts";
import { AndMore } from "../parts/and-more.tsx";
import { DocTableView } from "../parts/doc.tsx";
import { HeatCell } from "../parts/heat-cell.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { TargetName } from "../parts/target-name.tsx";

interface Props {
  summary: ReportSummary;
  setAddress: SetAddress;
}

/** Where configurations are good, what a matrix does, and folded below them the cases that are worth a look. */
export function ChoiceFindings({ summary, setAddress }: Props) {
  const tables = findingsTables(summary);
  if (tables.length === 0) return null;
  const hasMap = (summary.choice?.tags?.values.length ?? 0) > 0;
  const open = tables.filter(({ isBeside }) => !isBeside).slice(hasMap ? 1 : 0);
  return (
    <>
      {hasMap && <StrengthMap summary={summary} setAddress={setAddress} />}
      {open.map((found) => (
        <section key={found.table.name} class="findings" aria-label={found.table.name}>
          <h2>{found.table.name}</h2>
          <FindingsView {...{ found, summary, setAddress }} />
        </section>
      ))}
      {tables
        .filter(({ isBeside }) => isBeside)
        .map((found) => (
          <details key={found.table.name} class="findings">
            <summary>{found.table.name}</summary>
            <FindingsView {...{ found, summary, setAddress }} />
          </details>
        ))}
    </>
  );
}

function FindingsView({ found: { table, about, all }, ...place }: Props & { found: FindingsTable }) {
  return (
    <>
      <DocTableView table={table} {...place} />
      {about !== "" && <p class="quiet">{about}</p>}
      {all !== undefined && (
        <RowsLink to={all.to} setAddress={place.setAddress}>
          All {counted(all.cases, "row")}
        </RowsLink>
      )}
    </>
  );
}

/** Values that are shown at first; the others follow on demand. */
const mostShown = 12;
/** Tags by configurations as a heat map. Each cell says in words and by a mark what its colour says. */
function StrengthMap({ summary, setAddress }: Props) {
  const { choice, metrics } = summary;
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (choice?.tags === undefined || about === undefined) return null;
  const places = placesByMean(choice, about);
  const { left } = choice.tags;
  const values = surestFirst(choice.tags.values);
  const [first, rest] = [values.slice(0, mostShown), values.slice(mostShown)];
  const lines = { places, about, setAddress };
  const table = (shown: readonly TagStrength[], name: string) => (
    <ScrollTable name={name} kind="strengths">
      <thead>
        <tr>
          <th scope="col">Rows with</th>
          <th scope="col" class="number">
            Cases
          </th>
          {places.map((place) => (
            <th key={place} scope="col" class="number">
              <TargetName name={choice.intervals[place]?.target ?? ""} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <StrengthRow key={`${row.tag} ${row.value}`} row={row} {...lines} />
        ))}
      </tbody>
    </ScrollTable>
  );
  return (
    <section class="findings" aria-labelledby="strengths">
      <h2 id="strengths">Where each is good</h2>
      {table(first, "Where each is good")}
      <p class="quiet">{strengthLegend}. Below each figure stands how far it is from the others there.</p>
      {rest.length > 0 && (
        <details>
          <summary>{number(rest.length)} more</summary>
          {table(rest, "Where each is good: more")}
        </details>
      )}
      <AndMore all={values.length + left} shown={values.length} where=" values of tags, with fewer rows" />
    </section>
  );
}

function StrengthRow(props: {
  row: TagStrength;
  places: readonly number[];
  about: ReportMetric;
  setAddress: SetAddress;
}) {
  const { row, places, about, setAddress } = props;
  return (
    <tr>
      <th scope="row">
        <SegmentLink slice={{ tag: row.tag, value: row.value, and: null }} setAddress={setAddress} />
      </th>
      <td class="number">{number(row.cases)}</td>
      {places.map((place) => (
        <StrengthFigures key={place} cell={row.cells[place]} about={about} />
      ))}
    </tr>
  );
}

function StrengthFigures({ cell, about }: { cell: StrengthCell | undefined; about: ReportMetric }) {
  if (cell === undefined) return <td class="number">–</td>;
  const { mean, here, stands } = cell;
  return (
    <HeatCell heat={stands}>
      {scoreFigure(mean, about)}
      <span class="beside">{difference(here, about, false)}</span>
    </HeatCell>
  );
}
