import { languageColumn } from "../cases/compared-columns.ts";
import { quantile } from "../../stats/quantile.ts";
import type { Difference } from "../cases/difference.ts";
import type { PairedResult, CaseComparison } from "../cases/case-comparison.ts";
import type { Pairing } from "../cases/pairing.ts";
import { casesByMetric } from "../cases/case-turn.ts";
import { isStructure, outcomeField } from "../cases/structure.ts";
import type { ComparisonPlan, LabelDraw } from "../comparison-plan.ts";
import { flipTally } from "./flips.ts";
import { growingFloats, growingInts } from "./growing.ts";
import { metricTally } from "./metric-tally.ts";
import type { PairResults, PairCounts } from "./pair-results.ts";
import { peopleTally } from "./people-tally.ts";
import { pairingTally } from "./pairing-tally.ts";
import { SliceIndex } from "./slices.ts";
import { triesTally } from "./tries-tally.ts";
import { structureTally } from "./structure-tally.ts";
import type { CaseChange } from "../cases/case-kinds.ts";
import type { GroupTally } from "./group-columns.ts";
import { type Belonging, questionTally } from "./questions.ts";
import { relabelTally } from "../../stats/resampling/relabel.ts";
import { durations } from "./durations.ts";
import { latencyOf, type ReadSide, type Run, type Side } from "../cases/case-side.ts";
import { hasTime, runsOfSameTime } from "../cases/same-time.ts";
import { shownSide } from "../cases/shown-side.ts";
import type { DifferentCase } from "./different-case.ts";

/** Counts the differences of one candidate, case by case. `clustered`: several cases may be of one cluster; `belonging`: how the suite says so; `drawn`: the cases that people were asked to label. */
export function candidateTally(
  comparisonPlan: ComparisonPlan,
  clustered: boolean,
  belonging: Belonging = "open",
  { groups = null, drawn }: { groups?: Pick<GroupTally, "columns"> | null; drawn?: LabelDraw | undefined } = {},
) {
  const pairing = pairingTally();
  const cases = caseCounts();
  const distances = distanceTally();
  const structure = structureTally();
  const flips = flipTally(comparisonPlan);
  const latency = latencyTally();
  const slices = new SliceIndex();
  const expectedLengths = growingFloats();
  const clusters = growingInts();
  const questions = questionTally(belonging);
  const places = growingInts();
  const sent = growingInts();
  const metrics = comparisonPlan.metrics.map(metricTally);
  const tries = comparisonPlan.metrics.map(triesTally);
  const people = comparisonPlan.metrics.map((metric) => peopleTally(metric, drawn));
  const most = mostDifferent();
  let repeated = false;

  return {
    add(found: PairCase): void {
      const { result, compared, from, to, read, difference, cluster } = found;
      // A case that was not sent, or not looked at when the run was decided, is not compared.
      if (difference.pairing === "paired" && found.place === null) return;
      pairing.add(compared.key, difference.pairing);
      if (found.place !== null && hasCandidate[difference.pairing])
        for (const tally of tries) tally?.add(compared, read.candidate, tagsOf(result));
      if (!isCounted(difference, found.place)) return;
      cases.add(found);
      clusters.push(cluster);
      questions.add(result, cluster);
      if (found.at !== undefined) places.push(found.at);
      if (typeof found.place === "number") sent.push(found.place);
      slices.add(tagsOf(result));
      if (result.expected !== null) expectedLengths.push(result.expected.length);
      for (const [place, counted] of casesByMetric(comparisonPlan.metrics, found.read, difference).entries())
        metrics[place]?.add(counted);
      for (const [at, tally] of people.entries()) {
        if (tally === null) continue;
        const isGraded = !Number.isNaN(metrics[at]?.latest() ?? Number.NaN);
        tally.add({ place: clusters.length - 1, result, isGraded, ...read });
      }
      latency.add(read.baseline, read.candidate);
      distances.add(difference, clustered ? cluster : null);
      structure.add({ cluster, ...structureOf(found), measured: from.answeredRuns >= 2 });
      repeated ||= from.plannedRuns >= 2;
      flips.add(compared, from, to, difference);
      most.add(found);
    },
    results(): PairResults {
      const asked = questions.asked();
      return {
        counts: cases.counts(),
        changes: cases.changes(),
        pairing: pairing.summary(),
        flips: flips.summary(),
        mostDifferent: most.entries(),
        structure,
        repeated,
        ...distances.results(),
        latency: latency.numbers(),
        metrics: metrics.map((tally, place) => {
          const [own, labels] = [tries[place] ?? null, people[place] ?? null];
          return {
            ...tally.numbers(),
            ...(own !== null && { tries: own.tries }),
            ...(labels !== null && { people: labels.numbers() }),
          };
        }),
        clusters: clustered ? clusters.view() : asked.inputs,
        questions: asked.questions,
        asked: clustered ? null : (asked.inputs ?? asked.questions),
        ...(groups !== null && { groupColumns: once(() => groups.columns(places.view())) }),
        sent: sent.view(),
        slices: slices.slices(),
        expectedLength: quantile(expectedLengths.view().toSorted(), 0.5),
      };
    },
  };
}

