import { clusterEstimate } from "../../stats/paired/cluster-t.ts";
import type { JudgeCheck } from "../../stats/rater-agreement.ts";
import { mcNemar } from "../../stats/paired/mcnemar.ts";
import { clusterTotals } from "../../stats/clusters.ts";
import type { Interval } from "../../stats/interval.ts";
import { twoSidedZ } from "../../stats/distributions/normal.ts";
import { beyondGains, countedDrop } from "../../stats/planning/planned-counts.ts";
import type { PairedComparison, PairedOptions } from "../../stats/difference.ts";
import { detectable } from "../../stats/planning/detectable.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { clusterIcc } from "../../stats/planning/repeats.ts";
import type { PeopleView } from "../metrics/people-view.ts";
import { type ChosenRows, groupsOf, type NoDrop, type UnitCount, unitCount } from "../cause.ts";
import { type ComparedMetric, headroomOf, lowerIsBetter, type MeasureOf, unitOf } from "../comparison-plan.ts";
import { gapOf, type MetricNumbers } from "../tallies/metric-tally.ts";
import type { GateFigures } from "../verdict/facts.ts";
import {
  type Inferred,
  inferredUnder,
  type CaseGroups,
  type InferenceRule,
  judgedCases,
  type PairedNumbers,
} from "../metrics/metric-inference.ts";
import { allPlaces, sideFigure, turnsAt } from "../metrics/figures.ts";
import { type NoiseSummary, noiseOf } from "../metrics/metric-noise.ts";

/** One metric of a candidate against its baseline: how much, how sure, by which test. */
export interface MetricSummary {
  metric: string;
  /** Kind of scorer. */
  type: string;
  of: MeasureOf;
  primary: boolean;
  /** A gate decides by it. */
  gated: boolean;
  /** It is a judge: the check of it by labels of people; null: it is none. */
  judge: JudgeCheck | null;
  /** Labels of people beside its grades: where they decide, `comparison` and the sides are as people see them. */
  people?: PeopleView;
  /** It is a judge that said the same of all answers: its value, and their number. */
  always?: { value: number; answers: number };
  /** Less of it is better. Differences are signed all the same: positive is better. */
  lowerIsBetter: boolean;
  /** Unit of the values; null for a pass rate, and for a metric without unit. */
  unit: string | null;
  /** Means over the cases that are compared; of a ratio the geometric ones. Null without a case. */
  baseline: number | null;
  candidate: number | null;
  /** Interval of each side by itself: Wilson's, for a pass rate of one run each and cases on their own; else null. */
  intervals: { baseline: Interval | null; candidate: Interval | null };
  /** Null without a case that is compared. A ratio is a difference of logarithms. */
  comparison: PairedComparison | null;
  /** Number of clusters in words, such as `40 conversations`; null if every case is its own. */
  groups: UnitCount | null;
  /** Likeness of the differences of one cluster; null if every case is its own, and without variation. */
  alike: ClusterLikeness | null;
  /** The same over the pairs that were answered on both sides alone; null where no answer is missing. */
  answered: PairedComparison | null;
  /** Cases that are compared, and the questions that they are where some ask the same; left out: as many. */
  cases: number;
  questions?: number;
  /** Cases with a difference to the worse, to the better, and without one. */
  worse: number;
  better: number;
  same: number;
  /** Cases that leave the pairing, because a side has no number in them. */
  left: number;
  /** Cases in which a side has a run without a grade, and the other has none; null where no gate asks, and where none has. */
  gaps: GapCounts | null;
  /** Cases that lack what the scorer compares with: they leave the metric on both sides, which no rule minds. */
  beside: number;
  /** Cases that are left out because the sides were graded by other expected texts. */
  otherExpected: number;
  /** Runs without an answer, and runs that could not be graded. */
  missing: { baseline: number; candidate: number };
  unscored: { baseline: number; candidate: number };
  runs: { baseline: number; candidate: number };
  /** Its scorer measures nothing (it passes nearly anything, or is a judge that is chance): nothing is claimed of it. */
  atCeiling?: true;
  /** Runs whose value lies beyond the ends that it is compared between, and these; null: no value can. */
  cut: CutValues | null;
  /** Smallest drop that so many cases find: 80 % power, alpha 5 %. Null where none is sure to be found. */
  detectable: number | null;
  /** The reason why there is none; null if there is one. */
  notDetectable: NoDrop | ChosenRows | null;
  /** Share of the runs in the variation; null if no side ran twice. */
  noise: NoiseSummary | null;
}

