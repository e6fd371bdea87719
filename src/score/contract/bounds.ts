import { z } from "zod";
import type { Grade, OptionFault } from "./scorer.ts";

/** `min`, `max` and `threshold` of a scorer that measures. */
export const boundKeys = {
  min: z.number().optional().describe("It passes from this value on. Default: no lower bound."),
  max: z.number().optional().describe("It passes up to this value. Default: no upper bound."),
};

/** Bounds in the direction of the measure. */
export const thresholdKeys = {
  threshold: z
    .number()
    .optional()
    .describe(
      "It passes from this value on; where lower is better, up to it. Default: it measures and does not say pass or fail.",
    ),
  ...boundKeys,
};

/** The bounds of a measure. */
export interface ScoreBounds {
  min?: number | undefined;
  max?: number | undefined;
  threshold?: number | undefined;
}

/** A scale from one number to the same, or to a lower one, holds nothing. */
export function scaleFaults({ min, max }: { min: number; max: number }): OptionFault[] {
  return min < max ? [] : [{ key: "scale", message: "must have a min below its max" }];
}

/** True when the measure says pass or fail. */
export function hasBounds({ min, max, threshold }: ScoreBounds): boolean {
  return min !== undefined || max !== undefined || threshold !== undefined;
}

/** Grades values by bounds; `not` turns pass and fail around. The reason ends with what was asked for. */
export function boundsGrade(
  bounds: ScoreBounds & { not: boolean },
  lowerIsBetter = false,
): (value: number, reason: string) => Grade {
  const words = boundsText(bounds, lowerIsBetter);
  const asked = words === "" ? "" : `; ${bounds.not ? "not " : ""}${words} was asked for`;
  return (value, reason) => {
    const inside = within(value, bounds, lowerIsBetter);
    return { value, pass: inside === null ? null : inside !== bounds.not, reason: `${reason}${asked}` };
  };
}

/** True when a value is within bounds; null when there are none. */
export function within(value: number, bounds: ScoreBounds, lowerIsBetter: boolean): boolean | null {
  if (!hasBounds(bounds)) return null;
  const { least, most } = limits(bounds, lowerIsBetter);
  return value >= least && value <= most;
}

/** The bounds in words, such as `at least 0.5`; empty when there are none. */
export function boundsText(bounds: ScoreBounds, lowerIsBetter: boolean, unit = ""): string {
  const { least, most } = limits(bounds, lowerIsBetter);
  const words = [
    ...(least === -Infinity ? [] : [`at least ${least}${unit}`]),
    ...(most === Infinity ? [] : [`at most ${most}${unit}`]),
  ];
  return words.join(" and ");
}

function limits({ min, max, threshold }: ScoreBounds, lowerIsBetter: boolean): { least: number; most: number } {
  const least = Math.max(min ?? -Infinity, lowerIsBetter ? -Infinity : (threshold ?? -Infinity));
  return { least, most: Math.min(max ?? Infinity, lowerIsBetter ? (threshold ?? Infinity) : Infinity) };
}
