import { windowAlpha } from "../../stats/planning/nights.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { type ReadSide, readSide } from "../cases/case-side.ts";
import { expectedDiffers, pairingOf } from "../cases/pairing.ts";
import { triedAs } from "../cases/side-outcome.ts";
import { ungradedShare } from "../cases/side-value.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { ComparisonSettings } from "../comparison.ts";
import type { StopRule } from "../stop-rule.ts";
import type { GateState } from "../verdict-word.ts";
import { findingsFrom, worstState } from "./decide.ts";
import type { GateAbout } from "./facts.ts";
import type { Basis } from "./guards.ts";
import { casesByMetric } from "../cases/case-turn.ts";
import { askedAgain, inputKey } from "../tallies/questions.ts";
import { tagsOf } from "../tallies/candidate-tally.ts";
import type { GatePlan, Watch } from "./kind.ts";
import { gateKindOf } from "./kinds.ts";

/** The plan of a run that is looked at while its cases come in. */
export type WatchPlan = Pick<StopRule, "planned" | "most" | "values">;

/** Follows the gates of a comparison while one whole cluster after the other enters. */
export interface GateWatch {
  /** Enters a cluster, all runs of whose cases are finished on both sides. */
  add: (cases: readonly PairedResult[]) => void;
  /** The verdict, once nothing that is to come can change it; else null. */
  settled: () => GateState | null;
  standing: () => WatchStanding;
}

export interface WatchStanding {
  /** Counts of what was looked at. */
  cases: number;
  clusters: number;
  /** Each gate, and its way to a decision from 0 to 1. */
  gates: (Pick<GateAbout, "metric" | "candidate" | "slice"> & { state: GateState; share: number })[];
}

/**
 * The rule by which a run is decided: a pass when every gate passes, each for itself; a regression as soon as one gate is
 * one, adjusted by Holm over all of them, whatever the others may still say; invalid when so many answers are missing that
 * no others can make up for them. The p values are those of the test by betting at their least so far, which hold whenever
 * somebody looks: so the rule is wrong no more often than alpha says, although it is asked after every cluster.
 */
export function gateWatch(settings: ComparisonSettings, plan: WatchPlan): GateWatch {
  const passAlpha = windowAlpha(settings.alpha, settings.nights);
  const levels = { alpha: settings.alpha, passAlpha };
  const sides = settings.sides.map(() => ({ tried: 0, failed: 0 }));
  const pairs = settings.pairs.map((_, at) => pairWatch(settings, plan, { at, passAlpha }));
  let [cases, clusters] = [0, 0];

  const shareOf = (side: number): number => (sides[side]?.failed ?? 0) / Math.max(1, sides[side]?.tried ?? 0);
  const isHopeless = (side: number): boolean =>
    (sides[side]?.failed ?? 0) > settings.maxErrorShare * plan.planned * (settings.sides[side]?.repeats ?? 1);
  const standings = () => {
    const gates = settings.pairs.flatMap(({ baseline, candidate }, at) => {
      const isAnswered = Math.max(shareOf(baseline), shareOf(candidate)) <= settings.maxErrorShare;
      const isValid = isAnswered && (pairs[at]?.isScored() ?? false);
      return pairs[at]?.gates.map((gate) => ({ gate, basis: isValid ? gate.basis() : waiting(gate.basis()) })) ?? [];
    });
    const found = findingsFrom(
      gates.map(({ basis }) => basis),
      levels,
    );
    return gates.map(({ gate }, place) => {
      return { gate, ...(found[place] ?? { state: "invalid" as const, tooFew: false, level: settings.alpha }) };
    });
  };

  return {
    add(results) {
      clusters += 1;
      for (const result of results) {
        cases += 1;
        const read = settings.sides.map((side) => readSide(result, side, settings.metrics));
        for (const [side, counts] of sides.entries()) countRuns(counts, read[side]);
        for (const pair of pairs) pair.add(result, read);
      }
      for (const pair of pairs) for (const gate of pair.gates) gate.end();
    },
    settled() {
      if (
        settings.undecided.length + (settings.otherJudges ?? []).length > 0 ||
        settings.chosen !== null ||
        cases === 0
      )
        return null;
      const worst = worstState(standings());
      if (worst === "regression" || worst === "pass") return worst;
      const isLost = settings.pairs.every(({ baseline, candidate }) => isHopeless(baseline) || isHopeless(candidate));
      return isLost && settings.pairs.length > 0 ? "invalid" : null;
    },
    standing: () => ({
      cases,
      clusters,
      gates: standings().map(({ gate, state, level }) => {
        const { metric, candidate, slice } = gate;
        return { metric, candidate, slice, state, share: gate.share({ regression: level, pass: passAlpha }) };
      }),
    }),
  };
}

