import type { Interval } from "../../../src/stats/interval.ts";
import type { PairedCounts } from "../../../src/stats/paired/mcnemar.ts";
import { wilsonInterval } from "../../../src/stats/paired/proportion.ts";
import { rateDifference } from "../../../src/stats/paired/paired-proportion.ts";

/**
 * R. G. Newcombe's method 10 (1998): Wilson's intervals of both rates, squared and added, less what the pairing
 * explains (phi, with his correction for continuity). Null without cases.
 */
export function newcombeInterval(counts: PairedCounts, level: number): Interval | null {
  const n = casesOf(counts);
  const difference = rateDifference(counts);
  const passA = counts.bothPass + counts.onlyA;
  const passB = counts.bothPass + counts.onlyB;
  const a = wilsonInterval(passA, n, level);
  const b = wilsonInterval(passB, n, level);
  if (a === null || b === null || difference === null) return null;
  const phi = correlation(counts);
  const root = (towardsA: number, towardsB: number): number =>
    Math.sqrt(Math.max(0, towardsA * towardsA - 2 * phi * towardsA * towardsB + towardsB * towardsB));
  return {
    low: Math.max(-1, difference - root(passA / n - a.low, b.high - passB / n)),
    high: Math.min(1, difference + root(a.high - passA / n, passB / n - b.low)),
  };
}

/** The phi coefficient, drawn towards 0 by half a case where it is positive; 0 where a side passes all or none. */
function correlation(counts: PairedCounts): number {
  const { bothPass, onlyA, onlyB, bothFail } = counts;
  const margins = (bothPass + onlyA) * (onlyB + bothFail) * ((bothPass + onlyB) * (onlyA + bothFail));
  if (margins === 0) return 0;
  const product = bothPass * bothFail - onlyA * onlyB;
  const corrected = product > 0 ? Math.max(0, product - casesOf(counts) / 2) : product;
  return corrected / Math.sqrt(margins);
}

function casesOf({ bothPass, onlyA, onlyB, bothFail }: PairedCounts): number {
  return bothPass + onlyA + onlyB + bothFail;
}
