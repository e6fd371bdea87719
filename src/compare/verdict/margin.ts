import { type Bets, openBets, pOfBest } from "../../stats/betting/bets.ts";
import { fewestToPassByBetting } from "../../stats/betting/fewest.ts";
import {
  boundsOf,
  fewestWithoutEnds,
  isSkewed,
  type PairedComparison,
  type PairedOptions,
} from "../../stats/difference.ts";
import { runningSum } from "../../stats/sum.ts";
import type { Cause } from "../cause.ts";
import { type ComparedMetric, headroomOf, lossOf, type MarginGate, rangeOf, worstOf } from "../comparison-plan.ts";
import { byPeople, type ByPeople } from "../metrics/by-people.ts";
import { type Inferred, inferredUnder, isLookedAt, judgedCases } from "../metrics/metric-inference.ts";
import { adviceFor, smallestDropOf } from "./advice.ts";
import { unableOf } from "./ceiling.ts";
import { byColumns } from "./columns.ts";
import type { BoundsEvidence, CountedRows, GateAbout, GateLevels, MarginFacts, SureLoss } from "./facts.ts";
import { floorOf, floorPasses } from "./floor.ts";
import { gapsOfGate } from "./gaps.ts";
import {
  type AskedOf,
  type AskedMetric,
  type AskedSlice,
  baselineMean,
  commonBasis,
  countsOf,
  decidedAs,
  type GateFinding,
  type GateKindRule,
  type GatePlan,
  openBasis,
  plannedOf,
  sliceFigures,
  subjectOf,
  type Watch,
} from "./kind.ts";
import type { Slice } from "../tallies/slices.ts";
import { advised, hasMoreToLose, marginBasis } from "./margin-basis.ts";
import type { LookedAt, MarginNumbers } from "./numbers.ts";

/** Accepts a loss: a regression or a pass is claimed by the bounds of the difference. */
export const marginKind: GateKindRule<"margin"> = {
  claims: true,
  ask: askMargin,
  conclude: concludeMargin,
  watch: (compared, { margin }, plan) => watchMargin(compared, margin ?? 0, plan),
  limit: ({ margin }) => margin,
  lost: () => null,
};

function askMargin(gate: MarginGate, about: AskedMetric, of: AskedSlice | null): AskedOf<"margin"> {
  const { compared, numbers, given } = about;
  const { clusterColumn, fixedBaseline } = given;
  const margin = gate.margin ?? 0;
  const labels = (of === null ? about.overall.people : sliceLabels(about, margin, of)) ?? null;
  const decided = labels?.found ?? null;
  const byJudge = of === null ? about.overall.inferred : sliceInferred(about, margin, of);
  // A gate's own margin is asked of the same rule later.
  const inferred = decided?.inferred ?? byJudge;
  const { metric } = compared;
  const isOpen = compared.of === "value" && metric.scale.kind === "unbounded";
  const subject = subjectOf(about, of);
  const common = commonBasis(about);
  const options = optionsOf(about, margin);
  const judgedBy: MarginNumbers = {
    about: subject,
    ...(labels !== null && { people: labels.view }),
    margin,
    lossOf: (each) => lossOf(compared, each),
    inferred,
    noise: of === null && decided === null ? about.overall.noise : null,
    gapsOfSide: inferred === null ? null : gapsOfGate(gate, about, { of, options, byPeople: decided }),
    fixedBaseline,
    clusterColumn,
    headroom: headroomOf(compared, decided === null ? baselineMean(about, of) : decided.baseline),
    floorPasses: floorPasses(compared, countsOf(about, of)),
    instead: isOpen ? (numbers.positive ? ["ratio", "median"] : ["median"]) : [],
    ...(given.next !== undefined && { next: given.next }),
    repeatFirst: given.repeatFirst === true,
    countRows: of === null ? countedRows(about) : null,
    values: of?.values ?? 1,
    looked: lookedAt(margin, about, of),
    range: rangeOf(compared),
    outsideRange: outsideOf(about),
    // Undeclared columns are looked at in the judge's grades alone.
    ...(decided === null && { byColumns: () => byColumns(about, { of, options }) }),
  };
  const noMargin = gate.margin === null ? ({ kind: "no-margin", metric: metric.name } as const) : null;
  return {
    kind: "margin",
    facts: {
      ...subject,
      kind: "margin",
      figures: sliceFigures(about, of, inferred),
      margin,
      ...undecided,
      ...(labels !== null && { people: labels.view }),
    },
    basis: marginBasis(judgedBy, {
      ...common,
      invalid: noMargin ?? common.invalid,
      scorerFault: unableByPeople(gate, compared, { scorerFault: common.scorerFault, labels }),
    }),
  };
}

