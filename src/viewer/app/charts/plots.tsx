import type { Latency } from "../../../report/shape/model.ts";
import { decimal } from "../../../report/words/figures.ts";
import { durationShown } from "../parts/format.ts";
import type { TargetLook } from "../parts/target-colour.ts";
import { useTargetNames } from "../parts/target-name.tsx";
import uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import { TargetKey } from "../parts/target-mark.tsx";
import { useWidth } from "./width.ts";

/** Cumulative: the further left, the faster. */
export function LatencyChart(given: {
  timed: { name: string; latency: Latency }[];
  lookOf: (name: string) => TargetLook;
}) {
  const { timed, lookOf } = given;
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

interface PlotGiven {
  label: string;
  /** Places from left to right, and the values of each line there. */
  data: [number[], ...number[][]];
  lines: Line[];
  xText: (value: number) => string;
  yText: (value: number) => string;
}

/** A chart as wide as its place, in the colours of the page. */
function Plot(given: PlotGiven) {
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
    const plot = new uPlot(plotOptions(given, { width, element }), given.data, element);
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

function plotOptions(given: PlotGiven, place: { width: number; element: HTMLElement }): uPlot.Options {
  const { lines, xText, yText } = given;
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
