import type { ReportSummary, ReportMetric, ReportSegment, Latency } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { durationShown } from "../parts/format.ts";
import { JudgeDrift } from "./judge-drift.tsx";
import { Past } from "./past.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { reportLooks, type TargetLook } from "../parts/target-colour.ts";
import { TargetMark, TargetKey } from "../parts/target-mark.tsx";
import { ScoreCharts } from "./score-charts.tsx";
import { Segments } from "./segments.tsx";
import { TargetScores } from "./target-scores.tsx";
import { TargetName, useTargetNames } from "../parts/target-name.tsx";
import { segmentDecision } from "../../../report/model/segment-decision.ts";
import { sizeOfChange, decimal } from "../../../report/words/figures.ts";
import { number } from "../../../report/words/quantity.ts";
import { AndMore } from "../parts/and-more.tsx";
import { type SegmentName, segmentWords } from "../../../report/words/segment-words.ts";
import { SegmentLink } from "./segment-link.tsx";
import uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import { useWidth } from "./width.ts";

/** Figures over every row of the batch, drawn. Each picture has its figures beside it as text. */
export function Charts(props: {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
  /** True where a click opens another batch. */
  opens: boolean;
}) {
  const { summary, candidate, setAddress, opens } = props;
  return (
    <div class="charts">
      <TargetScores summary={summary} />
      <ScoreCharts summary={summary} candidate={candidate} setAddress={setAddress} />
      <Latencies summary={summary} />
      <HeatMap summary={summary} candidate={candidate} setAddress={setAddress} />
      <Segments summary={summary} candidate={candidate} setAddress={setAddress} />
      <Past summary={summary} opens={opens} />
      <JudgeDrift judges={summary.judgeWatch ?? []} opens={opens} />
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
  const { metric, summary, slice: segment } = props;
  if (segment === undefined) return <td class="number quiet">–</td>;
  const decision = segmentDecision(segment, summary);
  const sign = decision === null ? "" : decision === "worse" ? "▼ " : "▲ ";
  return (
    <td class={`number ${decision === null ? "" : `is-${decision}`}`}>
      <span aria-hidden="true">{sign}</span>
      {sizeOfChange(segment.difference, metric)}
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

/** Cumulative: the further left, the faster. */
function LatencyChart(props: { timed: { name: string; latency: Latency }[]; lookOf: (name: string) => TargetLook }) {
  const { timed, lookOf } = props;
  const nameOf = useTargetNames();
  const bounds = [...new Set(timed.flatMap(({ latency }) => latency.bounds))].toSorted((a, b) => a - b);
  const data: [number[], ...number[][]] = [
    bounds.map((bound) => bound / 1000),
    ...timed.map(({ latency }) => bounds.map((bound) => shareWithin(latency, bound))),
  ];
  const lines = timed.map(({ name }) => ({ name, look: lookOf(name) }));
  const label = timed
    .map(
      ({ name, latency }) =>
        `${nameOf(name)}: half of the answers within ${durationShown(latency.p50)}, 99 % within ${durationShown(latency.p99)}`,
    )
    .join("; ");
  return (
    <Plot
      label={label}
      data={data}
      lines={lines}
      xText={(value) => durationShown(value * 1000)}
      yText={(value) => `${decimal(value * 100, 0)} %`}
    />
  );
}

function shareWithin({ bounds, counts }: Latency, bound: number): number {
  let [within, all] = [0, 0];
  for (const [index, count] of counts.entries()) {
    all += count;
    if ((bounds[index + 1] ?? Infinity) <= bound) within += count;
  }
  return all === 0 ? 0 : within / all;
}

interface Line {
  name: string;
  look: TargetLook;
}

interface PlotProps {
  label: string;
  /** Places from left to right, and the values of each line there. */
  data: [number[], ...number[][]];
  lines: Line[];
  xText: (value: number) => string;
  yText: (value: number) => string;
}

/** A chart as wide as its place, in the colours of the page. */
function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const [theme, changeTheme] = useState(0);
  useEffect(() => {
    const repaint = (): void => changeTheme((times) => times + 1);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("tandem:theme", repaint);
    dark.addEventListener("change", repaint);
    return () => {
      removeEventListener("tandem:theme", repaint);
      dark.removeEventListener("change", repaint);
    };
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element === null || width === 0) return;
    const plot = new uPlot(plotOptions(props, { width, element }), props.data, element);
    return () => plot.destroy();
  }, [width, theme, props.label]);
  return (
    <>
      <ul class="legend">
        {props.lines.map((line) => (
          <TargetKey key={line.name} {...line} />
        ))}
      </ul>
      <div class="plot" ref={place} role="img" aria-label={props.label} />
    </>
  );
}

function plotOptions(props: PlotProps, place: { width: number; element: HTMLElement }): uPlot.Options {
  const { lines, xText, yText } = props;
  const style = getComputedStyle(place.element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const colours = lines.map(({ look }) => colour(`--${look.colour}`));
  const axis: uPlot.Axis = {
    stroke: colour("--quiet"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: place.width,
    height: 240,
    legend: { show: false },
    cursor: { drag: { setScale: false }, points: { size: 7 } },
    scales: { x: { time: false } },
    axes: [
      { ...axis, values: (_, values) => values.map(xText) },
      { ...axis, size: 58, values: (_, values) => values.map(yText) },
    ],
    series: [
      {},
      ...lines.map(({ name, look }, index) => ({
        label: name,
        stroke: colours[index] ?? "",
        width: 2,
        dash: [...look.dashes],
        points: { show: false },
      })),
    ],
  };
}
