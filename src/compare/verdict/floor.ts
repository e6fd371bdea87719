import type { FloorCause, FloorPasses } from "../cause.ts";
import type { ComparedMetric } from "../comparison-plan.ts";

interface Counts {
  cases: number;
  /** Cases that the baseline passes, and of them those that the candidate lost; and those that it gained. */
  passing: number;
  lost: number;
  gained: number;
  /** Characters of an expected answer in the median; null where none is expected. */
  expectedLength: number | null;
}

/** Longer than a word or a number. */
const sentence = 25;

/** The few cases that pass a metric which hardly anything passes; null for one that does not pass or fail. */
export function floorPasses({ metric, of, asks }: ComparedMetric, counts: Counts): FloorPasses | null {
  if (of !== "pass" || counts.cases === 0) return null;
  const { cases, passing, lost, gained, expectedLength: length } = counts;
  const isLong = asks?.of === "one" && asks.place !== "words" && length !== null && length >= sentence;
  const long = isLong ? { type: metric.type, place: asks.place, length } : null;
  return { rows: cases, baseline: passing, candidate: passing - lost + gained, asks: long };
}

/** A metric at the end of its scale cannot tell whether a bot is worse. */
export function floorOf(
  { metric, baseline, candidate }: { metric: string; baseline: string; candidate: string },
  passes: FloorPasses | null,
): FloorCause {
  return { kind: "floor", metric, baseline, candidate, passes };
}
