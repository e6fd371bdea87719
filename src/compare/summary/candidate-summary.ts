import { endpointOf } from "../../api/endpoints.ts";
import { repeatsThatTell } from "../../stats/planning/looks.ts";
import { mcNemar } from "../../stats/paired/mcnemar.ts";
import { clusterCodes } from "../../stats/clusters.ts";
import { differenceOf } from "../../stats/difference.ts";
import type { Interval } from "../../stats/interval.ts";
import { byPeople, type ByPeople } from "../metrics/by-people.ts";
import { unableOf } from "../verdict/ceiling.ts";
import { type Behaviour, behaviourOf } from "./behaviour.ts";
import type { DifferentCase } from "../tallies/different-case.ts";
import type { CaseChange } from "../cases/case-kinds.ts";
import { type Drift, driftOf, type OutputShape } from "../tallies/drift.ts";
import type { FlipSummary } from "../tallies/flips.ts";
import {
  type ComparedMetric,
  type ComparedTarget,
  type ComparisonPlan,
  lossOf,
  marginGate,
  primaryPlace,
} from "../comparison-plan.ts";
import type { AskedGate, GateRules } from "../verdict/kind.ts";
import { askGates } from "../verdict/ask.ts";
import { type LostTag, lostTags } from "./lost-tags.ts";
import { type Inferred, inferredUnder, judgedCases } from "../metrics/metric-inference.ts";
import { type MetricSummary, metricSummary } from "./metric-summary.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairCounts, PairResults } from "../tallies/pair-results.ts";
import type { PairingSummary } from "../tallies/pairing-tally.ts";
import { type WorsePlace, worsePlaces } from "./places.ts";
import type { SliceTable } from "./slice-table.ts";
import { slicedMetrics } from "./sliced-metrics.ts";
import { sliceSummaries, type SliceSummary } from "./slices.ts";
import type { OutputFieldCount } from "../tallies/structure-tally.ts";

/** One candidate against its baseline, over all cases. */
export interface CandidateSummary extends PairCounts {
  candidate: string;
  /** The target that it is compared with. */
  baseline: string;
  pairing: PairingSummary;
  /** *Got worse?* In the order of the scorers. */
  metrics: MetricSummary[];
  /** *Behaviour changed?* */
  behaviour: Behaviour;
  /** Number of cases of each class of change. */
  changes: Partial<Record<CaseChange, number>>;
  /** Number of cases that would be `changed`, were all answers of one side; not a whole number. Null: not known. */
  changedByChance: number | null;
  flips: FlipSummary;
  /** Differences in the structure of the outputs as a whole; null if a side has no structure to look at. */
  drift: Drift | null;
  latency: LatencyRatio | null;
  slices: SliceSummary[];
  /** Where it is surely worse: at most two. */
  places: WorsePlace[];
  /** The main metric by the values of two tags. */
  sliceTable?: SliceTable;
  /** Number of pairs of tags that were not looked at, because there are too many. */
  pairsLeft: number;
  /** Cases in which a side brought no run and the other did. */
  errors: ErrorTurns;
  /** The most frequent first; see `otherMembers`. */
  members: OutputFieldCount[];
  /** Differences in paths beyond the first 200 different ones that were met. */
  otherMembers: number;
  /** Mean of the distances that were measured; null when there are none. */
  meanDistance: number | null;
  /** Milliseconds between the sending of the two sides of a case, within 1 %; null when nothing was sent. */
  medianGapMs: number | null;
  /** The sides were asked so far apart that what changed in between counts as a difference: `isBefore`, since a kept baseline lies in the past. Null: they were not. */
  farApart: { minutes: number; isBefore: boolean } | null;
  /** The cases that differ most, at most 20: errors first, then those beyond noise, then by excess distance. */
  mostDifferent: DifferentCase[];
}

/** The candidate's time as a multiple of the baseline's, case by case. */
interface LatencyRatio {
  /** Geometric mean. */
  ratio: number;
  interval: Interval | null;
  p: number | null;
  cases: number;
}

