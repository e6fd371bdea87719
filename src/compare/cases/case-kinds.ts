/*
 * Words for a case by all tries of both sides. Each is found once, where the case is compared, and whatever counts cases, lists
 * them, filters them or writes them down asks for it. The words answer different questions, and a case may have one of each.
 */

/**
 * Change of the answers from the baseline to the candidate, the first that applies:
 * - `not-compared`: it is not on both sides, a side is not finished, its turn was skipped (the error is in an earlier
 *   one), or it was answered after the run was decided, which counts nothing of it
 * - `error-appeared`, `error-gone`: only one side has a run record
 * - `newly-flaky`, `newly-stable`: by the primary metric, or the first that passes or fails answers, with two runs or
 *   more on both sides
 * - `changed`: further from every run of the baseline than those are from each other, or with a member (there or not,
 *   its type, its count, its value) that differs although the baseline's runs agree in it, or with a failed run where
 *   the baseline has none
 * - `within-noise`: different, but so is the baseline from itself
 * - `differs`: different, and the baseline's own variation is not known
 * - `same`: all tries of both sides came out alike
 */
export const caseChanges = [
  "not-compared",
  "error-appeared",
  "error-gone",
  "newly-flaky",
  "newly-stable",
  "changed",
  "within-noise",
  "differs",
  "same",
] as const;
export type CaseChange = (typeof caseChanges)[number];

/** Turn of the case by a metric: the mean over the candidate's tries beside that over the baseline's. */
export const caseTurns = ["worse", "better", "same"] as const;
export type CaseTurn = (typeof caseTurns)[number];

/**
 * Flip of a case that newly fails or passes in all its tries, varies between them, or has an error: by the primary metric, or the
 * first that passes or fails answers.
 */
export type CaseFlip = (typeof caseFlips)[number];

/** Every flip, in the order in which they are told. */
export const caseFlips = [
  "pass-to-fail",
  "fail-to-pass",
  "newly-flaky",
  "newly-stable",
  "error-appeared",
  "error-gone",
] as const;
