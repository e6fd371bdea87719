import { sum } from "../../../src/stats/sum.ts";
import { mostRuns, subsetsOf } from "../../../src/stats/resampling/labellings.ts";

/** The difference of the means of a (the candidate's runs) and b, under each labelling of all of them. */
export function meanDifferences(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const [ofA, ofB] = [Math.min(mostRuns, a.length), Math.min(mostRuns, b.length)];
  if (ofA === 0 || ofB === 0) return new Float64Array(0);
  const values = [
    ...Array.from({ length: ofA }, (_, run) => a[run] ?? 0),
    ...Array.from({ length: ofB }, (_, run) => b[run] ?? 0),
  ];
  const total = sum(values);
  return Float64Array.from(subsetsOf(ofA + ofB, ofA), (chosen) => {
    const inA = sum(chosen.map((run) => values[run] ?? 0));
    return inA / ofA - (total - inA) / ofB;
  });
}
