import { differenceByBets } from "../../stats/betting/difference-by-bets.ts";
import { clusterCodes, clusterCount } from "../../stats/clusters.ts";
import {
  claimsOf,
  type PairedDifference,
  differenceOf,
  pairedFigures,
  type PairedData,
  type PairedOptions,
  type PairedComparison,
} from "../../stats/difference.ts";
import type { PairedCounts } from "../../stats/paired/mcnemar.ts";
import type { ChosenRows } from "../cause.ts";
import { type ComparedMetric, rangeOf } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import { askedOnce } from "./asked-once.ts";
import { allPlaces } from "./figures.ts";
import type { StopRule } from "../stop-rule.ts";

/** A difference with the rule that judges it. */
export interface Inferred {
  comparison: PairedComparison;
  difference: PairedDifference;
}

/** The cases of a pair that belong together. */
export type CaseGroups = Pick<PairResults, "clusters" | "questions" | "asked" | "sent">;

/** Differences of cases; `places`: those that are looked at, by default all. */
export interface GivenCases extends CaseGroups {
  differences: Float64Array;
  places?: Int32Array;
}

/** True for a metric that can be judged at any time: a mean on a scale with two ends. */
export function isLookedAt(compared: Pick<ComparedMetric, "metric" | "of">): boolean {
  return compared.of !== "median" && rangeOf(compared) !== null;
}

/** The rule by which a comparison is judged. */
export interface InferenceRule {
  /** Null: everything was looked at once, when it was in. */
  stop: StopRule | null;
  /** Why nothing is claimed of the cases; null: something may be. */
  chosen: ChosenRows | null;
}

export interface JudgedCases {
  compared: ComparedMetric;
  paired: PairedNumbers;
  given: GivenCases;
}

/** The cases of a pair as a metric is judged by them, or some of them, or with other differences. */
export function judgedCases(
  compared: ComparedMetric,
  numbers: Pick<MetricNumbers, "differences" | "single" | "sides">,
  { clusters, questions, asked, sent, differences = numbers.differences, places }: CaseGroups & Partial<GivenCases>,
): JudgedCases {
  const given = { differences, clusters, questions, asked, sent, ...(places !== undefined && { places }) };
  return { compared, given, paired: pairedNumbers(compared, numbers, given) };
}

/** Null without a case; see `differenceUnder`. */
export function inferredUnder(by: InferenceRule, cases: JudgedCases, options: PairedOptions): Inferred | null {
  const difference = differenceUnder(by, cases);
  return difference === null ? null : { difference, comparison: pairedFigures(difference, options) };
}

/** P that the difference is a loss beyond the margin, without its interval, which takes most of the time; null where nothing can be claimed. */
export function passPUnder(
  by: InferenceRule,
  cases: JudgedCases,
  { margin, confidence = 0.95, passConfidence = confidence }: PairedOptions,
): number | null {
  const difference = differenceUnder(by, cases);
  const levels = { margin, alpha: 1 - confidence, passAlpha: 1 - passConfidence };
  return difference === null ? null : claimsOf(difference, levels).pPass;
}

/**
 * Infers by the rule of the run: where it could stop when it was decided only by what holds at any time, which is betting;
 * a metric without bounds is then only described, and everything where the cases were chosen by what was seen in them.
 * Null without a case.
 */
export function differenceUnder(
  { stop, chosen }: InferenceRule,
  { compared, paired, given }: JudgedCases,
): PairedDifference | null {
  if (stop !== null && chosen === null && isLookedAt(compared))
    return lookedAt(compared, { ...given, most: stop.most });
  if (paired.n === 0) return null;
  const difference = differenceOf(paired);
  const silent = chosen ?? (stop === null || stop.isWhole ? null : ({ kind: "decided-early" } as const));
  // The figures without any claim: their number of cases depends on what was seen.
  return silent === null
    ? difference
    : { ...difference, p: null, reason: silent, test: "none", interval: () => null, method: null };
}

