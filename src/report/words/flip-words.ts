import type { ReportFlip, ReportGate, ReportSummary } from "../shape/model.ts";

/** Words for the change of the cases of a flip. */
export const flipWords: Record<ReportFlip["kind"], string> = {
  "pass-to-fail": "newly failing",
  "fail-to-pass": "newly passing",
  "newly-flaky": "newly flaky",
  "newly-stable": "no longer flaky",
  "error-appeared": "answered, now an error",
  "error-gone": "an error, now answered",
};

/** The reason why fewer cases newly fail than got worse: one side was asked more than once, and not always right; null: neither was. */
export function flipBasis({
  targets,
  cases,
  flips,
}: Pick<ReportSummary, "targets" | "cases" | "flips">): string | null {
  const isRepeated = targets.some(({ jobs }) => jobs > cases);
  const isTold = flips.some(
    ({ kind, cases: found }) => (kind === "pass-to-fail" || kind === "fail-to-pass") && found > 0,
  );
  return isRepeated && isTold ? "cases whose tries differ are not counted" : null;
}

/** True when the cases of a gate that got worse are those that newly fail, and those that got better newly pass. */
export function isFlipped(
  { slice: segment, worse, better }: Pick<ReportGate, "slice" | "worse" | "better">,
  flips: readonly Pick<ReportFlip, "kind" | "cases">[],
): boolean {
  const count = (wanted: ReportFlip["kind"]): number => flips.find(({ kind }) => kind === wanted)?.cases ?? 0;
  const isAll = (turn: ReportFlip["kind"], error: ReportFlip["kind"], cases: number): boolean =>
    count(turn) <= cases && cases <= count(turn) + count(error);
  return (
    segment === null && isAll("pass-to-fail", "error-appeared", worse) && isAll("fail-to-pass", "error-gone", better)
  );
}
