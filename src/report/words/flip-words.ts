import type { ReportFlip, ReportGate } from "../shape/model.ts";

/** Words for the change of the cases of a flip. */
export const flipWords: Record<ReportFlip["kind"], string> = {
  "pass-to-fail": "newly failing",
  "fail-to-pass": "newly passing",
  "newly-flaky": "newly flaky",
  "newly-stable": "no longer flaky",
  "error-appeared": "answered, now an error",
  "error-gone": "an error, now answered",
};

/** True when the cases of a gate that got worse are those that newly fail, and those that got better newly pass. */
export function isTurned(
  { slice, worse, better }: Pick<ReportGate, "slice" | "worse" | "better">,
  flips: readonly Pick<ReportFlip, "kind" | "cases">[],
): boolean {
  const count = (wanted: ReportFlip["kind"]): number => flips.find(({ kind }) => kind === wanted)?.cases ?? 0;
  const isAll = (turn: ReportFlip["kind"], error: ReportFlip["kind"], cases: number): boolean =>
    count(turn) <= cases && cases <= count(turn) + count(error);
  return (
    slice === null && isAll("pass-to-fail", "error-appeared", worse) && isAll("fail-to-pass", "error-gone", better)
  );
}
