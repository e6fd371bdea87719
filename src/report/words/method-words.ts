import type { DecidedByBounds } from "../../compare/summary/gate-shapes.ts";
import type { StricterName } from "../../stats/paired/method.ts";
import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";

const tests: Record<PairedComparison["test"], string> = {
  "mcnemar-mid-p": "McNemar mid-p",
  "cluster-t": "cluster-robust t",
  "sign-flip": "cluster sign-flip",
  "sign-test": "sign test of the median",
  betting: "test by betting",
  none: "no test",
};

const intervals: Record<PairedComparison["intervalBy"], string> = {
  tango: "Tango's score interval",
  "cluster-t": "the interval of the same t",
  "sign-flip": "the interval by inverting that test",
  "order-statistics": "the interval of the same sign test",
  "no-variation": "an interval for differences that are all alike",
  betting: "the interval that belongs to it",
  none: "no interval",
};

/** Tests by which gates decide: those of their bounds. */
const gateTests: Record<DecidedByBounds["by"], string> = {
  tango: "Tango's score test",
  "cluster-t": "cluster-robust t",
  "sign-flip": "cluster sign-flip",
  "order-statistics": "sign test of the median",
  "no-variation": "Wilson's bound for none that differs",
  betting: "test by betting",
  none: "cluster sign-flip",
};

const beside: Record<StricterName, string> = {
  counted: "every outcome counted",
  skewness: "t corrected for skewness",
};

/** The name of the test by which a gate decided. */
export function gateTestName({ by }: DecidedByBounds): string {
  return gateTests[by];
}

/** The test and bounds by which a gate decided, and why these. */
export function gateMethodOf({ by, stricter }: DecidedByBounds, { why }: PairedComparison): string {
  const second = stricter === null ? "" : `, and ${beside[stricter]}, which claims less here`;
  return `${gateTests[by]} with its one-sided bounds${second}: ${why}`;
}

/** A test has one name wherever it is told. */
export function testName({ test }: PairedComparison): string {
  return tests[test];
}

/** The test, the interval, and the reasons for them. If every case is its own cluster the first is the paired t. */
export function methodOf({ test, intervalBy, why }: PairedComparison): string {
  return `${tests[test]} and ${intervals[intervalBy]}: ${why}`;
}
