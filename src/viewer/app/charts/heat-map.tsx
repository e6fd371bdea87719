import { sliceDecision } from "../../../report/model/slice-decision.ts";
import type { ReportMetric, ReportSlice, ReportSummary } from "../../../report/shape/model.ts";
import { sizeOfChange } from "../../../report/words/figures.ts";
import { number } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { AndMore } from "../parts/and-more.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { type SliceName, sliceWords } from "../../../report/words/slice-words.ts";
import { SliceLink } from "./slice-link.tsx";

const most = 40;

/** Values of tags by metrics. A colour, with its sign, is the decision adjusted for all of them, and nothing else. */
export function HeatMap(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  const slices = summary.slices.filter((slice) => slice.candidate === summary.candidates[candidate]);
  const metrics = summary.metrics.filter(({ name }) => slices.some(({ metric }) => metric === name));
  if (metrics.length < 2) return null;
  const rows = rowsOf(slices);
  return (
    <section class="chart wide">
      <h2>Values of tags by metric</h2>
      <p class="quiet">
        Difference to <bdi>{summary.pairs[candidate]?.baseline}</bdi>. Coloured, with ▼ or ▲, where it is decided,
        adjusted for all fields together; the others may be chance.
      </p>
      <ScrollTable name="Values of tags by metric" kind="heat-map">
        <thead>
          <tr>
            <th scope="col">Rows where</th>
            <th scope="col" class="number">
              Cases
            </th>
            {metrics.map(({ name }) => (
              <th key={name} scope="col" class="number">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map(({ name, cases, own }) => (
            <tr key={sliceWords(name)}>
              <th scope="row">
                <SliceLink slice={name} setAddress={setAddress} />
              </th>
              <td class="number">{number(cases)}</td>
              {metrics.map((metric) => (
                <Field
                  key={metric.name}
                  metric={metric}
                  summary={summary}
                  slice={own.find((each) => each.metric === metric.name)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      <AndMore all={rows.length} shown={most} where=", which tell less" />
    </section>
  );
}

function Field(given: { metric: ReportMetric; summary: ReportSummary; slice: ReportSlice | undefined }) {
  const { metric, summary, slice } = given;
  if (slice === undefined) return <td class="number quiet">–</td>;
  const decision = sliceDecision(slice, summary);
  const sign = decision === null ? "" : decision === "worse" ? "▼ " : "▲ ";
  return (
    <td class={`number ${decision === null ? "" : `is-${decision}`}`}>
      <span aria-hidden="true">{sign}</span>
      {sizeOfChange(slice.difference, metric)}
    </td>
  );
}

/** One row for each value of a tag, and each pair of them, in the order of the slices: the surest first. */
function rowsOf(slices: readonly ReportSlice[]) {
  const rows = new Map<string, { name: SliceName & { metric: string }; cases: number; own: ReportSlice[] }>();
  for (const slice of slices) {
    const { metric, tag, value, and, cases } = slice;
    const key = JSON.stringify([tag, value, and]);
    const row = rows.get(key) ?? { name: { metric, tag, value, and }, cases, own: [] };
    // The metric that compares most of them leads to as many rows as are told.
    const widest = cases > row.cases ? { name: { ...row.name, metric }, cases } : {};
    rows.set(key, { ...row, ...widest, own: [...row.own, slice] });
  }
  return Array.from(rows.values());
}
