import type { PairedComparison } from "../stats/paired-comparison.ts";

const tests: Record<PairedComparison["test"], string> = {
  "mcnemar-mid-p": "McNemar test (mid-p)",
  "cluster-t": "cluster-robust t test",
  "sign-flip": "sign-flip test of whole clusters",
  none: "no test",
};

const intervals: Record<PairedComparison["intervalBy"], string> = {
  tango: "Tango's score interval",
  "cluster-t": "its interval",
  "sign-flip": "its interval",
  "no-variation": "an interval from the scale, because no case differs from another",
  none: "no interval",
};

/** Which test, which interval, and why these. */
export function methodOf({ test, intervalBy, why, second }: PairedComparison): string {
  const also =
    second === null
      ? ""
      : `; BCa bootstrap ${second.interval.low.toPrecision(3)} to ${second.interval.high.toPrecision(3)}: ${second.why}`;
  return `${tests[test]}, ${intervals[intervalBy]}: ${why}${also}`;
}
