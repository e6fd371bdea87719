import type { ReportSummary, ReportMetric, ReportSlice } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { durationShown } from "../parts/format.ts";
import { Past } from "./past.tsx";
import { LatencyChart } from "./plots.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { ScoreCharts } from "./score-charts.tsx";
import { Slices } from "./slices.tsx";
import { TargetScores } from "./target-scores.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { sliceDecision } from "../../../report/model/slice-decision.ts";
import { sizeOfChange } from "../../../report/words/figures.ts";
import { number } from "../../../report/words/quantity.ts";
import { AndMore } from "../parts/and-more.tsx";
import { type SliceName, sliceWords } from "../../../report/words/slice-words.ts";
import { SliceLink } from "./slice-link.tsx";

/** Figures over every row of the batch, drawn. Each picture has its figures beside it as text. */
export function Charts(given: {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
  /** True where a click opens another batch. */
  opens: boolean;
}) {
  const { summary, candidate, setAddress, opens } = given;
  return (
    <div class="charts">
      <TargetScores summary={summary} />
      <ScoreCharts summary={summary} candidate={candidate} setAddress={setAddress} />
      <Latencies summary={summary} />
      <HeatMap summary={summary} candidate={candidate} setAddress={setAddress} />
      <Slices summary={summary} candidate={candidate} setAddress={setAddress} />
      <Past summary={summary} opens={opens} />
    </div>
  );
}

function Latencies({ summary }: { summary: ReportSummary }) {
  const timed = summary.targets.flatMap(({ name, latency }) => (latency === null ? [] : [{ name, latency }]));
  if (timed.length === 0) return null;
  const lookOf = reportLooks(summary);
  return (
    <section class="chart">
      <h2>How long answers take</h2>
      <p class="quiet">Share of all answers (upwards) that had come within a time (to the right).</p>
      <LatencyChart timed={timed} lookOf={lookOf} />
      <ScrollTable name="How long answers take">
        <thead>
          <tr>
            <th scope="col">Target</th>
            {["Half within", "90 % within", "99 % within", "Slowest"].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {timed.map(({ name, latency: { p50, p90, p99, max } }) => (
            <tr key={name}>
              <th scope="row">
                <TargetMark look={lookOf(name)} />
                <TargetName name={name} />
              </th>
              {[p50, p90, p99, max].map((ms, index) => (
                <td key={index} class="number">
                  {durationShown(ms)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

const most = 40;

/** Values of tags by metrics. A colour, with its sign, is the decision adjusted for all of them, and nothing else. */
function HeatMap(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
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