const undecided = { decided: null, sureLoss: null, smallestDrop: null, noSmallestDrop: null, settle: null };

/** Rows that newly fail are only counted where an answer that is wrong by chance is none of them. */
function countedRows({ compared, numbers, given }: AskedMetric): CountedRows | null {
  if (compared.of !== "pass") return null;
  if (given.repeatThemselves === true) return "repeats itself";
  const { squares, freedom } = numbers.baseline;
  const cases = numbers.differences.filter((difference) => !Number.isNaN(difference)).length;
  return cases > 0 && freedom >= cases && squares <= 1e-9 ? "graded alike" : null;
}

function sliceLabels(about: AskedMetric, margin: number, of: Slice): ByPeople | null {
  const { compared, numbers, given, overall } = about;
  if (overall.people === undefined || overall.people === null) return null;
  const { clusters, questions } = given.results;
  const judge = { baseline: null, candidate: null, estimate: null, interval: null };
  const options = optionsOf(about, margin);
  // A run that stopped when it was decided keeps the labels of a slice from deciding too.
  const isEarly = given.stop !== null && !given.stop.isWhole && overall.people.view.refused !== null;
  const chosen = given.chosen ?? (isEarly ? ({ kind: "decided-early-by-labels" } as const) : null);
  return byPeople(compared, numbers, { clusters, questions, has: of.has, chosen, judge, options });
}

/** Why nothing is decided: the judge is no better than chance, or labels are asked for that do not decide; null: something may be. */
function unableByPeople(
  { require }: MarginGate,
  { metric, judge }: ComparedMetric,
  { scorerFault, labels }: { scorerFault: Cause | null; labels: ByPeople | null },
): Cause | null {
  // People's word stands, however poor the judge is.
  if (labels !== null && labels.found !== null) return null;
  if (scorerFault !== null || require === undefined || judge === undefined) return scorerFault;
  return { kind: "labels-required", metric: metric.name, why: labels?.view.refused ?? null };
}

/** Share of the answers of a side above which a range that they leave is taken for a wrong one. */
const mostOutside = 0.1;

/** Values beyond a range that the suite gives count as its end: where many do, it hides what they lose. */
function outsideOf({ compared: { metric, of }, numbers, given }: AskedMetric): Cause | null {
  const { scale } = metric;
  if (of === "pass" || of === "ratio" || scale.kind !== "bounded" || scale.cut !== "given") return null;
  for (const side of ["baseline", "candidate"] as const) {
    const { cut, runs } = numbers[side];
    if (runs === 0 || cut / runs <= mostOutside) continue;
    const { min, max } = scale;
    return { kind: "outside-range", metric: metric.name, target: given[side], answers: cut, of: runs, min, max };
  }
  return null;
}

/** The size of the gate, where it was looked at while its cases came in. */
function lookedAt(margin: number, { compared, given }: AskedMetric, of: Slice | null): LookedAt | null {
  const range = rangeOf(compared);
  if (given.stop === null || given.chosen !== null || range === null || !isLookedAt(compared)) return null;
  const { most } = given.stop;
  const wager = { margin: lossOf(compared, margin) / range, most };
  return { planned: plannedOf(given.stop, of), fewest: fewestToPassByBetting(wager, given.passAlpha) };
}

