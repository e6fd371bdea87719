import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";

const tests: Record<PairedComparison["test"], string> = {
  "mcnemar-mid-p": "McNemar mid-p",
  "cluster-t": "cluster-robust t",
  "sign-flip": "cluster sign-flip",
  none: "no test",
};

const intervals: Record<PairedComparison["intervalBy"], string> = {
  tango: "Tango's score interval",
  "cluster-t": "the interval of the same t",
  "sign-flip": "the interval by inverting that test",
  "no-variation": "an interval for differences that are all alike",
  none: "no interval",
};

/** A test has one name wherever it is told. */
export function testName({ test }: PairedComparison): string {
  return tests[test];
}

/** The test, the interval, and the reasons for them. If every case is its own cluster the first is the paired t. */
export function methodOf({ test, intervalBy, why }: PairedComparison): string {
  return `${tests[test]} and ${intervals[intervalBy]}: ${why}`;
}