/** Makes something when it is first asked for, and keeps it. */
function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The candidate has such a case, whatever the baseline has. */
const hasCandidate: Record<Pairing, boolean> = {
  paired: true,
  "only-candidate": true,
  "input-differs": true,
  "only-baseline": false,
  neither: false,
};

/** True for a case that the summary of a pair counts; `place` is that of a `PairCase`. */
export function isCounted({ pairing }: Pick<Difference, "pairing">, place: PairCase["place"]): boolean {
  return pairing === "paired" && place !== null;
}

/** The language of a case makes slices even where the suite does not name it as a tag. */
export function tagsOf({ tags, columns }: Pick<PairedResult, "tags" | "columns">): Record<string, string> {
  const language = Object.hasOwn(columns, languageColumn) ? columns[languageColumn] : undefined;
  return language === undefined || Object.hasOwn(tags, languageColumn) ? tags : { ...tags, [languageColumn]: language };
}

/** Counts a difference against the noise only if the noise of that case is known: for members, and for outcomes. */
function structureOf(found: PairCase) {
  const { members, telling, firstOutcomeDiffers, noiseOutcomeDiffers } = found.difference;
  const outcomes = {
    raw: firstOutcomeDiffers === true && noiseOutcomeDiffers !== null ? [outcomePath(found)] : [],
    noise: firstOutcomeDiffers !== null && noiseOutcomeDiffers === true ? [anyOutcome] : [],
  };
  if (members === null || telling.noise === null) return { members: members ?? [], ...outcomes };
  return { members, raw: [...telling.members, ...outcomes.raw], noise: [...telling.noise, ...outcomes.noise] };
}

const anyOutcome = { path: outcomeField, kind: "type", baseline: "one", candidate: "another" } as const;

function outcomePath({ from, to }: PairCase) {
  return { ...anyOutcome, baseline: from.outcome, candidate: to.outcome };
}

const mostKeys = 20;

/** Counts the cases of a pair by what differs, and by the change of each. */
function caseCounts() {
  const count: PairCounts = {
    compared: 0,
    unfinished: 0,
    failed: 0,
    answerDiffers: 0,
    answerVaries: 0,
    membersDiffer: 0,
    outcomeDiffers: 0,
    expectedLost: 0,
    expectedGained: 0,
    expectedDiffers: 0,
    expectedDiffersIn: [],
    bothAsked: 0,
    askedSecond: 0,
  };
  const changes = new Map<CaseChange, number>();
  return {
    add({ compared, from, to, difference }: PairCase): void {
      if (difference.outcomeDiffers === null) count.unfinished += 1;
      else if (difference.answerDiffers === null) count.failed += 1;
      else count.compared += 1;
      if (difference.answerDiffers === true) {
        count.answerDiffers += 1;
        if (difference.change === "within-noise") count.answerVaries += 1;
      }
      if ((difference.members ?? []).length > 0) count.membersDiffer += 1;
      if (difference.outcomeDiffers === true) count.outcomeDiffers += 1;
      if (from.expectedFound === true && to.expectedFound === false) count.expectedLost += 1;
      if (from.expectedFound === false && to.expectedFound === true) count.expectedGained += 1;
      if (from.sentAt !== null && to.sentAt !== null) {
        count.bothAsked += 1;
        if (to.sentAt > from.sentAt) count.askedSecond += 1;
      }
      if (difference.expectedDiffers) {
        count.expectedDiffers += 1;
        if (count.expectedDiffersIn.length < mostKeys) count.expectedDiffersIn.push(compared.key);
      }
      changes.set(difference.change, (changes.get(difference.change) ?? 0) + 1);
    },
    counts: () => ({ ...count }),
    changes: (): Partial<Record<CaseChange, number>> => Object.fromEntries(changes),
  };
}