function lookedAt(
  compared: ComparedMetric,
  { differences, sent, most, asked, places: own = allPlaces(differences) }: GivenCases & { most: number },
): PairedDifference {
  const places = Array.from(own)
    .filter((place) => !Number.isNaN(differences[place]))
    .toSorted((one, other) => (sent[one] ?? 0) - (sent[other] ?? 0))
    .filter(firstOfInput(asked));
  return differenceByBets({
    differences: Float64Array.from(places, (place) => differences[place] ?? 0),
    clusters: clusterCodes(places.map((place) => sent[place] ?? 0)),
    most,
    range: rangeOf(compared) ?? 1,
  });
}

/** A question that was asked before reveals how it comes out, so it is not bet on again. */
function firstOfInput(asked: Int32Array | null): (place: number) => boolean {
  const seen = new Set<number>();
  return (place) => {
    const input = asked?.[place];
    if (input === undefined) return true;
    const isFirst = !seen.has(input);
    seen.add(input);
    return isFirst;
  };
}

/** The numbers of a metric without the cases that leave the pairing. */
export interface PairedNumbers extends PairedData {
  /** Questions: cases, of which those that ask the same are one. */
  n: number;
  /** Cases. */
  rows: number;
}

/** Cases of some places, as the statistics take them: those that ask the same are averaged, as the runs of a case are. */
export function pairedNumbers(
  compared: ComparedMetric,
  numbers: Pick<MetricNumbers, "single" | "sides">,
  given: Omit<GivenCases, "sent" | "asked">,
): PairedNumbers {
  const { differences, clusters } = given;
  const places = (given.places ?? allPlaces(differences)).filter((place) => !Number.isNaN(differences[place]));
  const kept = Float64Array.from(places, (place) => differences[place] ?? 0);
  const asked = questionsOf({ differences: kept, places }, given.questions, numbers.sides);
  const n = asked.differences.length;
  const codes = clusters === null ? null : clusterCodes(asked.places.map((place) => clusters[place] ?? 0));
  const alone = codes === null || clusterCount(codes) === n;
  const isCounted = compared.of === "pass" && numbers.single && asked.isWhole && alone;
  const spread = spreadOf(compared, numbers, places);
  return {
    n,
    rows: places.length,
    differences: asked.differences,
    clusters: alone ? null : codes,
    counts: isCounted ? countsOf(asked.differences) : null,
    range: rangeOf(compared),
    statistic: compared.of === "median" ? "median" : "mean",
    ...(compared.of === "pass" && { isRate: true }),
    ...(spread !== null && { spread }),
  };
}

/** Largest value of both sides less the smallest, in cases that both have a score of, of a mean without bounds; null for all others, and where nothing is gated. */
function spreadOf(
  compared: ComparedMetric,
  { sides }: Pick<MetricNumbers, "sides">,
  places: Int32Array,
): number | null {
  if (sides === null || compared.of === "median" || rangeOf(compared) !== null) return null;
  let [smallest, largest] = [Infinity, -Infinity];
  for (const place of places) {
    const [one, other] = [sides.baseline[place] ?? Number.NaN, sides.candidate[place] ?? Number.NaN];
    smallest = Math.min(smallest, one, other);
    largest = Math.max(largest, one, other);
  }
  if (!(largest >= smallest)) return 0;
  // The rounding errors of values that are all alike are no spread.
  const most = Math.max(Math.abs(smallest), Math.abs(largest));
  return largest / 2 - smallest / 2 <= 1e-12 * most ? 0 : largest - smallest;
}

/** Questions with the place of the first case of each. */
interface Questions {
  differences: Float64Array;
  places: Int32Array;
  /** Each side came out alike in all cases of a question, so that its average is 0 or 1 where those of its cases are. */
  isWhole: boolean;
}

function questionsOf(
  { differences, places }: Pick<Questions, "differences" | "places">,
  questions: Int32Array | null,
  sides: MetricNumbers["sides"],
): Questions {
  if (questions === null) return { differences, places, isWhole: true };
  const { means, first, codes } = askedOnce(
    differences,
    places.map((place) => questions[place] ?? 0),
  );
  const isWhole = codes.every((code, at) => {
    const [own, before] = [places[at] ?? 0, places[first[code] ?? 0] ?? 0];
    // A case with a gap has no side that could be compared, and a question asked once needs none.
    if (own === before) return differences[at] === means[code];
    return differences[at] === means[code] && (sides === null || sides.baseline[own] === sides.baseline[before]);
  });
  return { differences: means, places: first.map((at) => places[at] ?? 0), isWhole };
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
