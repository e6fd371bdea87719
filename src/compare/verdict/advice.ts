import type { Random } from "../../lib/random.ts";
import { imitatedRuns } from "../../stats/betting/until-decided.ts";
import {
  boundsOf,
  fewestClusters,
  fewestWithoutEnds,
  isSkewed,
  type PairedComparison,
} from "../../stats/difference.ts";
import { tQuantile } from "../../stats/distributions/student-t.ts";
import { fewestLabels } from "../../stats/judged/corrected-difference.ts";
import { advisedLabels, labelsNeeded } from "../../stats/judged/labels-needed.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import { mostNewCases, repeatsThatTell } from "../../stats/planning/looks.ts";
import { wantedPower } from "../../stats/planning/planned-counts.ts";
import {
  casesToSettle,
  type SettledGate,
  settledCounts,
  settledMean,
  settledMedian,
  settledStill,
} from "../../stats/planning/settling.ts";
import { groupsOf, type NoDrop, type OpenCause, type RowUnit, unitCount, unitOfRows } from "../cause.ts";
import { repeatsFor } from "../metrics/metric-noise.ts";
import type { Inferred } from "../metrics/metric-inference.ts";
import type { CorrectedFigures } from "../metrics/people-view.ts";
import type { GateAdvice, GateLevels, LastingCause, MarginFacts, SettlingAdvice } from "./facts.ts";
import type { MarginNumbers } from "./numbers.ts";
import type { GateState } from "../verdict-word.ts";

/** A gate whose advice is asked for. */
export interface Advised {
  numbers: MarginNumbers;
  inferred: Inferred;
  /** Level of a regression for this gate alone. */
  alpha: number;
  levels: GateLevels;
}

/** In a later look several gates share its level as they did in this one. */
function levelsOfNext(next: MarginNumbers["next"], level: number, { alpha, passAlpha }: GateLevels): GateLevels {
  if (next === undefined || next === null) return { alpha: level, passAlpha };
  return { alpha: (level / alpha) * next.alpha, passAlpha: next.alpha };
}

/** The most cases that are advised: as many as a word of too few promises, and more where chance is not known yet. */
const affordable = (n: number, { repeatFirst }: MarginNumbers): number =>
  repeatFirst ? Math.max(10 * n, Math.min(50 * n, 1000)) : promised(n);
/** So many times the cases at hand are looked for, to say how far away it is. */
const mostTimes = 2000;
/** More than so many repeats neither. */
const mostRepeats = 100;

/** Finds what would settle an inconclusive gate, solved with its own rule at 80 % power. */
export function adviceFor(given: Advised): GateAdvice {
  const { numbers, inferred, levels } = given;
  const { passAlpha } = levels;
  const { comparison, difference } = inferred;
  // Rows that are asked several times are as many as those that are asked once.
  const isCounted = difference.counts !== null || (numbers.about.of === "pass" && comparison.clusters === comparison.n);
  const counted = isCounted ? fewestToPass(numbers.margin, passAlpha) : null;
  const fewest = numbers.looked === null ? counted : numbers.looked.fewest;
  const { next, repeatFirst, countRows, gapsOfSide } = numbers;
  if ((numbers.people?.corrected ?? null) !== null) return { ...settlingFor(given), fewestToPass: null, instead: [] };
  // No number of rows is promised while missing grades can forbid a pass.
  if (gapsOfSide !== null && next !== null)
    return { kind: "gaps", cases: gapsOfSide.cases, fewestToPass: null, instead: [] };
  return {
    ...settlingFor(given),
    fewestToPass: fewest !== null && fewest > comparison.n && Number.isFinite(fewest) ? fewest : null,
    instead: isSkewed(comparison.skewness) ? numbers.instead : [],
    ...(repeatFirst && { repeatFirst: repeatsThatTell }),
    ...(countRows !== null && { countRows }),
    ...(next !== undefined &&
      next !== null && {
        next: {
          ...next,
          fewestToPass: isCounted ? fewestToPass(numbers.margin, next.alpha) : null,
          ...(next.by === "suite" && { most: comparison.n * (1 + mostNewCases) }),
        },
      }),
  };
}

