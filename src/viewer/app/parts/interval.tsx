import type { ReportGate } from "../../../report/shape/model.ts";
import { changeFigure, changeRange, type ShownMeasure } from "../../../report/say/figures.ts";
import { roundTicks } from "./round-ticks.ts";

/** The ends of a scale. */
export interface Reach {
  low: number;
  high: number;
}

/** Least reach of a scale of rates, so that a difference which is nothing does not look like much. */
const leastOfRates = 0.05;

/** A difference with its bounds and its margin: that of a gate, or of a night. */
type DrawnDifference = Pick<ReportGate, "interval" | "difference" | "margin">;

/** A scale on which all gates of a metric can be drawn, with the place of no difference and the margins. */
export function reachOfIntervals(gates: readonly DrawnDifference[], { passes }: ShownMeasure): Reach {
  const values = gates.flatMap(({ interval, difference: middle, margin }) => [
    interval?.lower ?? 0,
    interval?.upper ?? 0,
    middle ?? 0,
    -(margin ?? 0),
  ]);
  const least = passes ? leastOfRates : 0;
  return { low: Math.min(-least, ...values), high: Math.max(least, ...values) };
}

/** The place of a value on a scale, in percent of its width, with some room at each end. */
function placeOn({ low, high }: Reach): (value: number) => string {
  const room = (high - low || 1) * 0.12;
  return (value) => `${(((value - low + room) / (high - low + 2 * room)) * 100).toFixed(2)}%`;
}

const [height, middleY] = [24, 12];

/**
 * A difference drawn: its value, its interval, the line of no difference and the margin. Everything left of the margin
 * is worse than allowed.
 */
export function IntervalPicture(props: { gate: DrawnDifference; metric: ShownMeasure; reach: Reach }) {
  const { gate, metric, reach } = props;
  const { interval, margin, difference: middle } = gate;
  if (interval === null || middle === null) return null;
  const at = placeOn(reach);
  const limit = margin === null ? 0 : -margin;
  const label =
    `Difference ${changeFigure(middle, metric)}, range from ${changeRange(interval, metric, margin)}` +
    (margin === null ? "" : `, limit ${changeFigure(limit, metric)}`);
  return (
    <svg class="interval" width="100%" height={height} role="img" aria-label={label}>
      {margin !== null && <rect class="too-bad" x="0" y="5" width={at(limit)} height={height - 8} />}
      <line class="zero" x1={at(0)} x2={at(0)} y1="1" y2={height} />
      {margin !== null && <line class="margin" x1={at(limit)} x2={at(limit)} y1="1" y2={height} />}
      <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1={middleY} y2={middleY} />
      {[interval.lower, interval.upper].map((end, place) => (
        <line key={place} class="end" x1={at(end)} x2={at(end)} y1={middleY - 6} y2={middleY + 6} />
      ))}
      <circle class="middle" cx={at(middle)} cy={middleY} r="4.5" />
    </svg>
  );
}

/** Round ticks of the scale that differences are drawn on: `-20  -10  0`. Left is worse, in every language. */
export function TickAxis({ reach, metric }: { reach: Reach; metric: ShownMeasure }) {
  const at = placeOn(reach);
  return (
    <svg class="tick-axis" width="100%" height="20" aria-hidden="true">
      {roundTicks(reach.low, reach.high, 4).map((value) => (
        <g key={value}>
          <line x1={at(value)} x2={at(value)} y1="15" y2="20" />
          <text x={at(value)} y="11" text-anchor="middle">
            {tickText(value, metric)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** `-10`, of rates in points: whole where it is. */
function tickText(value: number, metric: ShownMeasure): string {
  return value === 0 ? "0" : changeFigure(value, metric, { unit: false }).replace(/\.0$/, "");
}