function sliceInferred(about: AskedMetric, margin: number, { places }: Slice): Inferred | null {
  const { compared, numbers, given } = about;
  const cases = judgedCases(compared, numbers, { ...given.results, places });
  const options = optionsOf(about, margin);
  // A value that no case had before the run stopped is open.
  const isNone = cases.paired.n === 0 && !(given.stop !== null && given.chosen === null && isLookedAt(compared));
  return isNone ? null : inferredUnder(given, cases, options);
}

function optionsOf({ compared, given }: AskedMetric, margin: number): PairedOptions {
  const confidences = { confidence: 1 - given.alpha, passConfidence: 1 - given.passAlpha };
  return { margin: lossOf(compared, margin), ...confidences };
}

function concludeMargin({ facts, basis }: AskedOf<"margin">, finding: GateFinding, levels: GateLevels): MarginFacts {
  const { numbers } = basis;
  const told = { ...facts, ...decidedAs(finding) };
  const given = advised(numbers, finding, levels);
  const { state, guard } = finding;
  if (given === null || state === "invalid" || guard === "chosen") return told;
  const { inferred } = given;
  const decided = decidedBy(numbers, inferred, { ...finding, passAlpha: levels.passAlpha });
  const sureLoss = sureLossOf(inferred, finding);
  const reported = { ...told, decided, sureLoss };
  if (guard !== null && guard !== "hopeless") return reported;
  const drop = smallestDropOf(given, { state, isBounded: decided !== null });
  if (state === "pass") return { ...reported, ...drop };
  if (state === "regression") return { ...reported, ...drop, reason: pointOf(inferred.comparison) };
  const reason = finding.reason ?? openReason(numbers, inferred, decided);
  return { ...reported, ...drop, settle: adviceFor(given), reason };
}

/** A loss that is sure, with the bound that belongs to that claim. */
function sureLossOf({ difference: { method } }: Inferred, { state, loss }: GateFinding): SureLoss | null {
  if (method === null || loss === null || state === "regression") return null;
  const confidence = 1 - loss.level;
  const upper = method.upper(confidence, 0);
  return upper === null ? null : { upper, confidence, p: loss.p };
}

function decidedBy(
  numbers: MarginNumbers,
  { comparison, difference }: Inferred,
  { state, adjusted, level, passAlpha }: Pick<GateFinding, "state" | "adjusted" | "level"> & { passAlpha: number },
): BoundsEvidence | null {
  if (difference.method === null) return null;
  // A loss that was found is told as it was measured.
  const judging = state === "regression" ? { ...difference, oneMore: null, ofPass: [] } : difference;
  const confidence = { lower: 1 - passAlpha, upper: 1 - level };
  const loss = numbers.lossOf(numbers.margin);
  const { pRegression, heldBy, test } = comparison;
  const { oneMore } = judging;
  const bounds = boundsOf(judging, { margin: loss, ...confidence });
  return {
    by: test,
    lower: lowerWithGaps(numbers, { lower: bounds.lower, confidence: confidence.lower }),
    upper: bounds.upper,
    confidence,
    pRegression,
    adjusted,
    pPass: withGaps(numbers, comparison.pPass),
    heldBy,
    ...(oneMore !== null && { oneMore: oneMore.loss }),
  };
}

function withGaps({ gapsOfSide, outsideRange }: MarginNumbers, pPass: number | null): number | null {
  if (outsideRange !== null || pPass === null) return null;
  return gapsOfSide === null ? pPass : Math.max(pPass, gapsOfSide.inferred?.comparison.pPass ?? 1);
}

/** The bound of a pass: the lower one of those with and without gaps. */
function lowerWithGaps(
  { gapsOfSide: gaps, margin, lossOf: shown }: MarginNumbers,
  { lower, confidence }: { lower: number | null; confidence: number },
): number | null {
  const difference = gaps?.inferred?.difference ?? null;
  if (difference === null || difference.method === null || lower === null) return lower;
  const own = boundsOf(difference, { margin: shown(margin), lower: confidence, upper: confidence }).lower;
  return own === null ? null : Math.min(lower, own);
}