/** Collects how far the texts of a pair are from each other, and from themselves. */
function distanceTally() {
  const distances = meanOf();
  const noises = meanOf();
  const gaps = durations();
  const texts = relabelTally();
  let changedByChance: number | null = 0;
  return {
    /** `cluster`: null where every case is its own. */
    add({ distance, noise, labelled, changedByChance: chance, gapMs }: Difference, cluster: number | null): void {
      distances.add(distance);
      noises.add(noise);
      changedByChance = changedByChance === null || chance === null ? null : changedByChance + chance;
      if (gapMs !== null) gaps.add(gapMs);
      if (labelled !== null) texts.add(labelled, cluster);
    },
    results: () => ({
      texts,
      changedByChance,
      meanDistance: distances.mean(),
      meanNoise: noises.mean(),
      medianGapMs: gaps.quantile(0.5),
    }),
  };
}

/** The mean of the values that there are; null of none. */
function meanOf(): { add: (value: number | null) => void; mean: () => number | null } {
  let [sum, count] = [0, 0];
  return {
    add(value) {
      if (value === null) return;
      sum += value;
      count += 1;
    },
    mean: () => (count === 0 ? null : sum / count),
  };
}

/** Shorter than this cannot be told apart by the clock. */
const shortestMs = 0.01;

/** Collects the logarithms of candidate / baseline of runs that were sent next to each other; NaN where a side has none. */
function latencyTally() {
  const ratios = growingFloats();
  return {
    add(base: ReadSide, other: ReadSide): void {
      const { baseline, candidate } = runsOfSameTime(base, other, hasTime);
      ratios.push(meanLogarithm(candidate) - meanLogarithm(baseline));
    },
    numbers: (): Float64Array => ratios.view(),
  };
}

/** NaN without a run record. */
function meanLogarithm(runs: readonly Run[]): number {
  let [sum, count] = [0, 0];
  for (const { job } of runs) {
    const latency = job.outcome === "ok" ? latencyOf(job) : null;
    if (latency === null) continue;
    sum += Math.log(Math.max(shortestMs, latency));
    count += 1;
  }
  return count === 0 ? Number.NaN : sum / count;
}

const mostShown = 20;

/** Keeps the cases of a pair that a person should read first. */
function mostDifferent() {
  const most = ranking<DifferentCase>(mostShown);
  return {
    add({ compared: { key }, from, to, difference }: PairCase): void {
      const { answerDiffers, distance, excess: beyondNoise, change } = difference;
      const outcomeDiffers = difference.outcomeDiffers === true;
      const differs = answerDiffers === true || outcomeDiffers || difference.telling.members.some(isStructure);
      if (!differs || change === "not-compared") return;
      const rank = rankOf(from, to, difference);
      if (!most.admits(rank)) return;
      const sides = { baseline: shownSide(from), candidate: shownSide(to) };
      most.add(rank, { key, change, distance, excess: beyondNoise, outcomeDiffers, ...sides });
    },
    entries: most.entries,
  };
}

/** Errors first, then what passes on one side only, then by distance; an answer against none counts as entirely different. */
function rankOf(from: Side, to: Side, { change, excess: beyondNoise, distance, outcomeDiffers }: Difference): number[] {
  const isError = change === "error-appeared" || change === "error-gone";
  const flips = from.expectedFound !== null && to.expectedFound !== null && from.expectedFound !== to.expectedFound;
  const beyond = change === "within-noise" ? 0 : 1;
  return [isError || outcomeDiffers === true ? 1 : 0, beyond, flips ? 1 : 0, beyondNoise ?? distance ?? 1];
}

/** The first `size` of all entries by lists of numbers, the greater the earlier, the first number first; of equal ones the earlier added. */
export function ranking<Entry>(size: number) {
  const kept: Array<{ rank: readonly number[]; entry: Entry }> = [];
  /** True when an entry would be kept: ask before making a costly one. */
  const admits = (rank: readonly number[]): boolean => {
    const last = kept.at(-1);
    return kept.length < size || (last !== undefined && order(rank, last.rank) > 0);
  };
  return {
    admits,
    add(rank: readonly number[], entry: Entry): void {
      if (!admits(rank)) return;
      const behind = kept.findIndex((other) => order(rank, other.rank) > 0);
      kept.splice(behind === -1 ? kept.length : behind, 0, { rank, entry });
      if (kept.length > size) kept.pop();
    },
    entries: (): Entry[] => kept.map(({ entry }) => entry),
  };
}

function order(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const step = value - (b[index] ?? 0);
    if (step !== 0) return step;
  }
  return 0;
}

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
  /** Its place among all cases. */
  at?: number;
  /** Place of its cluster in the order of sending; null: it does not count. Left out: no order matters. */
  place?: number | null | undefined;
}