/** Labels that would settle it, were the difference to stay. */
function labelsSettling(
  { numbers, inferred, alpha, levels: { passAlpha } }: Advised,
  of: CorrectedFigures,
): SettlingAdvice {
  const { n, estimate } = inferred.comparison;
  const distance = Math.abs((estimate ?? 0) + numbers.lossOf(numbers.margin));
  if (distance === 0) return { kind: "unknown" };
  const isWorse = (estimate ?? 0) < -numbers.lossOf(numbers.margin);
  const variation = { sd: of.sd, correlation: of.correlation ?? 0 };
  const given = { distance, cases: n, alpha: isWorse ? alpha : passAlpha };
  const needed = labelsNeeded(variation, { ...given, designEffect: effectOfClusters(inferred, numbers, of) });
  const advised = advisedLabels(needed, fewestLabels);
  const have = numbers.people?.labels ?? 0;
  // The widened interval of few labels is wider than the formula knows.
  const labels = advised.labels === null ? null : Math.min(n, Math.max(advised.labels, have + 1));
  const isAll = advised.labels === null && advised.isAll;
  return { kind: "labels", labels, more: labels === null ? 0 : labels - have, cases: advised.cases, isAll };
}

/** The factor by which clusters multiplied the variance of the corrected difference, as far as that was measured. */
function effectOfClusters(
  { comparison }: Inferred,
  { people }: MarginNumbers,
  { sd, correlation, isWidened }: CorrectedFigures,
): number {
  const { n, clusters } = comparison;
  const labelled = people?.labels ?? 0;
  // A widened range is no measure of the variance.
  if (clusters >= n || isWidened || labelled === 0 || comparison.se === null) return 1;
  const explained = (correlation ?? 0) ** 2;
  const alone = sd * sd * (explained / n + (1 - explained) / labelled);
  return alone > 0 ? Math.max(1, comparison.se ** 2 / alone) : 1;
}

function settlingFor(given: Advised): SettlingAdvice {
  const { numbers, inferred } = given;
  const corrected = numbers.people?.corrected ?? null;
  if (corrected !== null) return labelsSettling(given, corrected);
  const { n, clusters, estimate } = inferred.comparison;
  if (numbers.looked !== null) return lookedSettling(given);
  if (numbers.next === null) return { kind: "last" };
  // Nothing that so few could show would decide it: neither more of the same nor repeats of them.
  const few = leastToDecide(given);
  if (few !== null) return { kind: "clusters", least: few.least, of: few.of };
  if (estimate === null || inferred.difference.method === null) return { kind: "unknown" };
  const cases = casesToSettle(gateAt(given, laterLevels(given)), { from: n, most: n * mostTimes });
  const times = (cases ?? Infinity) / n;
  const repeats = repeatsInstead(numbers, times);
  if (cases === null || cases > affordable(n, numbers))
    return { kind: "too many", cases, repeats, cause: causeOf(given) };
  return {
    kind: "cases",
    cases,
    groups: groupsOf(Math.ceil(clusters * times - 1e-9), cases, numbers.clusterColumn),
    repeats,
  };
}

/** The cause that keeps more rows from settling it: runs that vary, groups that go right or wrong as a whole, or a difference beside the limit. */
function causeOf({ numbers: { noise }, inferred }: Pick<Advised, "numbers" | "inferred">): LastingCause["kind"] {
  if (noise !== null && noise.share > 0.5) return "noisy";
  return inferred.difference.clusters < inferred.difference.n ? "grouped" : "close";
}

/** Rows within which an open gate has to be settled to be one of too few: ten times those of the sheet, or 300. */
const promised = (n: number): number => Math.max(10 * n, 300);

/**
 * Why no affordable number of rows settles an open gate; null: some do, or it is not known yet, because each row
 * can be asked again to tell chance from change.
 */
export function hopelessCause(given: Advised | null): OpenCause | null {
  if (given === null || given.numbers.repeatFirst || isSettledOtherwise(given)) return null;
  const { n } = given.inferred.comparison;
  const least = leastToDecide(given);
  if (least !== null)
    return least.rows > promised(n) ? { kind: "too-few-units", least: least.least, of: least.of } : null;
  if (given.inferred.difference.method === null || isUnchanged(given, promised(n))) return null;
  return isSettledAt(given, promised(n)) ? null : { kind: causeOf(given) };
}

