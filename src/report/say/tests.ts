import type { BoundsEvidence } from "../../compare/verdict/facts.ts";
import type { HeldBy, PairedComparison, TestName } from "../../stats/difference.ts";

/** Each test as it is named beside a difference, and beside a gate, with the data that it is for. */
const tests: Record<TestName, { name: string; ofGate?: string; why: string }> = {
  "exact-score": {
    name: "McNemar mid-p",
    ofGate: "Tango's score test",
    why: "pass or fail, one run each side, every row on its own; every outcome is counted",
  },
  "cluster-t": { name: "cluster-robust t", why: "scores, several runs, or clusters of several rows" },
  "corrected-t": {
    name: "t of the judge corrected by people",
    why: "graded by a judge, and by people in rows that were drawn: the judge is corrected by them",
  },
  alike: { name: "Wilson's bound for none that differs", why: "all rows differ by the same amount" },
  "sign-test": {
    name: "sign test of the median",
    why: "half of the rows lie on each side of the median, however far",
  },
  betting: {
    name: "test by betting",
    why: "it was looked at after each row, so that the run could stop when it was decided",
  },
  none: { name: "no test", why: "too few rows or clusters allow none" },
};

const beside: Record<HeldBy, string> = {
  skewness: "t corrected for skewness",
  "one-more": "one more row that loses what it can",
  unseen: "the chance that so many do not show the loss",
  "fewer-losses": "the same with fewer losses",
};

/** The name of the test by which a gate decided. */
export function gateTestName({ by }: Pick<BoundsEvidence, "by">): string {
  return tests[by].ofGate ?? tests[by].name;
}

/** The test and bounds by which a gate decided, and why these. */
export function gateMethodOf({ by, heldBy }: BoundsEvidence): string {
  const second = heldBy === null ? "" : `, and ${beside[heldBy]}, which claims less here`;
  return `${gateTestName({ by })} with its one-sided bounds${second}: ${tests[by].why}`;
}

/** A test has one name wherever it is told. */
export function testName({ test }: PairedComparison): string {
  return tests[test].name;
}

/** The test and the reason for it. */
export function methodOf({ test }: PairedComparison): string {
  return `${tests[test].name} and its interval: ${tests[test].why}`;
}
