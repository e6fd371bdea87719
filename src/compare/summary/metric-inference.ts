import { bettingInference } from "../../stats/betting/betting-inference.ts";
import { clusterCodes } from "../../stats/clusters.ts";
import { inferenceOf } from "../../stats/paired/inference.ts";
import type { PairedCounts } from "../../stats/paired/mcnemar.ts";
import { comparisonOf } from "../../stats/paired/paired-comparison.ts";
import type { PairedData } from "../../stats/paired/paired-data.ts";
import { type ComparedMetric, rangeOf } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { StopRule } from "../stop-rule.ts";
import type { Inferred } from "./gate-shapes.ts";

export interface InferenceOptions {
  /** The drop that is accepted: of the gate, or 0. */
  margin: number;
  /** Confidence of a regression, and of a pass; 0.95 when left out. */
  confidence?: number;
  passConfidence?: number;
  seed: string;
  /** False leaves out the second interval, which is drawn. */
  second?: boolean;
  /** False leaves out the stricter p values, where nothing is decided by them. */
  decides?: boolean;
}

/** Null without a case. */
export function inferredOf(paired: PairedNumbers, options: InferenceOptions): Inferred | null {
  if (paired.n === 0) return null;
  const inference = inferenceOf(paired, options.seed);
  return { inference, comparison: comparisonOf(inference, options), counts: paired.counts };
}

/** Differences of cases, and what belongs together among them. */
export interface GivenCases {
  differences: Float64Array;
  clusters: Int32Array | null;
  /** Place of each case's cluster in the order of sending; empty where no order matters. */
  sent: Int32Array;
  has?: (place: number) => boolean;
}

/** True for a metric that can be judged at any time: a mean on a scale with two ends. */
export function isLookedAt(compared: Pick<ComparedMetric, "metric" | "of">): boolean {
  return compared.of !== "median" && rangeOf(compared) !== null;
}

/** The rule by which a comparison is judged, and why nothing is claimed of its cases; null: something may be. */
interface JudgedBy {
  stop: StopRule | null;
  chosen: string | null;
}

/**
 * Infers by the rule of the run: where it could stop when it was decided only by what holds at any time, which is betting;
 * a metric without bounds is then only described, and everything where the cases were chosen by what was seen in them.
 */
export function inferredUnder(
  { stop, chosen }: JudgedBy,
  { compared, paired, given }: { compared: ComparedMetric; paired: PairedNumbers; given: GivenCases },
  options: InferenceOptions,
): Inferred | null {
  if (chosen !== null) {
    const inferred = inferredOf(paired, options);
    return inferred === null ? null : describedOnly(inferred, chosen);
  }
  if (stop === null) return inferredOf(paired, options);
  if (isLookedAt(compared)) return lookedInferred(compared, { ...given, most: stop.most }, options);
  const inferred = inferredOf(paired, options);
  return inferred === null || stop.isWhole ? inferred : describedOnly(inferred, onlyWhenWhole);
}

function lookedInferred(
  compared: ComparedMetric,
  { differences, sent, most, has = () => true }: GivenCases & { most: number },
  options: InferenceOptions,
): Inferred {
  const places = Array.from(differences.keys())
    .filter((place) => !Number.isNaN(differences[place]) && has(place))
    .toSorted((one, other) => (sent[one] ?? 0) - (sent[other] ?? 0));
  const inference = bettingInference({
    differences: Float64Array.from(places, (place) => differences[place] ?? 0),
    clusters: clusterCodes(places.map((place) => sent[place] ?? 0)),
    most,
    range: rangeOf(compared) ?? 1,
  });
  return { inference, comparison: comparisonOf(inference, options), counts: null };
}

const onlyWhenWhole =
  "the run stopped when it was decided, and a score without bounds is only judged when all cases are in";

/** The figures without any claim: their number of cases depends on what was seen. */
function describedOnly({ inference, comparison, counts }: Inferred, reason: string): Inferred {
  const unknown = { p: null, interval: null, reason, test: "none", intervalBy: "none" } as const;
  return {
    inference: { ...inference, ...unknown, interval: () => null, rule: null },
    comparison: { ...comparison, ...unknown, pRegression: null, pPass: null, second: null, stricter: null },
    counts,
  };
}

/** The numbers of a metric without the cases that leave the pairing. */
export interface PairedNumbers extends PairedData {
  n: number;
}

/** Cases of some places, as the statistics take them. */
export function pairedNumbers(
  compared: ComparedMetric,
  numbers: Pick<MetricNumbers, "single" | "sides">,
  given: Omit<GivenCases, "sent">,
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
  const spread = spreadOf(compared, numbers, given);
  return {
    n,
    differences: kept,
    clusters: alone ? null : codes,
    counts,
    range: rangeOf(compared),
    statistic,
    ...(spread !== null && { spread }),
  };
}

/** Largest value of both sides less the smallest, of a mean without bounds; null for all others, and where nothing is gated. */
function spreadOf(
  compared: ComparedMetric,
  { sides }: Pick<MetricNumbers, "sides">,
  { differences, has = () => true }: Omit<GivenCases, "sent">,
): number | null {
  if (sides === null || compared.of === "median" || rangeOf(compared) !== null) return null;
  let [smallest, largest] = [Infinity, -Infinity];
  for (let place = 0; place < differences.length; place++) {
    if (Number.isNaN(differences[place]) || !has(place)) continue;
    const [one, other] = [sides.baseline[place] ?? Number.NaN, sides.candidate[place] ?? Number.NaN];
    smallest = Math.min(smallest, one, other);
    largest = Math.max(largest, one, other);
  }
  if (!(largest >= smallest)) return 0;
  // The rounding errors of values that are all alike are no spread.
  const most = Math.max(Math.abs(smallest), Math.abs(largest));
  return largest / 2 - smallest / 2 <= 1e-12 * most ? 0 : largest - smallest;
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