/** Cases with a gap of one side alone, and whether one side has more of them by chance. */
interface GapCounts {
  baseline: number;
  candidate: number;
  /** Exact two-sided McNemar. */
  p: number;
}

/** The effect of cases that belong together on the width of an interval. */
interface ClusterLikeness {
  /** Intraclass correlation of the differences. */
  icc: number;
  /** Factor by which the variance of the mean is above that of as many cases on their own. */
  designEffect: number;
}

export interface MetricSummaryOptions extends PairedOptions, InferenceRule {
  groups: CaseGroups;
  /** The column by which cases belong together; null: they are turns of a conversation. */
  clusterColumn: string | null;
}

export function metricSummary(
  compared: ComparedMetric,
  numbers: MetricNumbers,
  { paired, inferred, options }: { paired: PairedNumbers; inferred: Inferred | null; options: MetricSummaryOptions },
): MetricSummary {
  const { metric, of } = compared;
  const { n, rows } = paired;
  const comparison = inferred?.comparison ?? null;
  const means = middlesOf(compared, numbers, { rows, questions: options.groups.questions });
  const rates =
    of === "pass" &&
    numbers.single &&
    paired.clusters === null &&
    (n === rows || paired.counts !== null) &&
    n > 0 &&
    options.stop === null &&
    options.chosen === null;
  const alike = likenessOf(paired);
  const { cases: known, worse, better } = turnsAt(numbers.differences, allPlaces(numbers.differences));
  const wilson = (rate: number): Interval | null => (rates ? wilsonInterval(Math.round(rate * n), n, 0.95) : null);
  return {
    metric: metric.name,
    type: metric.type,
    of,
    primary: metric.primary,
    gated: compared.gates.length > 0,
    judge: compared.judge ?? null,
    ...alwaysOf(compared, numbers),
    lowerIsBetter: lowerIsBetter(compared),
    unit: unitOf(compared),
    ...means,
    intervals: { baseline: wilson(means.baseline ?? 0), candidate: wilson(means.candidate ?? 0) },
    comparison,
    groups: comparison === null ? null : groupsOf(comparison.clusters, n, options.clusterColumn),
    alike,
    answered: answeredAlone(compared, numbers, options),
    cases: rows,
    ...(n < rows && { questions: n }),
    worse,
    better,
    same: known - worse - better,
    left: numbers.left,
    gaps: gapCounts(numbers),
    beside: numbers.beside,
    otherExpected: numbers.otherExpected,
    missing: { baseline: numbers.baseline.missing, candidate: numbers.candidate.missing },
    unscored: { baseline: numbers.baseline.unscored, candidate: numbers.candidate.unscored },
    runs: { baseline: numbers.baseline.runs, candidate: numbers.candidate.runs },
    cut: cutValues(compared, numbers),
    ...smallestDrop(comparison, {
      paired,
      headroom: headroomOf(compared, means.baseline),
      column: options.clusterColumn,
      chosen: options.chosen,
    }),
    noise: n === 0 ? null : noiseOf(numbers, numbers.differences.filter(isKnown), alike?.designEffect),
  };
}

/** Fewer grades may be the same by chance. */
const fewestAlike = 20;

/** A judge that no labels of people have checked, or too few. */
export const isUnchecked = ({ judge, people }: Pick<MetricSummary, "judge" | "people">): boolean =>
  judge === "unchecked" && people?.refused !== null;

function alwaysOf({ judge }: ComparedMetric, { always }: MetricNumbers): Pick<MetricSummary, "always"> {
  return judge === undefined || always === null || always.answers < fewestAlike ? {} : { always };
}

function gapCounts({ gaps }: MetricNumbers): GapCounts | null {
  if (gaps === null) return null;
  let [baseline, candidate] = [0, 0];
  for (const sides of gaps.sides) {
    if (sides === gapOf.baseline) baseline += 1;
    else if (sides === gapOf.candidate) candidate += 1;
  }
  return { baseline, candidate, p: mcNemar({ onlyA: candidate, onlyB: baseline }).exact };
}

/** Values that were counted as the end beyond which they lie. */
interface CutValues {
  min: number;
  max: number;
  baseline: number;
  candidate: number;
}