/** Errors that came and went, and whether more came than went by chance (McNemar mid-p, two-sided). */
interface ErrorTurns {
  appeared: number;
  gone: number;
  p: number;
}

/** A side of the pair as a whole. */
export interface PairSide {
  target: string;
  /** Null where only answers are kept of it. */
  shape: OutputShape | null;
}

const longGapMs = 10 * 60_000;

interface SummaryRules extends GateRules {
  comparisonPlan: ComparisonPlan;
}

/** The summary of a candidate, and what its gates ask of the same numbers. */
export function candidateSummary(
  results: PairResults,
  sides: { baseline: PairSide; candidate: PairSide },
  rules: SummaryRules,
): { summary: CandidateSummary; questions: AskedGate[]; lostTags: LostTag[] } {
  // Undeclared clusters are cases that ask the same.
  const given = results.clusters === null || results.asked === null ? rules : { ...rules, clusterColumn: "question" };
  const [baseline, candidate] = [sides.baseline.target, sides.candidate.target];
  const seed = `${given.seed}/${baseline}/${candidate}`;
  const found = given.comparisonPlan.metrics.flatMap((compared, place) => {
    const numbers = results.metrics[place];
    return numbers === undefined
      ? []
      : [metricOf(compared, { numbers, results, rules: { ...given, seed, sides: [baseline, candidate] } })];
  });
  const metrics = found.map(({ summary }) => summary);
  const questions = askGates({
    ...given,
    metrics: given.comparisonPlan.metrics,
    results,
    candidate,
    baseline,
    seed,
    overall: found.map(({ summary, inferred, people }) => ({ inferred, noise: summary.noise, people })),
    repeatFirst: given.comparisonPlan.sides.some(
      ({ target, ...side }) => target === candidate && isAskedTooSeldom(side),
    ),
    repeatThemselves: given.comparisonPlan.sides.every(
      ({ target, endpoint }) => (target !== candidate && target !== baseline) || endpointOf(endpoint).repeatsItself,
    ),
  });
  // Nothing is claimed of cases that were chosen by what was seen in them.
  const lost =
    given.chosen === null
      ? lostTags(
          given.comparisonPlan.metrics,
          {
            ...results,
            clusters: results.clusters ?? results.questions,
            tags: results.slices.tags,
            columns: () => results.groupColumns?.() ?? [],
          },
          { candidate, baseline },
        )
      : [];
  return { summary: summaryOf(results, sides, { ...given, seed, metrics }), questions, lostTags: lost };
}

/** Stored answers are there once, and what repeats itself says nothing new. */
function isAskedTooSeldom({ repeats, endpoint, answersOnly }: Omit<ComparedTarget, "target">): boolean {
  return repeats < repeatsThatTell && !answersOnly && !endpointOf(endpoint).repeatsItself;
}

function metricOf(
  compared: ComparedMetric,
  {
    numbers,
    results,
    rules,
  }: {
    numbers: MetricNumbers;
    results: PairResults;
    rules: SummaryRules & { sides: readonly [baseline: string, candidate: string] };
  },
): { summary: MetricSummary; inferred: Inferred | null; people: ByPeople | null } {
  const { clusters, questions } = results;
  const options = {
    groups: results,
    clusterColumn: rules.clusterColumn,
    margin: lossOf(compared, marginGate(compared)?.margin ?? 0),
    confidence: 1 - rules.alpha,
    passConfidence: 1 - rules.passAlpha,
    stop: rules.stop,
    chosen: rules.chosen,
  };
  const cases = judgedCases(compared, numbers, results);
  const { paired } = cases;
  const inferred = paired.n === 0 ? null : inferredUnder(rules, cases, options);
  const byJudge = metricSummary(compared, numbers, { paired, inferred, options });
  const { baseline, candidate, comparison } = byJudge;
  const judge = { baseline, candidate, estimate: comparison?.estimate ?? null, interval: comparison?.interval ?? null };
  // Labels only correct a judge over all of its rows.
  const isEarly = rules.stop !== null && !rules.stop.isWhole;
  const chosen = rules.chosen ?? (isEarly ? ({ kind: "decided-early-by-labels" } as const) : null);
  const people = byPeople(compared, numbers, { clusters, questions, chosen, judge, options });
  const found = people?.found ?? null;
  if (people === null || found === null) {
    const isUnable = unableOf(compared, rules.sides) !== null;
    const shown = {
      ...byJudge,
      ...(people !== null && { people: people.view }),
      ...(isUnable && { atCeiling: true as const }),
    };
    return { summary: shown, inferred, people };
  }
  // Labels of people stand, whatever the judge is.
  const asPeople = {
    ...byJudge,
    people: people.view,
    baseline: found.baseline,
    candidate: found.candidate,
    intervals: { baseline: null, candidate: null },
    comparison: found.inferred.comparison,
    alike: null,
    answered: null,
    detectable: null,
    notDetectable: null,
  };
  return { summary: asPeople, inferred: found.inferred, people };
}

