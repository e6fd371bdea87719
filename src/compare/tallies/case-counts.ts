import type { CaseChange } from "../cases/case-kinds.ts";
import type { PairCase } from "./pair-case.ts";
import type { PairCounts } from "./pair-results.ts";

/** Counts the cases of a pair by what differs, and by the change of each. */
export interface CaseCounts {
  add: (found: Pick<PairCase, "compared" | "from" | "to" | "difference">) => void;
  counts: () => PairCounts;
  changes: () => Partial<Record<CaseChange, number>>;
}

const mostKeys = 20;

export function caseCounts(): CaseCounts {
  const count: PairCounts = {
    compared: 0,
    unfinished: 0,
    failed: 0,
    answerDiffers: 0,
    answerVaries: 0,
    membersDiffer: 0,
    outcomeDiffers: 0,
    expectedLost: 0,
    expectedGained: 0,
    expectedDiffers: 0,
    expectedDiffersIn: [],
  };
  const changes = new Map<CaseChange, number>();
  return {
    add({ compared, from, to, difference }) {
      if (difference.outcomeDiffers === null) count.unfinished += 1;
      else if (difference.answerDiffers === null) count.failed += 1;
      else count.compared += 1;
      if (difference.answerDiffers === true) {
        count.answerDiffers += 1;
        if (difference.change === "within-noise") count.answerVaries += 1;
      }
      if ((difference.members ?? []).length > 0) count.membersDiffer += 1;
      if (difference.outcomeDiffers === true) count.outcomeDiffers += 1;
      if (from.expectedFound === true && to.expectedFound === false) count.expectedLost += 1;
      if (from.expectedFound === false && to.expectedFound === true) count.expectedGained += 1;
      if (difference.expectedDiffers) {
        count.expectedDiffers += 1;
        if (count.expectedDiffersIn.length < mostKeys) count.expectedDiffersIn.push(compared.key);
      }
      changes.set(difference.change, (changes.get(difference.change) ?? 0) + 1);
    },
    counts: () => ({ ...count }),
    changes: () => Object.fromEntries(changes),
  };
}