/** Nothing differs, and with so many rows that would be a pass. */
function isUnchanged({ numbers, inferred, ...given }: Advised, rows: number): boolean {
  const { counts, test, estimate } = inferred.difference;
  const isAlike = counts === null ? test === "alike" && estimate === 0 : counts.onlyA + counts.onlyB === 0;
  return isAlike && fewestUnits(numbers, laterLevels({ numbers, inferred, ...given }).passAlpha) <= rows;
}

/** Labels, an early stop and the last look have their own ways on. */
const isSettledOtherwise = ({ numbers, inferred }: Advised): boolean =>
  (numbers.people?.corrected ?? null) !== null ||
  numbers.looked !== null ||
  numbers.next === null ||
  inferred.comparison.estimate === null;

/** Tells whether so many rows settle it in four of five runs, were the difference to stay: one check by the rule that decides. */
function isSettledAt(given: Advised, rows: number): boolean {
  const { power } = gateAt(given, laterLevels(given));
  return (["pass", "regression"] as const).some((claim) => power(claim, rows) >= wantedPower);
}

const laterLevels = ({ numbers, alpha, levels }: Advised): GateLevels => levelsOfNext(numbers.next, alpha, levels);

/** Clusters below which nothing that could be seen would decide it; null: there are as many. */
function leastToDecide(given: Advised): { least: number; of: RowUnit; rows: number } | null {
  const { numbers, inferred } = given;
  const { n, clusters, estimate } = inferred.comparison;
  if (isSettledOtherwise(given) && estimate !== null) return null;
  const later = laterLevels(given);
  const isWorse = estimate !== null && estimate < -numbers.lossOf(numbers.margin);
  const level = isWorse ? later.alpha : later.passAlpha;
  const { counts, oneMore } = inferred.difference;
  if (!isWorse && oneMore?.never === "few")
    return { least: fewestWithoutEnds, of: { kind: "rows" }, rows: fewestWithoutEnds };
  const units = isWorse || counts !== null || clusters === n ? 0 : fewestUnits(numbers, level);
  const least = Math.max(leastClusters(inferred.comparison, level), units);
  if (least <= clusters) return null;
  return {
    least,
    of: unitOfRows(inferred.comparison, numbers.clusterColumn),
    rows: Math.ceil((n * least) / Math.max(1, clusters)),
  };
}

/** Imitated runs are enough to say how long it would go on. */
const imitations = 60;
const mostImitated = 20_000;
const mostImitatedTimes = 50;

/** The cases with which a gate that is looked at after each would be decided in four of five runs like this one. */
function lookedSettling({ numbers, inferred, alpha, levels: { passAlpha } }: Advised): SettlingAdvice {
  const { difference, comparison } = inferred;
  const { clustered } = difference;
  const range = numbers.range ?? 1;
  if (clustered === null || comparison.n === 0) return { kind: "unknown" };
  const { sums, sizes } = clustered;
  const draw = (random: Random) => {
    const place = Math.floor(random() * sums.length);
    return { sum: (sums[place] ?? 0) / range, size: sizes[place] ?? 0 };
  };
  const most = sizes.reduce((largest, size) => Math.max(largest, size), 1);
  const gate = { margin: numbers.lossOf(numbers.margin) / range, most, alpha, passAlpha };
  const atMost = Math.min(comparison.n * mostImitatedTimes, mostImitated);
  const { mostly } = imitatedRuns(draw, { ...gate, atMost }, { runs: imitations, seed: "settling" });
  const cases = mostly === null ? null : Math.max(mostly, comparison.n + 1);
  if (cases === null || cases > affordable(comparison.n, numbers))
    return { kind: "too many", cases, repeats: null, cause: causeOf({ numbers, inferred }) };
  const clusters = Math.ceil((comparison.clusters * cases) / comparison.n - 1e-9);
  return { kind: "cases", cases, groups: groupsOf(clusters, cases, numbers.clusterColumn), repeats: null };
}

function repeatsInstead({ noise, fixedBaseline }: MarginNumbers, times: number): number | null {
  const more = noise === null ? null : repeatsFor(noise, 1 / times, fixedBaseline);
  return more === null || more > mostRepeats ? null : Math.max(2, Math.ceil(more - 1e-9));
}

