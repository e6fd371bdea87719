import uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TargetLook } from "../parts/target-colour.ts";
import { TargetKey } from "../parts/target-mark.tsx";

interface Line {
  name: string;
  look: TargetLook;
}

/** A moment that stands out, in seconds. */
export interface Mark {
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
export function Plot(given: PlotGiven) {
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
        {given.lines.map((line) => (
          <TargetKey key={line.name} {...line} />
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
    scales: { x: { time: isTime } },
    axes: [
      xText === null
        ? { ...axis, values: (_, values, __, ___, step) => values.map((value) => instantText(value, step)) }
        : { ...axis, values: (_, values) => values.map(xText) },
      { ...axis, size: 58, values: (_, values) => values.map(yText) },
    ],
    series: [
      {},
      ...lines.map(({ name, look }, index) => ({
        label: name,
        stroke: colours[index] ?? "",
        width: 2,
        dash: [...look.dashes],
        points: { show: isTime, size: 6, fill: colours[index] ?? "" },
      })),
      ...bands.flatMap(() => [{ points: { show: false } }, { points: { show: false } }]),
      ...beside.map((_, index) => ({
        stroke: colours[index] ?? "",
        width: 0,
        points: { show: true, size: 8, width: 2, fill: colour("--page") },
      })),
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, given.marks ?? [], { alarm: colour("--worse"), change: colour("--faint") })],
    },
    bands: bands.map((_, index) => ({
      series: [lines.length + 2 * index + 2, lines.length + 2 * index + 1],
      fill: `${colours[index] ?? ""}2b`,
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