function summaryOf(
  results: PairResults,
  { baseline, candidate }: { baseline: PairSide; candidate: PairSide },
  given: SummaryRules & { metrics: MetricSummary[] },
): CandidateSummary {
  const { structure, medianGapMs } = results;
  const { seed, metrics, comparisonPlan } = given;
  const cells = slicedMetrics(comparisonPlan.metrics, results);
  const primary = comparisonPlan.metrics[primaryPlace(comparisonPlan.metrics)];
  const { slices, table } = sliceSummaries(cells, results, { ...given, primary });
  return {
    candidate: candidate.target,
    baseline: baseline.target,
    ...results.counts,
    pairing: results.pairing,
    metrics,
    behaviour: behaviourOf(results, { alpha: 0.05, seed, clusterColumn: given.clusterColumn }),
    changes: results.changes,
    changedByChance: results.changedByChance,
    flips: results.flips,
    drift: driftBetween(baseline.shape, candidate.shape),
    latency: latencyOf(results, given),
    slices,
    // Nothing is claimed of cases that were chosen by what was seen in them.
    places: given.chosen === null && (given.stop === null || given.stop.isWhole) ? worsePlaces(cells, results) : [],
    ...(table !== null && { sliceTable: table }),
    pairsLeft: results.slices.pairsLeft,
    errors: errorTurns(results),
    members: structure.counts(),
    otherMembers: structure.others(),
    meanDistance: results.meanDistance,
    medianGapMs,
    farApart:
      medianGapMs === null || medianGapMs <= longGapMs
        ? null
        : { minutes: Math.round(medianGapMs / 60_000), isBefore: given.fixedBaseline },
    mostDifferent: results.mostDifferent,
  };
}

/** The drift from the baseline's outputs; null when a side has no record at all. */
function driftBetween(baseline: OutputShape | null, candidate: OutputShape | null): Drift | null {
  if (baseline === null || candidate === null || baseline.records === 0 || candidate.records === 0) return null;
  return driftOf(baseline, candidate);
}

function errorTurns({ changes }: PairResults): ErrorTurns {
  const [appeared, gone] = [changes["error-appeared"] ?? 0, changes["error-gone"] ?? 0];
  return { appeared, gone, p: mcNemar({ onlyA: gone, onlyB: appeared }).midP };
}

function latencyOf(
  { latency, clusters }: PairResults,
  { stop, chosen }: Pick<SummaryRules, "stop" | "chosen">,
): LatencyRatio | null {
  const known = latency.filter((ratio) => !Number.isNaN(ratio));
  if (known.length === 0) return null;
  const codes = clusters === null ? null : clusterCodes(clusters.filter((_, place) => !Number.isNaN(latency[place])));
  const data = { differences: known, clusters: codes, counts: null, range: null };
  const { estimate, interval: intervalAt, p } = differenceOf(data);
  const interval = intervalAt(0.95);
  const isKnown = chosen === null && (stop === null || stop.isWhole);
  return {
    ratio: Math.exp(estimate ?? 0),
    interval: interval === null || !isKnown ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) },
    p: isKnown ? p : null,
    cases: known.length,
  };
}