/** The gate with the rule by which it decides, at the levels of this look, or of a later one. */
function gateAt({ numbers, inferred, alpha, levels: { passAlpha } }: Advised, levels: GateLevels): SettledGate {
  const at = { margin: numbers.lossOf(numbers.margin), ...levels };
  const { counts, n, clusters, estimate, df, sorted, uncorrected, oneMore: more, ...found } = inferred.difference;
  if (counts !== null) return settledCounts(counts, at);
  if (sorted !== null) return settledMedian({ n, clusters, sorted }, at);
  // The one more case shrinks faster than chance does: it is added to each number of cases anew.
  const ends = { margin: at.margin, lower: 1 - passAlpha, upper: 1 - alpha };
  const bounds = boundsOf({ method: uncorrected ?? found.method, ofPass: [] }, ends);
  const oneMore = more === null ? null : { loss: more.loss, clusters };
  const least = (fewestClusters * n) / clusters;
  const mean = settledMean({ n, estimate: estimate ?? 0, df, bounds, found: { alpha, passAlpha }, least, oneMore }, at);
  const { effectiveClusters, test } = inferred.difference;
  if (numbers.range === null) return mean;
  if (test !== "alike") {
    const units = fewestUnits(numbers, levels.passAlpha);
    const isShown = (cases: number): boolean => (effectiveClusters * cases) / n >= units || (estimate ?? 0) > 0;
    return { ...mean, power: (claim, cases) => (claim === "pass" && !isShown(cases) ? 0 : mean.power(claim, cases)) };
  }
  const alike = { n, mean: estimate ?? 0, effectiveClusters, range: numbers.range };
  return { ...mean, power: settledStill(alike, at) };
}

/** Units, such as conversations, below which no pass is possible with none worse; 0: there is no such number. */
export function fewestUnits({ lossOf: loss, margin, range }: MarginNumbers, passAlpha: number): number {
  const fewest = range === null ? 0 : fewestToPass(loss(margin) / range, passAlpha);
  return Number.isFinite(fewest) ? fewest : 0;
}

/** The fewest clusters with which a claim at this level is possible; signs of C clusters have 2^C patterns, so that no p of them is below 2^-C. */
export function leastClusters({ clusters, test }: PairedComparison, level: number): number {
  if (test === "sign-test") return Math.max(fewestClusters, Math.ceil(-Math.log2(level) - 1e-9));
  return test === "none" && clusters < fewestClusters ? fewestClusters : 0;
}

/** The smallest drop that labels like these show with 80 % power, by the same t. */
function correctedDrop({ numbers, inferred, alpha }: Advised): number | null {
  const { se, df } = inferred.comparison;
  if (se === null || se === 0) return null;
  const freedom = numbers.people?.corrected?.df ?? df;
  const drop = numbers.lossOf(numbers.margin) + (tQuantile(1 - alpha, freedom) + tQuantile(0.8, freedom)) * se;
  return numbers.range !== null && drop > numbers.range ? null : drop;
}

type SmallestDrop = Pick<MarginFacts, "smallestDrop" | "noSmallestDrop">;

const none = (noSmallestDrop: NoDrop | null): SmallestDrop => ({ smallestDrop: null, noSmallestDrop });

/** The smallest drop that this gate calls a regression. Where one was found there is nothing to add. */
export function smallestDropOf(
  given: Advised,
  { state, isBounded }: { state: GateState; isBounded: boolean },
): SmallestDrop {
  const { numbers, inferred } = given;
  if (state === "regression") return none(null);
  // A run that goes on until it is decided finds every drop that its cases suffice for.
  if (numbers.looked !== null) return none({ kind: "looked-at" });
  const size = unitCount(inferred.comparison, numbers.clusterColumn);
  if (!isBounded) return none({ kind: "few", size });
  const isCorrected = (numbers.people?.corrected ?? null) !== null;
  const drop = isCorrected
    ? correctedDrop(given)
    : gateAt(given, { alpha: given.alpha, passAlpha: given.levels.passAlpha }).smallestDrop();
  if (drop === null) return none({ kind: "few-if-all-lost", size });
  const isPossible = numbers.headroom === null || drop <= numbers.headroom;
  return isPossible
    ? { smallestDrop: drop, noSmallestDrop: null }
    : none({ kind: "few-that-vary", size, toLose: numbers.about.baseline });
}
