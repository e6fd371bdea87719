import type { ReportFlip } from "../shape/model.ts";

/** Words for the change of the cases of a flip. */
export const flipWords: Record<ReportFlip["kind"], string> = {
  "pass-to-fail": "newly failing",
  "fail-to-pass": "newly passing",
  "newly-flaky": "newly flaky",
  "newly-stable": "no longer flaky",
  "error-appeared": "answered, now an error",
  "error-gone": "an error, now answered",
};