/** So many answers are missing that nothing may be decided yet. It keeps its place among the gates: to wait must not make it easier for the others. */
const waiting = (basis: Basis): Basis => ({ ...basis, scorerFault: { kind: "answers-missing" } });

/** The same runs that a share of errors is counted over. */
function countRuns(counts: { tried: number; failed: number }, read: ReadSide | undefined): void {
  for (const { job, outcome } of read?.runs ?? []) {
    const tried = triedAs(job, outcome);
    if (tried === "answered" || tried === "unanswered") counts.tried += 1;
    if (tried === "unanswered") counts.failed += 1;
  }
}

const noGrades = () => ({ runs: 0, unscored: 0 });

/** One candidate against its baseline. */
function pairWatch(
  settings: ComparisonSettings,
  plan: WatchPlan,
  { at, passAlpha }: { at: number; passAlpha: number },
) {
  const { metrics, maxErrorShare } = settings;
  const pair = settings.pairs[at] ?? { baseline: 0, candidate: 0 };
  const [candidate = "", baseline = ""] = [pair.candidate, pair.baseline].map((side) => settings.sides[side]?.target);
  /** Grades of the baseline and of the candidate, by metric. */
  const graded = metrics.map(() => [noGrades(), noGrades()]);
  const about = { candidate, baseline, most: plan.most, passAlpha };
  const gates = metrics.flatMap((compared, metric) =>
    watchedGates(compared, plan, { ...about, metric }).map((gate) => ({ metric, gate, isAgain: askedAgain(settings) })),
  );
  return {
    gates: gates.map(({ gate }) => gate),
    /** So few answers lack a grade that something may be decided. */
    isScored: (): boolean =>
      graded.every(
        (own, place) =>
          metrics[place]?.gates.length === 0 || own.every((grades) => ungradedShare(grades) <= maxErrorShare),
      ),
    add(result: PairedResult, read: readonly ReadSide[]): void {
      const [from, to] = [read[pair.baseline], read[pair.candidate]];
      if (from === undefined || to === undefined) return;
      if (pairingOf(result, from.compared, to.compared) !== "paired") return;
      const isOther = result.expectations !== undefined && expectedDiffers(result, from.compared, to.compared);
      const tags = tagsOf(result);
      const counted = casesByMetric(metrics, { baseline: from, candidate: to }, { expectedDiffers: isOther });
      for (const [place, sideCounts] of graded.entries()) {
        for (const [side, value] of [counted[place]?.from, counted[place]?.to].entries()) {
          const counts = sideCounts[side];
          if (counts === undefined || value === undefined) continue;
          counts.runs += value.runs;
          counts.unscored += value.unscored;
        }
      }
      const input = inputKey(result);
      for (const { metric, gate, isAgain } of gates) {
        const own = counted[metric];
        if (own === undefined || (gate.slice !== null && tags[gate.slice.tag] !== gate.slice.value)) continue;
        // A gate that only counts its cases counts all of them.
        if (gate.claims && !Number.isNaN(own.difference) && isAgain(input)) continue;
        gate.add(own, to);
      }
    },
  };
}

/** A gate that is looked at, and what it is about. */
interface WatchedGate extends Watch, Pick<GateAbout, "metric" | "candidate" | "slice"> {
  claims: boolean;
}

/** The gates of a metric: one that asks by a tag is one for each of its values. */
function watchedGates(
  compared: ComparedMetric,
  plan: WatchPlan,
  about: Pick<GatePlan, "metric" | "candidate" | "baseline" | "most" | "passAlpha">,
): WatchedGate[] {
  return compared.gates.flatMap((gate) => {
    const { by: tag } = gate;
    const watched = (own: Pick<GatePlan, "slice" | "values" | "planned">): WatchedGate => {
      const { claims, ...rule } = gateKindOf(gate);
      const watch = rule.watch(compared, gate, { ...about, ...own });
      return { claims, metric: compared.metric.name, candidate: about.candidate, slice: own.slice, ...watch };
    };
    if (tag === null) return [watched({ slice: null, values: 1, planned: plan.planned })];
    const values = Array.from(plan.values.get(tag) ?? []);
    return values.map(([value, planned]) => watched({ slice: { tag, value }, values: values.length, planned }));
  });
}
