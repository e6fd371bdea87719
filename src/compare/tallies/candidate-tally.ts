import { relabelTally } from "../../stats/resampling/relabel.ts";
import type { CaseChange } from "../cases/case-change.ts";
import type { CaseComparison, PairedResult } from "../cases/case-comparison.ts";
import type { Difference } from "../cases/case-change.ts";
import type { ReadSide, Side } from "../cases/case-side.ts";
import { valuesOfSameTime } from "../cases/same-time.ts";
import { durations } from "./durations.ts";
import { flipTally } from "./flips.ts";
import { growingFloats, growingInts } from "./growing.ts";
import type { ComparisonPlan } from "../comparison-plan.ts";
import { latencyTally } from "./latency-tally.ts";
import { type MetricTally, metricTally } from "./metric-tally.ts";
import { pairingTally } from "./pairing-tally.ts";
import type { PairResults } from "./pair-results.ts";
import { ranking } from "./ranking.ts";
import { shownSide } from "../cases/shown-side.ts";
import { sliceIndex } from "./slices.ts";
import { isStructure } from "../cases/structure.ts";
import { outcomeField, structureTally } from "./structure-tally.ts";
import type { DifferentCase } from "./different-case.ts";

/** A case as one pair sees it. */
interface PairCase {
  result: PairedResult;
  compared: CaseComparison;
  from: Side;
  to: Side;
  read: { baseline: ReadSide; candidate: ReadSide };
  difference: Difference;
  /** Number of its cluster in the whole comparison. */
  cluster: number;
}

/** Counts the differences of one candidate, case by case. */
export interface CandidateTally {
  add: (found: PairCase) => void;
  results: () => PairResults;
}

const mostShown = 20;

/** `clustered`: several cases may be of one cluster. */
export function candidateTally(comparisonPlan: ComparisonPlan, clustered: boolean): CandidateTally {
  const count = {
    compared: 0,
    unfinished: 0,
    failed: 0,
    answerDiffers: 0,
    membersDiffer: 0,
    outcomeDiffers: 0,
    expectedLost: 0,
    expectedGained: 0,
    expectedDiffers: 0,
  };
  const changes = new Map<CaseChange, number>();
  const distances = { sum: 0, noise: 0, measured: 0, count: 0 };
  let changedByChance = 0;
  const gaps = durations();
  const structure = structureTally();
  const pairing = pairingTally();
  const flips = flipTally(comparisonPlan);
  const latency = latencyTally();
  const slices = sliceIndex();
  const behaves = growingFloats();
  const clusters = growingInts();
  const metrics: MetricTally[] = comparisonPlan.metrics.map(metricTally);
  const most = ranking<DifferentCase>(mostShown);
  const texts = relabelTally();
  let repeated = false;

  const countCase = ({ from, to, difference }: PairCase): void => {
    if (difference.outcomeDiffers === null) count.unfinished += 1;
    else if (difference.answerDiffers === null) count.failed += 1;
    else count.compared += 1;
    if (difference.answerDiffers === true) count.answerDiffers += 1;
    if (difference.outcomeDiffers === true) count.outcomeDiffers += 1;
    if (from.expectedFound === true && to.expectedFound === false) count.expectedLost += 1;
    if (from.expectedFound === false && to.expectedFound === true) count.expectedGained += 1;
    if (difference.expectedDiffers) count.expectedDiffers += 1;
    changes.set(difference.change, (changes.get(difference.change) ?? 0) + 1);
  };

  const addScores = ({ from, to, read }: PairCase): void => {
    for (const [place, compared] of comparisonPlan.metrics.entries()) {
      const timed = valuesOfSameTime(compared, read.baseline, read.candidate);
      metrics[place]?.add(timed?.baseline ?? from.scores[place], timed?.candidate ?? to.scores[place]);
    }
  };

  const addBehaviour = (found: PairCase): void => {
    const { difference, cluster } = found;
    const { distance, noise, labelled } = difference;
    if (distance !== null) {
      distances.sum += distance;
      distances.count += 1;
    }
    if (noise !== null) {
      distances.noise += noise;
      distances.measured += 1;
    }
    if (difference.change === "changed" || difference.change === "within-noise") {
      changedByChance += difference.beyondByChance;
    }
    if (difference.gapMs !== null) gaps.add(difference.gapMs);
    if (labelled !== null) texts.add(labelled, clustered ? cluster : null);
    if ((difference.members ?? []).length > 0) count.membersDiffer += 1;
    if (found.from.plannedRuns >= 2) repeated = true;
    structure.add({ cluster, ...structureOf(found), measured: found.from.answeredRuns >= 2 });
  };

  const rankCase = ({ compared: { key }, from, to, difference }: PairCase): void => {
    const { answerDiffers, distance, excess, change } = difference;
    const outcomeDiffers = difference.outcomeDiffers === true;
    const differs = answerDiffers === true || outcomeDiffers || (difference.members ?? []).some(isStructure);
    if (!differs || change === "not-compared") return;
    const rank = rankOf(from, to, difference);
    if (!most.admits(rank)) return;
    const sides = { baseline: shownSide(from), candidate: shownSide(to) };
    most.add(rank, { key, change, distance, excess, outcomeDiffers, ...sides });
  };

  return {
    add(found) {
      const { result, compared, from, to, difference, cluster } = found;
      pairing.add(compared.key, difference.pairing);
      if (difference.pairing !== "paired") return;
      countCase(found);
      clusters.push(cluster);
      slices.add(tagsOf(result));
      behaves.push(rawLessNoise(difference));
      addScores(found);
      latency.add(found.read.baseline, found.read.candidate);
      addBehaviour(found);
      flips.add(compared, from, to, difference);
      rankCase(found);
    },
    results: () => ({
      counts: { ...count },
      changes: Object.fromEntries(changes),
      pairing: pairing.summary(),
      flips: flips.summary(),
      mostDifferent: most.entries(),
      medianGapMs: gaps.quantile(0.5),
      structure,
      texts,
      repeated,
      changedByChance,
      meanDistance: distances.count === 0 ? null : distances.sum / distances.count,
      meanNoise: distances.measured === 0 ? null : distances.noise / distances.measured,
      latency: latency.numbers(),
      metrics: metrics.map((tally) => tally.numbers()),
      clusters: clustered ? clusters.view() : null,
      slices: slices.slices(),
      behaves: behaves.view(),
    }),
  };
}

