import uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TargetLook } from "../parts/target-colour.ts";
import { TargetKey } from "../parts/target-mark.tsx";
import { useWidth } from "./width.ts";

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
export function Plot(given: PlotGiven) {
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
