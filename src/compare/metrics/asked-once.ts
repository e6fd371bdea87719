import { clusterCodes, clusterCount } from "../../stats/clusters.ts";

/** Questions in the order in which they are met. */
export interface AskedOnce {
  /** Mean of each over its cases. */
  means: Float64Array;
  /** Place of the first case of each among the values. */
  first: Int32Array;
  /** Number of each value's question, from 0. */
  codes: Int32Array;
}

/** Averages the values of cases that ask the same, as those of the runs of a case. `questions`: number of each value's question. */
export function askedOnce(values: Float64Array, questions: Int32Array): AskedOnce {
  const codes = clusterCodes(questions);
  const count = clusterCount(codes);
  const [sums, counts] = [new Float64Array(count), new Float64Array(count)];
  const first = new Int32Array(count).fill(-1);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (first[code] === -1) first[code] = at;
    sums[code] = (sums[code] ?? 0) + (values[at] ?? 0);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return { means: sums.map((sum, code) => sum / (counts[code] ?? 1)), first, codes };
}
