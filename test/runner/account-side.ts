import type { AccountSide } from "../../src/runner/health.ts";

/** A side of an account of which nothing is told but who it is: it has work left, and another side beside it. */
export const quietSide: Omit<AccountSide, "deployment" | "onEnded" | "onChange" | "onLongWait"> = {
  waitForServiceMs: null,
  targetIds: new Set<number>(),
  isProven: false,
  unfinished: () => 2,
  hasOther: () => true,
  openRuns: () => 0,
  isFirst: () => false,
  isFirstSent: () => false,
  onAway: () => {},
  onThere: () => {},
  onGivenUp: () => {},
  onRecovered: () => {},
  onBack: () => {},
};
