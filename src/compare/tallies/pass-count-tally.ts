import type { PassCounts } from "../../stats/paired/exact-pass-test.ts";
import type { SideValue } from "../cases/side-value.ts";

/** Collects the passes of each case on both sides, as the test by lot takes them; memory does not grow with the cases. */
export interface PassCountTally {
  add: (from: SideValue, to: SideValue) => void;
  /** Null where not all cases ran as often. */
  lots: () => PassCounts | null;
}

export function passCountTally(): PassCountTally {
  const cases = new Map<number, number>();
  let runs: PassCounts["runs"] | null = null;
  let isEven = true;
  let passesA = 0;
  return {
    add(from, to) {
      const own = { a: to.runs + to.missing, b: from.runs + from.missing };
      runs ??= own;
      if (own.a !== runs.a || own.b !== runs.b) isEven = false;
      if (!isEven) return;
      const ofA = Math.round((to.mean ?? 0) * own.a);
      const passes = ofA + Math.round((from.mean ?? 0) * own.b);
      passesA += ofA;
      cases.set(passes, (cases.get(passes) ?? 0) + 1);
    },
    lots: () => (isEven && runs !== null ? { runs, cases, passesA } : null),
  };
}
