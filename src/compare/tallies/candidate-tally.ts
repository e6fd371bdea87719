import { languageColumn } from "../cases/compared-columns.ts";
import { quantile } from "../../stats/quantile.ts";
import type { Difference } from "../cases/case-change.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { scoresOfCase } from "../cases/case-turn.ts";
import { isStructure, outcomeField } from "../cases/structure.ts";
import type { ComparisonPlan } from "../comparison-plan.ts";
import { caseCounts } from "./case-counts.ts";
import { distanceTally } from "./distance-tally.ts";
import { flipTally } from "./flips.ts";
import { growingFloats, growingInts } from "./growing.ts";
import { latencyTally } from "./latency-tally.ts";
import { type MetricTally, metricTally } from "./metric-tally.ts";
import { mostDifferent } from "./most-different.ts";
import type { PairCase } from "./pair-case.ts";
import type { PairResults } from "./pair-results.ts";
import { pairingTally } from "./pairing-tally.ts";
import { sliceIndex } from "./slices.ts";
import { triesTally } from "./tries-tally.ts";
import { structureTally } from "./structure-tally.ts";

/** Counts the differences of one candidate, case by case. */
export interface CandidateTally {
  add: (found: PairCase) => void;
  results: () => PairResults;
}

/** `clustered`: several cases may be of one cluster. */
export function candidateTally(comparisonPlan: ComparisonPlan, clustered: boolean): CandidateTally {
  const pairing = pairingTally();
  const cases = caseCounts();
  const distances = distanceTally();
  const structure = structureTally();
  const flips = flipTally(comparisonPlan);
  const latency = latencyTally();
  const slices = sliceIndex();
  const behaves = growingFloats();
  const expectedLengths = growingFloats();
  const clusters = growingInts();
  const sent = growingInts();
  const metrics: MetricTally[] = comparisonPlan.metrics.map(metricTally);
  const tries = comparisonPlan.metrics.map(triesTally);
  const most = mostDifferent();
  let repeated = false;

  return {
    add(found) {
      const { result, compared, from, to, read, difference, cluster } = found;
      // A case that was not sent, or not looked at when the run was decided, is compared by nobody.
      if (difference.pairing === "paired" && found.place === null) return;
      pairing.add(compared.key, difference.pairing);
      if (!isCounted(difference, found.place)) return;
      cases.add(found);
      clusters.push(cluster);
      if (typeof found.place === "number") sent.push(found.place);
      slices.add(tagsOf(result));
      if (result.expected !== null) expectedLengths.push(result.expected.length);
      behaves.push(rawLessNoise(difference));
      addScores(metrics, comparisonPlan, found);
      for (const tally of tries) tally?.add(compared, read.candidate);
      latency.add(read.baseline, read.candidate);
      distances.add(difference, clustered ? cluster : null);
      structure.add({ cluster, ...structureOf(found), measured: from.answeredRuns >= 2 });
      repeated ||= from.plannedRuns >= 2;
      flips.add(compared, from, to, difference);
      most.add(found);
    },
    results: () => ({
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
        const own = tries[place];
        return own === null || own === undefined ? tally.numbers() : { ...tally.numbers(), tries: own.tries };
      }),
      clusters: clustered ? clusters.view() : null,
      sent: sent.view(),
      slices: slices.slices(),
      tagPairs: slices.pairs(),
      expectedLength: quantile(expectedLengths.view().toSorted(), 0.5),
      behaves: behaves.view(),
    }),
  };
}

/** True for a case that the summary of a pair counts; `place` is that of a `PairCase`. */
export function isCounted({ pairing }: Pick<Difference, "pairing">, place: PairCase["place"]): boolean {
  return pairing === "paired" && place !== null;
}

function addScores(tallies: readonly MetricTally[], { metrics }: ComparisonPlan, found: PairCase): void {
  const scores = scoresOfCase(metrics, found.read);
  for (const [place, tally] of tallies.entries()) {
    tally.add(scores[place]?.baseline, scores[place]?.candidate, found.difference.expectedDiffers);
  }
}

/** The language of a case is a slice even where the suite does not name it as a tag. */
export function tagsOf({ tags, columns }: Pick<PairedResult, "tags" | "columns">): Record<string, string> {
  const language = Object.hasOwn(columns, languageColumn) ? columns[languageColumn] : undefined;
  return language === undefined || Object.hasOwn(tags, languageColumn) ? tags : { ...tags, [languageColumn]: language };
}

/**
 * 1: only the candidate differs from the baseline; -1: only the baseline from itself; NaN if its own variation is not
 * known.
 */
function rawLessNoise({
  firstDiffers,
  members,
  firstOutcomeDiffers,
  noise,
  noiseMembers,
  noiseOutcomeDiffers,
}: Difference): number {
  if (noiseOutcomeDiffers === null) return Number.NaN;
  const raw = firstDiffers === true || firstOutcomeDiffers === true || (members ?? []).some(isStructure);
  const own = (noise ?? 0) > 0 || noiseOutcomeDiffers || (noiseMembers ?? []).some(isStructure);
  return Number(raw) - Number(own);
}

/** Counts a difference against the noise only if the noise of that case is known: for members, and for outcomes. */
function structureOf(found: PairCase) {
  const { members, noiseMembers, firstOutcomeDiffers, noiseOutcomeDiffers } = found.difference;
  const outcomes = {
    raw: firstOutcomeDiffers === true && noiseOutcomeDiffers !== null ? [outcomePath(found)] : [],
    noise: firstOutcomeDiffers !== null && noiseOutcomeDiffers === true ? [anyOutcome] : [],
  };
  if (members === null || noiseMembers === null) return { members: members ?? [], ...outcomes };
  return { members, raw: [...members, ...outcomes.raw], noise: [...noiseMembers, ...outcomes.noise] };
}

const anyOutcome = { path: outcomeField, kind: "type", baseline: "one", candidate: "another" } as const;

function outcomePath({ from, to }: PairCase) {
  return { ...anyOutcome, baseline: from.outcome, candidate: to.outcome };
}
