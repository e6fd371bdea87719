import type { ReportSummary, ReportMetric, ReportSegment } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { durationShown } from "../parts/format.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { segmentDecision } from "../../../report/model/segment-decision.ts";
import { sizeOfChange } from "../../../report/say/figures.ts";
import { number } from "../../../report/say/quantity.ts";
import { AndMore } from "../parts/and-more.tsx";
import { type SegmentName, segmentWords } from "../../../report/say/names.ts";
import { SegmentLink } from "./segment-link.tsx";

/** Figures over every row of the batch. */
export function Charts(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  return (
    <div class="charts">
      <Latencies summary={summary} />
      <HeatMap summary={summary} candidate={candidate} setAddress={setAddress} />
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
function HeatMap(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const segments = summary.slices.filter((segment) => segment.candidate === summary.candidates[candidate]);
  const metrics = summary.metrics.filter(({ name }) => segments.some(({ metric }) => metric === name));
  if (metrics.length < 2) return null;
  const rows = rowsOf(segments);
  return (
    <section class="chart wide">
      <h2>Values of tags by metric</h2>
      <p class="quiet">
        Difference to <bdi>{summary.pairs[candidate]?.baseline}</bdi>. Coloured, with ▼ or ▲, where it is surely worse
        or better, adjusted for all fields together.
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
            <tr key={segmentWords(name)}>
              <th scope="row">
                <SegmentLink slice={name} setAddress={setAddress} />
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

function Field(props: { metric: ReportMetric; summary: ReportSummary; slice: ReportSegment | undefined }) {
  const { metric, summary, slice } = props;
  if (slice === undefined) return <td class="number quiet">–</td>;
  const decision = segmentDecision(slice, summary);
  const sign = decision === null ? "" : decision === "worse" ? "▼ " : "▲ ";
  return (
    <td class={`number ${decision === null ? "" : `is-${decision}`}`}>
      <span aria-hidden="true">{sign}</span>
      {sizeOfChange(slice.difference, metric)}
    </td>
  );
}

/** One row for each value of a tag, in the order of the segments: the surest first. */
function rowsOf(segments: readonly ReportSegment[]) {
  const rows = new Map<string, { name: SegmentName & { metric: string }; cases: number; own: ReportSegment[] }>();
  for (const segment of segments) {
    const { metric, tag, value, cases } = segment;
    const key = JSON.stringify([tag, value]);
    const row = rows.get(key) ?? { name: { metric, tag, value, and: null }, cases, own: [] };
    // The metric that compares most of them leads to as many rows as are told.
    const widest = cases > row.cases ? { name: { ...row.name, metric }, cases } : {};
    rows.set(key, { ...row, ...widest, own: [...row.own, segment] });
  }
  return Array.from(rows.values());
}
