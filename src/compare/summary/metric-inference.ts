import { inferenceOf } from "../../stats/paired/inference.ts";
import type { PairedCounts } from "../../stats/paired/mcnemar.ts";
import { comparisonOf } from "../../stats/paired/paired-comparison.ts";
import type { PairedData } from "../../stats/paired/paired-data.ts";
import { type ComparedMetric, rangeOf } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { Inferred } from "./gate-question.ts";

export interface InferenceOptions {
  /** The drop that is accepted: of the gate, or 0. */
  margin: number;
  /** Confidence of a regression, and of a pass. */
  confidence: number;
  passConfidence: number;
  seed: string;
  /** False leaves out the second interval, which is drawn. */
  second?: boolean;
}

/** Null without a case. */
export function inferredOf(paired: PairedNumbers, options: InferenceOptions): Inferred | null {
  if (paired.n === 0) return null;
  const inference = inferenceOf(paired, options.seed);
  return { inference, comparison: comparisonOf(inference, options), counts: paired.counts };
}

/** The numbers of a metric without the cases that leave the pairing. */
export interface PairedNumbers extends PairedData {
  n: number;
}

/** Cases of some places, as the statistics take them. */
export function pairedNumbers(
  compared: ComparedMetric,
  numbers: Pick<MetricNumbers, "single">,
  given: { differences: Float64Array; clusters: Int32Array | null; has?: (place: number) => boolean },
): PairedNumbers {
  const { differences, clusters, has = () => true } = given;
  let n = 0;
  for (let place = 0; place < differences.length; place++) if (!Number.isNaN(differences[place]) && has(place)) n += 1;
  const kept = new Float64Array(n);
  const codes = clusters === null ? null : new Int32Array(n);
  const known = new Map<number, number>();
  let next = 0;
  for (let place = 0; place < differences.length; place++) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference) || !has(place)) continue;
    if (codes !== null) codes[next] = codeOf(known, clusters?.[place] ?? 0);
    kept[next++] = difference;
  }
  const alone = codes === null || known.size === n;
  const counts = compared.of === "pass" && numbers.single && alone ? countsOf(kept) : null;
  const statistic = compared.of === "median" ? "median" : "mean";
  return { n, differences: kept, clusters: alone ? null : codes, counts, range: rangeOf(compared), statistic };
}

function codeOf(known: Map<number, number>, cluster: number): number {
  const found = known.get(cluster);
  if (found !== undefined) return found;
  known.set(cluster, known.size);
  return known.size - 1;
}

/**
 * Counts the cases that one side alone passes; those that both did alike have no weight in any test of the difference.
 */
function countsOf(differences: Float64Array): PairedCounts {
  let [onlyA, onlyB] = [0, 0];
  for (const difference of differences) {
    if (difference > 0) onlyA += 1;
    else if (difference < 0) onlyB += 1;
  }
  return { bothPass: differences.length - onlyA - onlyB, onlyA, onlyB, bothFail: 0 };
}