/** Why nothing is claimed although the first method alone would. */
function openReason(
  { about: { of } }: MarginNumbers,
  { comparison, difference }: Inferred,
  decided: BoundsEvidence | null,
): Cause | null {
  if (decided === null || decided.heldBy === null) return comparison.reason;
  if (decided.heldBy === "one-more") return oneMoreCause(difference.oneMore, of);
  const skewness = comparison.skewness ?? 0;
  return decided.heldBy === "skewness"
    ? { kind: "skewed", skewness, isSkewed: isSkewed(skewness) }
    : { kind: "few-that-differ" };
}

/** Why a score does not pass although nothing that was seen speaks against it. */
function oneMoreCause(oneMore: Inferred["difference"]["oneMore"], of: GateAbout["of"]): Cause | null {
  if (oneMore === null) return null;
  if (oneMore.of === "scale") return { kind: "one-more-on-scale" };
  if (oneMore.never === "few") return { kind: "few-without-ends", fewest: fewestWithoutEnds };
  return { kind: "one-more-without-ends", of, loss: oneMore.loss };
}

/** An interval of one point is no certainty; null where it is none. */
function pointOf({ interval }: PairedComparison): Cause | null {
  return interval === null || interval.low < interval.high ? null : { kind: "no-variation-without-ends" };
}

function watchMargin(compared: ComparedMetric, margin: number, plan: GatePlan): Watch {
  const range = rangeOf(compared) ?? 1;
  const { most, planned, passAlpha, values } = plan;
  const wager = { margin: lossOf(compared, margin) / range, most };
  const bets = openBets(wager);
  // A pass must hold with each gap as a fail of its side too, where the candidate has more of them.
  const strict = openBets(wager);
  // With no more than the limit to lose a metric says nothing, unless the candidate has surely risen from there.
  const rise = openBets({ margin: 0, most });
  const fewest = plan.slice === null ? 0 : fewestToPassByBetting(wager, passAlpha);
  const cluster = clusterOf([bets, rise], range);
  const gapped = clusterOf([strict], range);
  const gaps = { baseline: 0, candidate: 0 };
  const worst = worstOf(compared) ?? 0;
  let [cases, baselines] = [0, 0];
  const isLow = (): boolean => {
    if (cases === 0 || hasMoreToLose(Math.abs(baselines / cases - worst), margin)) return false;
    return pOfBest(rise.best().pass) > 0.05;
  };
  return {
    add({ difference, from, gapped: own }) {
      if (own?.baseline === true) gaps.baseline += 1;
      if (own?.candidate === true) gaps.candidate += 1;
      const gappedDifference = own?.difference ?? difference;
      if (!Number.isNaN(gappedDifference)) gapped.add(gappedDifference);
      if (Number.isNaN(difference)) return;
      cases += 1;
      baselines += from?.mean ?? 0;
      cluster.add(difference);
    },
    end() {
      cluster.end();
      gapped.end();
    },
    basis: () => ({
      ...openBasis,
      scorerFault: unableOf(compared, [plan.baseline, plan.candidate]),
      weight: 1 / values,
      claims: claimsOf(bets),
      hasTooFew: () => fewest > planned && !isLow(),
      atFloor: () => (isLow() ? floorOf({ ...plan, metric: compared.metric.name }, null) : null),
      gaps:
        gaps.candidate > gaps.baseline
          ? {
              pPass: claimsOf(strict).pPass,
              why: () => ({ kind: "gaps", candidate: plan.candidate, rows: gaps.candidate, mostWrong: null }),
            }
          : null,
    }),
    share(levels) {
      const { pass, regression } = bets.best();
      return Math.min(1, Math.max(pass / -Math.log(levels.pass), regression / -Math.log(levels.regression)));
    },
  };
}

function claimsOf(bets: Bets) {
  const { pass, regression } = bets.best();
  return { pRegression: pOfBest(regression), pPass: pOfBest(pass) };
}

/** Collects a cluster, which is bet on as a whole. */
function clusterOf(all: readonly Bets[], range: number) {
  let [sum, size] = [runningSum(), 0];
  return {
    add(value: number): void {
      sum.add(value);
      size += 1;
    },
    end(): void {
      if (size > 0) for (const bets of all) bets.add(sum.value() / range, size);
      [sum, size] = [runningSum(), 0];
    },
  };
}
