import type { Random } from "../../lib/random.ts";
import { imitatedRuns } from "../../stats/betting/until-decided.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import {
  casesToSettle,
  type SettledGate,
  settledCounts,
  settledMean,
  settledMedian,
} from "../../stats/planning/settling.ts";
import { enoughForT, enoughToFlip, patternsFor } from "../../stats/paired/inference.ts";
import { isSkewed } from "../../stats/paired/mean-method.ts";
import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";
import { clusterNoun, clusterWords } from "./cluster-words.ts";
import type { DecidedByBounds, GateAdvice, GateState, MarginGateResult, SettlingAdvice } from "./gate-result.ts";
import type { Inferred, MarginQuestion } from "./gate-question.ts";
import { repeatsFor } from "./metric-noise.ts";

interface Given {
  question: MarginQuestion;
  inferred: Inferred;
  decided: DecidedByBounds | null;
  /** Level of a regression for this gate alone, and of a pass. */
  alpha: number;
  passAlpha: number;
}

/** The most cases that are advised for so many at hand: nobody writes more. */
const affordable = (n: number): number => Math.max(10 * n, Math.min(50 * n, 1000));
/** So many times the cases at hand are looked for, to say how far away it is. */
const mostTimes = 2000;
/** More than so many repeats neither. */
const mostRepeats = 100;

/** Finds what would settle an inconclusive gate, solved with its own rule at 80 % power. */
export function adviceFor(given: Given): GateAdvice {
  const { question, inferred, passAlpha } = given;
  const { comparison, counts } = inferred;
  const counted = counts === null ? null : fewestToPass(question.margin, passAlpha);
  const fewest = question.looked === null ? counted : question.looked.fewest;
  return {
    ...settlingFor(given),
    fewestToPass: fewest !== null && fewest > comparison.n && Number.isFinite(fewest) ? fewest : null,
    instead: isSkewed(comparison.skewness) ? question.instead : [],
  };
}

function settlingFor(given: Given): SettlingAdvice {
  const { question, inferred } = given;
  const { n, clusters, estimate } = inferred.comparison;
  if (question.looked !== null) return lookedSettling(given);
  const isWorse = estimate !== null && estimate < -question.lossOf(question.margin);
  const least = leastClusters(inferred.comparison, isWorse ? given.alpha : given.passAlpha);
  // Nothing that so few could show would decide it: neither more of the same nor repeats of them.
  if (least > clusters) {
    const noun = clusters === n ? "cases" : clusterNoun(question.clusterColumn);
    return {
      kind: "clusters",
      least,
      better: least < enoughForT && inferred.counts === null ? enoughForT : null,
      noun,
    };
  }
  if (estimate === null || inferred.inference.rule === null) return { kind: "unknown" };
  const cases = casesToSettle(gateAt(given, question.margin), { from: n, most: n * mostTimes });
  const times = (cases ?? Infinity) / n;
  const repeats = repeatsInstead(question, times);
  if (cases === null || cases > affordable(n)) return { kind: "too many", cases, repeats, wider: widerMargin(given) };
  return {
    kind: "cases",
    cases,
    groups: clusterWords(Math.ceil(clusters * times - 1e-9), cases, question.clusterColumn),
    repeats,
  };
}

/** Imitated runs are enough to say how long it would go on. */
const imitations = 60;
const mostImitated = 20_000;
const mostImitatedTimes = 50;

/** The cases with which a gate that is looked at after each would be decided in four of five runs like this one. */
function lookedSettling({ question, inferred, alpha, passAlpha }: Given): SettlingAdvice {
  const { inference, comparison } = inferred;
  const { clustered } = inference;
  const range = question.range ?? 1;
  if (clustered === null || comparison.n === 0) return { kind: "unknown" };
  const { sums, sizes } = clustered;
  const draw = (random: Random) => {
    const place = Math.floor(random() * sums.length);
    return { sum: (sums[place] ?? 0) / range, size: sizes[place] ?? 0 };
  };
  const most = sizes.reduce((largest, size) => Math.max(largest, size), 1);
  const gate = { margin: question.lossOf(question.margin) / range, most, alpha, passAlpha };
  const atMost = Math.min(comparison.n * mostImitatedTimes, mostImitated);
  const { mostly } = imitatedRuns(draw, { ...gate, atMost }, { runs: imitations, seed: "settling" });
  const cases = mostly === null ? null : Math.max(mostly, comparison.n + 1);
  if (cases === null || cases > affordable(comparison.n))
    return { kind: "too many", cases, repeats: null, wider: null };
  const clusters = Math.ceil((comparison.clusters * cases) / comparison.n - 1e-9);
  return { kind: "cases", cases, groups: clusterWords(clusters, cases, question.clusterColumn), repeats: null };
}

