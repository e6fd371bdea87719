/** A case that newly fails or passes in all its runs, varies between them, or has an error. */
export type CaseFlip =
  | "pass-to-fail"
  | "fail-to-pass"
  | "newly-flaky"
  | "newly-stable"
  | "error-appeared"
  | "error-gone";
