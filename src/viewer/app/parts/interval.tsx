import type { ComponentChildren } from "preact";
import type { ReportGate } from "../../../report/shape/model.ts";
import { difference, type ShownMeasure } from "../../../report/say/figures.ts";

/** The ends of a scale. */
export interface Reach {
  low: number;
  high: number;
}

/** Least reach of a scale of rates, so that a difference which is nothing does not look like much. */
const leastOfRates = 0.05;

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

/** A difference with its bounds and its margin: that of a gate, or of a night. */
type DrawnDifference = Pick<ReportGate, "interval" | "difference" | "margin"> & Partial<Pick<ReportGate, "advice">>;

/** The room at each end of a scale. */
const roomOf = ({ low, high }: Reach): number => (high - low || 1) * 0.12;

/** The place of a value on a scale, in percent of its width. */
export function placeOn(reach: Reach): (value: number) => string {
  const { low, high } = reach;
  const room = roomOf(reach);
  return (value) => `${(((value - low + room) / (high - low + 2 * room)) * 100).toFixed(2)}%`;
}

interface Props {
  gate: DrawnDifference;
  metric: ShownMeasure;
  reach: Reach;
  /** True for a picture without words, in a table. */
  isSmall?: boolean;
  /** The axis that is drawn below the strip; it says how far the limit is. */
  children?: ComponentChildren;
}

/** The end of the strip, where an axis below it begins, and the room that the axis takes. */
const [endOfStrip, axisHeight] = [42, 19];

/**
 * A difference drawn: its value, its interval, the line of no difference and the margin. Everything left of the margin
 * is worse than allowed.
 */
export function IntervalPicture({ gate, metric, reach, isSmall = false, children }: Props) {
  const { interval, margin, difference: middle } = gate;
  if (interval === null || middle === null) {
    return isSmall ? null : <p class="no-picture">No range: {gate.advice ?? "there is nothing to measure"}</p>;
  }
  const { low, high } = reach;
  const room = roomOf(reach);
  const at = placeOn(reach);
  const limit = margin === null ? 0 : -margin;
  const label =
    `Difference ${difference(middle, metric)}, range from ${difference(interval.lower, metric)} ` +
    `to ${difference(interval.upper, metric)}${margin === null ? "" : `, limit ${difference(limit, metric)}`}`;
  const hasAxis = children !== undefined;
  const axis = hasAxis ? axisHeight : 0;
  const [height, y] = isSmall ? [24, 12] : [58 + axis, 22];
  const bottom = isSmall ? height : endOfStrip;
  return (
    <svg
      class={`interval ${isSmall ? "brief" : hasAxis ? "with-axis" : ""}`}
      width="100%"
      height={height}
      role="img"
      aria-label={label}
    >
      {margin !== null && <rect class="too-bad" x="0" y="5" width={at(limit)} height={bottom - 8} />}
      <line class="zero" x1={at(0)} x2={at(0)} y1="1" y2={bottom} />
      {margin !== null && <line class="margin" x1={at(limit)} x2={at(limit)} y1="1" y2={bottom} />}
      <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1={y} y2={y} />
      <line class="end" x1={at(interval.lower)} x2={at(interval.lower)} y1={y - 6} y2={y + 6} />
      <line class="end" x1={at(interval.upper)} x2={at(interval.upper)} y1={y - 6} y2={y + 6} />
      <circle class="middle" cx={at(middle)} cy={y} r={isSmall ? 4.5 : 6} />
      {hasAxis && (
        <svg y={endOfStrip} width="100%" height={axisHeight} overflow="visible">
          {children}
        </svg>
      )}
      {!isSmall && (
        <Ticks
          y={55 + axis}
          says={hasAxis ? "limit" : `limit ${difference(limit, metric)}`}
          at={at}
          limit={limit}
          far={-limit / (high - low || 1)}
          near={(limit - low + room) / (high - low + 2 * room)}
        />
      )}
    </svg>
  );
}

/**
 * Labels of the two lines; they keep out of each other's way when the lines are close. `near`: share of the width that is left of
 * the limit; where it is small, its label has a line of its own in a narrow window.
 */
function Ticks(props: {
  at: (value: number) => string;
  limit: number;
  far: number;
  near: number;
  y: number;
  /** The words of the limit. */
  says: string;
}) {
  const { at, limit, far, near, y, says } = props;
  const isClose = limit !== 0 && far < 0.25;
  return (
    <>
      <text class="tick" x={at(0)} y={y} text-anchor={isClose ? "start" : "middle"}>
        same
      </text>
      {limit !== 0 && (
        <text class={`tick ${near < 0.4 ? "below" : ""}`} x={at(limit)} y={y} text-anchor={isClose ? "end" : "middle"}>
          {says}
        </text>
      )}
    </>
  );
}