function repeatsInstead({ noise, fixedBaseline }: MarginQuestion, times: number): number | null {
  const more = noise === null ? null : repeatsFor(noise, 1 / times, fixedBaseline);
  return more === null || more > mostRepeats ? null : Math.max(2, Math.ceil(more - 1e-9));
}

/** Margins above this share of the scale are no limit that anybody wants. */
const widestShare = 0.2;

/** A margin with which far fewer cases are enough, not so wide that it would let everything pass. */
function widerMargin(given: Given): { margin: number; cases: number } | null {
  const { question, inferred } = given;
  const { n } = inferred.comparison;
  for (const times of [1.5, 2, 3]) {
    const margin = Number((question.margin * times).toPrecision(2));
    if (question.room !== null && margin >= question.room) return null;
    if (question.range !== null && question.lossOf(margin) > widestShare * question.range) return null;
    const fewer = casesToSettle(gateAt(given, margin), { from: 1, most: n * 5 });
    if (fewer !== null) return { margin, cases: fewer };
  }
  return null;
}

/** The gate at a margin, with the rule by which it decides. */
function gateAt({ question, inferred, decided, alpha, passAlpha }: Given, margin: number): SettledGate {
  const { counts, inference } = inferred;
  const levels = { margin: question.lossOf(margin), alpha, passAlpha };
  if (counts !== null) return settledCounts(counts, levels);
  const { n, clusters, estimate, df, median } = inference;
  if (median !== null) return settledMedian({ n, clusters, sorted: median }, levels);
  const bounds = { lower: decided?.lower ?? null, upper: decided?.upper ?? null };
  const least =
    clusters >= enoughForT ? 0 : (Math.max(enoughToFlip, patternsFor(Math.min(alpha, passAlpha))) * n) / clusters;
  return settledMean({ n, estimate: estimate ?? 0, df, bounds, least }, levels);
}

/**
 * The fewest clusters with which a claim at this level is possible: signs of C clusters have 2^C patterns, so that no p is
 * below 2^-C, until Student's t takes over.
 */
export function leastClusters({ clusters, test }: PairedComparison, level: number): number {
  if (clusters >= enoughForT || test === "mcnemar-mid-p" || test === "betting") return 0;
  const least = Math.max(enoughToFlip, patternsFor(level));
  return test === "sign-test" ? least : Math.min(enoughForT, least);
}

/** A run that goes on until it is decided finds every drop that its cases suffice for. */
export const lookedAtWords = "it was looked at while it ran: a smaller drop only takes more cases";

type SmallestDrop = Pick<MarginGateResult, "smallestDrop" | "noSmallestDrop">;

/** The smallest drop that this gate calls a regression. Where one was found there is nothing to add. */
export function smallestDropOf(given: Given, state: GateState): SmallestDrop {
  const { question, inferred } = given;
  const { clusters, n } = inferred.comparison;
  if (state === "regression") return { smallestDrop: null, noSmallestDrop: null };
  if (question.looked !== null) return { smallestDrop: null, noSmallestDrop: lookedAtWords };
  const size =
    clusterWords(clusters, n, question.clusterColumn) ?? `${n.toLocaleString("en-US")} ${n === 1 ? "case" : "cases"}`;
  const are = clusters === 1 ? "is" : "are";
  if (given.decided === null) return { smallestDrop: null, noSmallestDrop: `${size} ${are} too few` };
  const drop = gateAt(given, question.margin).smallestDrop();
  if (drop === null) return { smallestDrop: null, noSmallestDrop: `${size} ${are} too few, were all of them lost` };
  const isPossible = question.room === null || drop <= question.room;
  return isPossible
    ? { smallestDrop: drop, noSmallestDrop: null }
    : {
        smallestDrop: null,
        noSmallestDrop: `${size} that vary so much are too few for what ${question.baseline} has to lose`,
      };
}
