import type { ReportGate, ReportMetric } from "../../report/model.ts";
import { difference } from "../../report/figures.ts";

/**
 * A difference drawn: where it lies, how far the interval reaches, the line of no difference and the margin. What is left
 * of the margin is worse than allowed.
 */
export function IntervalPicture({ gate, metric }: { gate: ReportGate; metric: ReportMetric }) {
  const { interval, margin, difference: middle } = gate;
  if (interval === null || middle === null) {
    return <p class="no-picture">No interval: {gate.advice ?? "there is nothing to measure"}</p>;
  }
  const limit = margin === null ? 0 : -margin;
  const [low, high] = [Math.min(interval.lower, limit, 0), Math.max(interval.upper, 0)];
  const room = (high - low || 1) * 0.12;
  const at = (value: number): string => `${(((value - low + room) / (high - low + 2 * room)) * 100).toFixed(2)}%`;
  const label =
    `Difference ${difference(middle, metric)}, interval from ${difference(interval.lower, metric)} ` +
    `to ${difference(interval.upper, metric)}${margin === null ? "" : `, margin ${difference(limit, metric)}`}`;
  return (
    <svg class="interval" width="100%" height="62" role="img" aria-label={label}>
      {margin !== null && <rect class="too-bad" x="0" y="8" width={at(limit)} height="32" />}
      <line class="zero" x1={at(0)} x2={at(0)} y1="2" y2="44" />
      {margin !== null && <line class="margin" x1={at(limit)} x2={at(limit)} y1="2" y2="44" />}
      <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1="24" y2="24" />
      <line class="end" x1={at(interval.lower)} x2={at(interval.lower)} y1="17" y2="31" />
      <line class="end" x1={at(interval.upper)} x2={at(interval.upper)} y1="17" y2="31" />
      <circle class="middle" cx={at(middle)} cy="24" r="6" />
      <text class="tick" x={at(0)} y="58" text-anchor="middle">
        same
      </text>
      {margin !== null && margin !== 0 && (
        <MarginLabel at={at(limit)} far={-limit / (high - low || 1)} text={difference(limit, metric, false)} />
      )}
    </svg>
  );
}

/** The margin's figure beside its line; left out of the way of `same` where the two lines are close. */
function MarginLabel({ at, far, text }: { at: string; far: number; text: string }) {
  return (
    <text class="tick" x={at} y="58" text-anchor={far < 0.25 ? "end" : "middle"}>
      margin {text}
    </text>
  );
}
