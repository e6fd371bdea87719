import type { ReportSummary } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { durationShown } from "../parts/format.ts";
import { HeatMap } from "./heat-map.tsx";
import { Past } from "./past.tsx";
import { LatencyChart } from "./plots.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { ScoreCharts } from "./score-charts.tsx";
import { Slices } from "./slices.tsx";
import { TargetScores } from "./target-scores.tsx";
import { TargetName } from "../parts/target-name.tsx";

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