/** The language of a case is a slice even where the suite does not name it as a tag. */
function tagsOf({ tags, columns }: PairedResult): Record<string, string> {
  const language = Object.hasOwn(columns, "language") ? columns["language"] : undefined;
  return language === undefined || Object.hasOwn(tags, "language") ? tags : { ...tags, language };
}

/**
 * 1: only the candidate differs from the baseline; -1: only the baseline from itself; NaN if its own variation is not
 * known.
 */
function rawLessNoise({
  answerDiffers,
  members,
  outcomeDiffers,
  noise,
  noiseMembers,
  noiseOutcomeDiffers,
}: Difference): number {
  if (noiseOutcomeDiffers === null) return Number.NaN;
  const raw = answerDiffers === true || outcomeDiffers === true || (members ?? []).some(isStructure);
  const own = (noise ?? 0) > 0 || noiseOutcomeDiffers || (noiseMembers ?? []).some(isStructure);
  return Number(raw) - Number(own);
}

/** Counts a difference against the noise only if the noise of that case is known: for members, and for outcomes. */
function structureOf(found: PairCase) {
  const { members, noiseMembers, outcomeDiffers, noiseOutcomeDiffers } = found.difference;
  const outcomes = {
    raw: outcomeDiffers === true && noiseOutcomeDiffers !== null ? [outcomePath(found)] : [],
    noise: outcomeDiffers !== null && noiseOutcomeDiffers === true ? [anyOutcome] : [],
  };
  if (members === null || noiseMembers === null) return { members: members ?? [], ...outcomes };
  return { members, raw: [...members, ...outcomes.raw], noise: [...noiseMembers, ...outcomes.noise] };
}

const anyOutcome = { path: outcomeField, kind: "type", baseline: "one", candidate: "another" } as const;

function outcomePath({ from, to }: PairCase) {
  return { ...anyOutcome, baseline: from.outcome, candidate: to.outcome };
}

/** Errors first, then what passes on one side only, then by distance; an answer against none counts as entirely different. */
function rankOf(from: Side, to: Side, { change, excess, distance, outcomeDiffers }: Difference): number[] {
  const isError = change === "error-appeared" || change === "error-gone";
  const flips = from.expectedFound !== null && to.expectedFound !== null && from.expectedFound !== to.expectedFound;
  const beyond = change === "within-noise" ? 0 : 1;
  return [isError || outcomeDiffers === true ? 1 : 0, beyond, flips ? 1 : 0, excess ?? distance ?? 1];
}
