import uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Latency, PastBatch, ReportMetric } from "../../../report/shape/model.ts";
import { decimal, scoreFigure } from "../../../report/words/figures.ts";
import { durationShown } from "../parts/format.ts";

/** Lines are told apart by colour and by dashes. */
const dashes: number[][] = [[], [7, 4], [2, 4], [10, 4, 2, 4], [4, 4]];

interface Line {
  name: string;
  isBaseline: boolean;
}

/** Cumulative: the further left, the faster. */
export function LatencyChart(given: { timed: { name: string; latency: Latency }[]; baseline: string | null }) {
  const { timed, baseline } = given;
  const bounds = [...new Set(timed.flatMap(({ latency }) => latency.bounds))].toSorted((a, b) => a - b);
  const data = [
    bounds.map((bound) => bound / 1000),
    ...timed.map(({ latency }) => bounds.map((bound) => shareWithin(latency, bound))),
  ];
  const lines = timed.map(({ name }) => ({ name, isBaseline: name === baseline }));
  const label = timed
    .map(
      ({ name, latency }) =>
        `${name}: half of the answers within ${durationShown(latency.p50)}, 99 % within ${durationShown(latency.p99)}`,
    )
    .join("; ");
  return (
    <Plot
      label={label}
      data={data}
      lines={lines}
      xText={(value) => durationShown(value * 1000)}
      yText={(value) => `${decimal(value * 100, 0)} %`}
      isTime={false}
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

/** A line for each target, and the band of its intervals. */
export function PastChart(given: {
  past: PastBatch[];
  metric: ReportMetric;
  names: string[];
  baseline: string | null;
}) {
  const { past, metric, names, baseline } = given;
  const of = (name: string) => past.map(({ scores }) => scores[name]?.[metric.name]);
  const values = names.map((name) => of(name).map((own) => own?.value ?? null));
  // Undefined is left out of a line, which null would break.
  const inLine = <Value,>(all: readonly Value[]) => all.map((value, at) => (past[at]?.otherCases ? undefined : value));
  const beside = values.map((all) => all.map((value, at) => (past[at]?.otherCases ? value : null)));
  const label = names
    .map(
      (name, index) =>
        `${name}: ${(values[index] ?? []).map((value, at) => `${scoreFigure(value, metric)}${past[at]?.otherCases ? " (other cases)" : ""}`).join(", ")}`,
    )
    .join("; ");
  return (
    <Plot
      label={[`${metric.name} over past batches. ${label}`, ...past.flatMap(({ noticed }) => noticed)].join(". ")}
      marks={past.flatMap(({ at, changes, noticed }): Mark[] => {
        if (noticed.length > 0) return [{ at: at / 1000, kind: "alarm" }];
        return changes.length > 0 ? [{ at: at / 1000, kind: "change" }] : [];
      })}
      data={[past.map(({ at }) => at / 1000), ...values.map(inLine)]}
      beside={beside}
      bands={names.map((name) => ({
        lower: inLine(of(name).map((own) => own?.interval?.lower ?? null)),
        upper: inLine(of(name).map((own) => own?.interval?.upper ?? null)),
      }))}
      lines={names.map((name) => ({ name, isBaseline: name === baseline }))}
      xText={null}
      yText={(value) => axisNumber(value, metric)}
      isTime
    />
  );
}

/** Formats a number at an axis, with no more digits than the step needs. */
function axisNumber(value: number, metric: ReportMetric): string {
  if (metric.passes) return `${decimal(value * 100, 0)} %`;
  const size = Math.abs(value);
  const text = decimal(value, size >= 10 || value === 0 ? 0 : size >= 1 ? 1 : 3);
  return metric.unit === null ? text : `${text} ${metric.unit}`;
}

/** A moment that stands out, in seconds. */
interface Mark {
  at: number;
  kind: "alarm" | "change";
}

type Values = (number | null | undefined)[];

interface PlotGiven {
  label: string;
  data: Values[];
  lines: Line[];
  /** Values of each line that stand beside it, as hollow points. */
  beside?: Values[];
  /** Lower and upper bounds around each line. */
  bands?: { lower: Values; upper: Values }[];
  /** Moments that are marked; default none. */
  marks?: Mark[];
  /** null: days. */
  xText: ((value: number) => string) | null;
  yText: (value: number) => string;
  isTime: boolean;
}

/** A chart as wide as its place, in the colours of the page. */
function Plot(given: PlotGiven) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [theme, changeTheme] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    const repaint = (): void => changeTheme((times) => times + 1);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("tandem:theme", repaint);
    dark.addEventListener("change", repaint);
    return () => {
      observer.disconnect();
      removeEventListener("tandem:theme", repaint);
      dark.removeEventListener("change", repaint);
    };
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element === null || width === 0) return;
    const plot = new uPlot(plotOptions(given, { width, element }), plotData(given), element);
    return () => plot.destroy();
  }, [width, theme, given.label]);
  return (
    <>
      <ul class="legend">
        {given.lines.map(({ name }, index) => (
          <li key={name}>
            <svg width="26" height="8" aria-hidden="true">
              <line
                class={`stroke-${index % 5}`}
                x1="0"
                x2="26"
                y1="4"
                y2="4"
                stroke-dasharray={dashes[index % 5]?.join(" ")}
              />
            </svg>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <div class="plot" ref={place} role="img" aria-label={given.label} />
    </>
  );
}

/** The lines, then the lower and the upper edge of each band, then what stands beside the lines. */
function plotData({ data, bands = [], beside = [] }: PlotGiven): uPlot.AlignedData {
  const [xs = [], ...ys] = data;
  return [xs.map(Number), ...ys, ...bands.flatMap(({ lower, upper }) => [lower, upper]), ...beside];
}

function plotOptions(given: PlotGiven, place: { width: number; element: HTMLElement }): uPlot.Options {
  const { lines, bands = [], beside = [], xText, yText, isTime } = given;
  const style = getComputedStyle(place.element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
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
    scales: { x: { time: isTime } },
    axes: [
      xText === null
        ? { ...axis, values: (_, values, __, ___, step) => values.map((value) => instantText(value, step)) }
        : { ...axis, values: (_, values) => values.map(xText) },
      { ...axis, size: 58, values: (_, values) => values.map(yText) },
    ],
    series: [
      {},
      ...lines.map(({ name }, index) => ({
        label: name,
        stroke: colour(`--series-${index % 5}`),
        width: 2,
        dash: dashes[index % 5] ?? [],
        points: { show: isTime, size: 6, fill: colour(`--series-${index % 5}`) },
      })),
      ...bands.flatMap(() => [{ points: { show: false } }, { points: { show: false } }]),
      ...beside.map((_, index) => ({
        stroke: colour(`--series-${index % 5}`),
        width: 0,
        points: { show: true, size: 8, width: 2, fill: colour("--page") },
      })),
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, given.marks ?? [], { alarm: colour("--worse"), change: colour("--faint") })],
    },
    bands: bands.map((_, index) => ({
      series: [lines.length + 2 * index + 2, lines.length + 2 * index + 1],
      fill: `${colour(`--series-${index % 5}`)}2b`,
    })),
  };
}

/** A vertical line at each mark, dashed where something known changed; an alarm has a diamond at its top. */
function drawMarks(plot: uPlot, marks: readonly Mark[], colours: Record<Mark["kind"], string>): void {
  const { ctx, bbox } = plot;
  const size = 5 * devicePixelRatio;
  for (const { at, kind } of marks) {
    const x = Math.round(plot.valToPos(at, "x", true));
    ctx.save();
    ctx.strokeStyle = colours[kind];
    ctx.fillStyle = colours[kind];
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash(kind === "alarm" ? [] : [3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (kind === "alarm") {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top - size);
      ctx.lineTo(x + size, bbox.top);
      ctx.lineTo(x, bbox.top + size);
      ctx.lineTo(x - size, bbox.top);
      ctx.fill();
    }
    ctx.restore();
  }
}

const days = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const times = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const seconds = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** An instant, as exactly as the step of an axis needs it; both in seconds. */
function instantText(value: number, step: number): string {
  const form = step >= 86_400 ? days : step >= 60 ? times : seconds;
  return form.format(new Date(value * 1000));
}