function cutValues(
  { metric: { scale }, of }: ComparedMetric,
  { baseline, candidate }: MetricNumbers,
): CutValues | null {
  if (of === "pass" || of === "ratio" || scale.kind !== "bounded" || scale.cut === undefined) return null;
  return { min: scale.min, max: scale.max, baseline: baseline.cut, candidate: candidate.cut };
}

function middlesOf(
  compared: ComparedMetric,
  numbers: MetricNumbers,
  { rows, questions }: { rows: number; questions: Int32Array | null },
): Pick<MetricSummary, "baseline" | "candidate"> {
  const { sums, sides } = numbers;
  if (rows === 0) return { baseline: null, candidate: null };
  const shown = (side: "baseline" | "candidate"): number | null =>
    sideFigure(compared, numbers, side, { places: null, questions });
  if (compared.of === "median" || (questions !== null && sides !== null))
    return { baseline: shown("baseline"), candidate: shown("candidate") };
  const [baseline, candidate] = [sums.baseline / rows, sums.candidate / rows];
  return compared.of === "ratio"
    ? { baseline: Math.exp(baseline), candidate: Math.exp(candidate) }
    : { baseline, candidate };
}

const isKnown = (value: number): boolean => !Number.isNaN(value);

function likenessOf({ differences, clusters }: PairedNumbers): ClusterLikeness | null {
  if (clusters === null) return null;
  const clustered = clusterTotals(differences, clusters);
  const { designEffect } = clusterEstimate(clustered);
  const icc = clusterIcc(clustered);
  return icc === null || designEffect === null ? null : { icc, designEffect };
}

function answeredAlone(
  compared: ComparedMetric,
  numbers: MetricNumbers,
  options: MetricSummaryOptions,
): PairedComparison | null {
  if (numbers.answered === null) return null;
  const cases = judgedCases(compared, numbers, { ...options.groups, differences: numbers.answered });
  return cases.paired.n === 0 ? null : (inferredUnder(options, cases, options)?.comparison ?? null);
}

type SmallestDrop = Pick<MetricSummary, "detectable" | "notDetectable">;

interface DropOptions {
  paired: PairedNumbers;
  /** Room of the baseline to fall; null: there is no end. */
  headroom: number | null;
  column: string | null;
  chosen: ChosenRows | null;
}

function smallestDrop(
  comparison: PairedComparison | null,
  { paired, headroom, column, chosen }: DropOptions,
): SmallestDrop {
  if (comparison === null || chosen !== null) return { detectable: null, notDetectable: chosen };
  if (comparison.test === "betting") return { detectable: null, notDetectable: { kind: "looked-at" } };
  const found = detectableOf(comparison, paired);
  if (found === null || found > (paired.range ?? Infinity)) {
    return { detectable: null, notDetectable: whyNoDrop(comparison, paired, column) };
  }
  if (headroom === null || found <= headroom) return { detectable: found, notDetectable: null };
  return { detectable: null, notDetectable: { kind: "less-to-lose" } };
}

/** The smallest drop that the two-sided p shows: beyond the gains if passes are counted, else by the standard error. */
function detectableOf(comparison: PairedComparison, { counts, n }: PairedNumbers): number | null {
  if (counts !== null) return countedDrop(n, null, beyondGains(counts.onlyA / n));
  const se = comparison.clusters < 2 ? null : standardError(comparison);
  return se === null ? null : detectable({ se, df: comparison.df });
}

/** The standard error of a mean or a median, by its interval where no other is told; null where nothing tells it. */
export function standardError({ interval, se }: PairedComparison): number | null {
  if (interval === null) return null;
  return se === null || se === 0 ? (interval.high - interval.low) / 2 / twoSidedZ(0.95) : se;
}

function whyNoDrop(
  { clusters, interval }: PairedComparison,
  { n, counts, range }: PairedNumbers,
  column: string | null,
): NoDrop {
  const size = unitCount({ clusters, n }, column);
  if (counts !== null) return { kind: "few-if-all-lost", size };
  if (interval === null) return { kind: "few", size };
  return range === null ? { kind: "alike-without-ends" } : { kind: "few-that-vary", size, toLose: null };
}

/** The figures of a metric over all cases, as those of a slice. */
export function overallFigures({ cases, comparison, baseline, candidate, worse, better }: MetricSummary): GateFigures {
  return { cases, comparison, baseline, now: candidate, worse, better };
}
