import { binomialPmf } from "../distributions/binomial.ts";
import { chance } from "./mcnemar.ts";

/** Passes and fails of cases that each ran `a` times on one side and `b` times on the other. */
export interface PassCounts {
  runs: { a: number; b: number };
  /** Number of passes of a case on both sides together, to the number of such cases. */
  cases: ReadonlyMap<number, number>;
  /** Passes of side A over all cases. */
  passesA: number;
}

/** Number of runs of A in cases whose runs do not all agree, beyond which Student's t is as good. */
const mostRuns = 2_000;

/**
 * Was it by lot which of the runs of a case were the candidate's? Given the passes of each case, those of A are
 * hypergeometric, and their sum over cases is counted exactly (W. Cochran 1954; N. Mantel and W. Haenszel 1959). Two-sided:
 * twice the shorter tail with half the chance of what was seen, as McNemar's mid-p, which it is for one run each. It holds
 * its level, equally on both sides, also where one side ran more often and fails are rare. 1 where all runs agree; null
 * for too many cases.
 */
export function passCountTest({ runs, cases, passesA }: PassCounts): number | null {
  const all = runs.a + runs.b;
  let seen = passesA;
  let weights: number[] = [1];
  for (const [passes, count] of cases) {
    if (passes === 0) continue;
    if (passes === all) {
      seen -= count * runs.a;
      continue;
    }
    const one = hypergeometric(runs, passes);
    if (weights.length + count * (one.length - 1) > mostRuns) return null;
    for (let added = 0; added < count; added++) weights = convolved(weights, one);
  }
  const below = weights.reduce((sum, weight, place) => (place < seen ? sum + weight : sum), 0);
  const above = weights.reduce((sum, weight, place) => (place > seen ? sum + weight : sum), 0);
  return chance(2 * Math.min(below, above) + (weights[seen] ?? 0));
}

/** Chances of 0, 1, 2 ... of the passes of a case to be among the runs of A. */
function hypergeometric({ a, b }: PassCounts["runs"], passes: number): number[] {
  // Three binomial terms, each by its logarithm: C(1030, 515) is no number.
  const p = passes / (a + b);
  const all = binomialPmf(passes, a + b, p);
  return Array.from(
    { length: Math.min(a, passes) + 1 },
    (_, place) => (binomialPmf(place, a, p) * binomialPmf(passes - place, b, p)) / all,
  );
}

function convolved(one: readonly number[], other: readonly number[]): number[] {
  const sums: number[] = Array.from({ length: one.length + other.length - 1 }, () => 0);
  for (const [place, weight] of one.entries()) {
    for (const [more, chanceOfMore] of other.entries()) {
      sums[place + more] = (sums[place + more] ?? 0) + weight * chanceOfMore;
    }
  }
  return sums;
}
