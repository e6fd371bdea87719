import type { ComparedMetric } from "../comparison-plan.ts";
import type { ReadSide } from "./case-side.ts";
import { passOf } from "./side-value.ts";

/** Tries of a case that are known: the others are not finished, or could not be graded. */
export interface KnownTries {
  passed: number;
  /** Without a sound answer, a try has not passed. */
  failed: number;
}

/** Counts the first so many tries of a case: those of a second look are further ones. Null: the case lacks what the scorer compares with. */
export function knownTries(
  { runs, side }: ReadSide,
  compared: ComparedMetric,
  at: { place: number; of: number },
): KnownTries | null {
  if (side.scores[at.place]?.isBeside === true) return null;
  const tries = { passed: 0, failed: 0 };
  for (const { job } of runs.slice(0, at.of)) {
    const pass = passOf(job, compared);
    if (pass === true) tries.passed += 1;
    else if (pass === false) tries.failed += 1;
  }
  return tries;
}
