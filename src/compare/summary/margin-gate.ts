import { fewestToPassByBetting } from "../../stats/betting/fewest.ts";
import { type Bets, openBets, pOfBest } from "../../stats/betting/bets.ts";
import {
  boundsOf,
  fewestClusters,
  fewestWithoutEnds,
  isRejected,
  isSkewed,
  type PairedComparison,
} from "../../stats/difference.ts";
import { type ComparedMetric, lossOf, type MarginGate, rangeOf, worstOf } from "../comparison-plan.ts";
import { floorCause, floorWords } from "./floor-cause.ts";
import { gapsOfGate, gapWords } from "./gaps.ts";
import {
  type AskedMetric,
  countsOf,
  segmentFigures,
  type GateInput,
  type GatePlan,
  answerTo,
  type GateRule,
  meansOf,
  noCase,
  type OfSegment,
  plannedOf,
  type GateFinding,
  subjectOf,
  type Watch,
} from "./gate-rule.ts";
import { inferredUnder, type InferenceOptions, isLookedAt, pairedNumbers } from "./metric-inference.ts";
import type { Random } from "../../lib/random.ts";
import { imitatedRuns } from "../../stats/betting/until-decided.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import {
  casesToSettle,
  type SettledGate,
  settledCounts,
  settledMean,
  settledMedian,
  settledStill,
} from "../../stats/planning/settling.ts";
import { tQuantile } from "../../stats/distributions/student-t.ts";
import { fewestLabels } from "../../stats/judged/corrected-difference.ts";
import { advisedLabels, labelsNeeded } from "../../stats/judged/labels-needed.ts";
import { byPeople, type ByPeople } from "./by-people.ts";
import type { CorrectedFigures } from "./people-view.ts";
import { byColumns } from "./dependence.ts";
import { drawnGroups, hiddenLoss } from "./hidden-loss.ts";
import { clusterNoun, clusterWords } from "./cluster-words.ts";
import type {
  CountedRows,
  BoundsEvidence,
  GateAdvice,
  GateLevels,
  Inferred,
  LookedAt,
  MarginGateResult,
  MarginQuestion,
  SettlingAdvice,
  SureLoss,
} from "./gate-shapes.ts";
import { type GateState } from "../verdict-word.ts";
import { repeatsFor } from "./metric-noise.ts";
import { mostNewCases, repeatsThatTell } from "../../stats/planning/looks.ts";

/** Accepts a loss: a regression or a pass is claimed by the bounds of the difference. */
export const marginRule: GateRule<"margin"> = {
  claims: true,
  ask: marginQuestion,
  isEmpty: ({ inferred }) => inferred === null,
  stand: (question, { passAlpha }) =>
    marginInput({
      claims: question.invalid === null ? claimsOfQuestion(question) : null,
      values: question.values,
      isAtFloor: () => isAtFloor(question),
      hasTooFew: () => hasTooFew(question, passAlpha),
      cannotTell: () => cannotTell(question, passAlpha) !== null,
      pLoss: () => pOfLoss(question),
    }),
  result: marginResult,
  watch: (compared, { margin }, plan) => marginWatch(compared, margin ?? 0, plan),
  limit: ({ margin }) => margin,
  lost: () => null,
};

function marginQuestion(gate: MarginGate, about: AskedMetric, of: OfSegment | null): MarginQuestion {
  const { compared, numbers, given } = about;
  const { clusterColumn, fixedBaseline } = given;
  const margin = gate.margin ?? 0;
  const labels = (of === null ? about.overall.people : segmentLabels(about, margin, of)) ?? null;
  const decided = labels?.found ?? null;
  const byJudge = of === null ? about.overall.inferred : segmentInferred(about, margin, of);
  // A gate's own margin is asked of the same rule later.
  const inferred = decided?.inferred ?? byJudge;
  const { metric } = compared;
  const isOpen = compared.of === "value" && metric.scale.kind === "unbounded";
  const subject = subjectOf(about, of);
  const head = { ...subject, unable: unableByPeople(gate, compared, { unable: subject.unable, labels }) };
  return {
    ...head,
    kind: "margin",
    figures: segmentFigures(about, of, inferred),
    ...(labels !== null && { people: labels.view }),
    invalid: gate.margin === null ? `${metric.name} has no bounds: its gate needs a margin` : head.invalid,
    margin,
    lossOf: (each) => lossOf(compared, each),
    inferred,
    noise: of === null && decided === null ? about.overall.noise : null,
    gaps:
      inferred === null ? null : gapsOfGate(gate, about, { of, options: optionsOf(about, margin), byPeople: decided }),
    fixedBaseline,
    clusterColumn,
    headroom: decided === null ? headroomOf(about, of) : headroomFrom(compared, decided.baseline),
    floorCause: floorCause(compared, countsOf(about, of)),
    instead: isOpen ? (numbers.positive ? ["ratio", "median"] : ["median"]) : [],
    ...(given.next !== undefined && { next: given.next }),
    repeatFirst: given.repeatFirst === true,
    countRows: of === null ? countedRows(about) : null,
    values: of?.values ?? 1,
    looked: lookedAt(margin, about, of),
    range: rangeOf(compared),
    outside: outsideWords(about),
    groups: () => drawnGroups(about, of),
    // Columns that nobody named are looked at in the judge's grades alone.
    ...(decided === null && { byColumns: () => byColumns(about, { of, options: optionsOf(about, margin) }) }),
  };
}

/** Rows that newly fail are only counted where an answer that is wrong by chance is none of them. */
function countedRows({ compared, numbers, given }: AskedMetric): CountedRows | null {
  if (compared.of !== "pass") return null;
  if (given.repeatThemselves === true) return "repeats itself";
  const { squares = 0, freedom = 0 } = numbers.baseline ?? {};
  const cases = numbers.differences.filter((difference) => !Number.isNaN(difference)).length;
  return cases > 0 && freedom >= cases && squares <= 1e-9 ? "graded alike" : null;
}

function segmentLabels(about: AskedMetric, margin: number, of: OfSegment): ByPeople | null {
  const { compared, numbers, given, overall } = about;
  if (overall.people === undefined || overall.people === null) return null;
  const { clusters, questions = null } = given.results;
  const judge = { baseline: null, candidate: null, estimate: null, interval: null };
  const options = optionsOf(about, margin);
  // A run that stopped when it was decided keeps the labels of a segment from deciding too.
  const chosen = given.chosen ?? (given.stop === null || given.stop.isWhole ? null : overall.people.view.refused);
  return byPeople(compared, numbers, { clusters, questions, has: of.slice.has, chosen, judge, options });
}

/** Why nothing is decided: the judge is no better than chance, or labels are asked for that do not decide; null: something may be. */
function unableByPeople(
  { require }: MarginGate,
  { metric, judge }: ComparedMetric,
  { unable, labels }: { unable: string | null; labels: ByPeople | null },
): string | null {
  // People's word stands, however poor the judge is.
  if (labels !== null && labels.found !== null) return null;
  if (unable !== null || require === undefined || judge === undefined) return unable;
  const why = labels?.view.refused ?? "nobody labelled any answer: `tandem label draw` chooses the cases";
  return `\`${metric.name}\` is decided by people's labels (\`require: labels\`), and ${why}`;
}

/** Share of the answers of a side above which a range that they leave is taken for a wrong one. */
const mostOutside = 0.1;

/** Values beyond a range that the suite gives count as its end: where many do, it hides what they lose. */
function outsideWords({ compared: { metric, of }, numbers, given }: AskedMetric): string | null {
  const { scale } = metric;
  if (of === "pass" || of === "ratio" || scale.kind !== "bounded" || scale.cut !== "given") return null;
  for (const side of ["baseline", "candidate"] as const) {
    const { cut = 0, runs = 0 } = numbers[side] ?? {};
    if (runs === 0 || cut / runs <= mostOutside) continue;
    const where = `\`range: [${scale.min}, ${scale.max}]\` of ${metric.name}`;
    return `${cut} of ${runs} answers of ${given[side]} leave the ${where} and count as its end: widen it, and grade again`;
  }
  return null;
}

/** The size of the gate, where it was looked at while its cases came in. */
function lookedAt(margin: number, { compared, given }: AskedMetric, of: OfSegment | null): LookedAt | null {
  const range = rangeOf(compared);
  if (given.stop === null || given.chosen !== null || range === null || !isLookedAt(compared)) return null;
  const { most } = given.stop;
  const wager = { margin: lossOf(compared, margin) / range, most };
  return { planned: plannedOf(given.stop, of), fewest: fewestToPassByBetting(wager, given.passAlpha) };
}

function segmentInferred(about: AskedMetric, margin: number, { slice: segment }: OfSegment): Inferred | null {
  const { compared, numbers, given } = about;
  const { clusters, sent, questions = null, asked = null } = given.results;
  const cases = { differences: numbers.differences, clusters, questions, asked, sent, has: segment.has };
  const paired = pairedNumbers(compared, numbers, cases);
  const options = optionsOf(about, margin);
  // A value that no case had before the run stopped is open.
  const isNone = paired.n === 0 && !(given.stop !== null && given.chosen === null && isLookedAt(compared));
  return isNone ? null : inferredUnder(given, { compared, paired, given: cases }, options);
}

function optionsOf({ compared, given }: AskedMetric, margin: number): InferenceOptions {
  const confidences = { confidence: 1 - given.alpha, passConfidence: 1 - given.passAlpha };
  return { margin: lossOf(compared, margin), ...confidences };
}

/** Room of the baseline to fall; null: a score without an end, or of which nothing is known. */
function headroomOf(about: AskedMetric, of: OfSegment | null): number | null {
  const worst = worstOf(about.compared);
  if (worst === null || rangeOf(about.compared) === null) return null;
  const { n, baseline } = meansOf(about, of);
  return n === 0 ? null : Math.abs(baseline - worst);
}

function headroomFrom(compared: ComparedMetric, baseline: number): number | null {
  const worst = worstOf(compared);
  return worst === null || rangeOf(compared) === null ? null : Math.abs(baseline - worst);
}

/** A pass must hold with each gap as a fail of its side too, where the candidate has more of them; a gap makes no regression. */
function claimsOfQuestion({ inferred, gaps, outside }: MarginQuestion): MarginClaims["claims"] {
  if (inferred === null) return null;
  const { pRegression, pPass } = inferred.comparison;
  if (outside !== null) return { pRegression, pPass: null };
  if (gaps === null || pPass === null) return { pRegression, pPass };
  const withGaps = gaps.inferred?.comparison.pPass ?? 1;
  return { pRegression, pPass: Math.max(pPass, withGaps) };
}

/** Everything that a gate with a margin is decided by. */
interface MarginClaims {
  /** p values of the two claims; null: nothing may be decided. */
  claims: { pRegression: number | null; pPass: number | null } | null;
  /** Values of the tag that its gate asks one by one. */
  values: number;
  isAtFloor: () => boolean;
  hasTooFew: () => boolean;
  cannotTell: () => boolean;
  pLoss: () => number | null;
}

/** The part of a margin in the decision of all gates. */
export function marginInput(found: MarginClaims): GateInput {
  return {
    p: found.claims?.pRegression ?? null,
    // The values of a tag are one gate among the others: they share its weight.
    weight: 1 / found.values,
    state: (adjusted, levels) => stateOf(found, adjusted, levels),
    tooFew: found.hasTooFew,
    cannotTell: found.cannotTell,
    pLoss: found.pLoss,
  };
}

function stateOf(
  { claims, isAtFloor: isFloor }: MarginClaims,
  adjusted: number | null,
  { alpha, passAlpha }: GateLevels,
): GateState {
  if (claims === null) return "invalid";
  if (isFloor()) return "inconclusive";
  if (adjusted !== null && isRejected(adjusted, alpha)) return "regression";
  return claims.pPass !== null && isRejected(claims.pPass, passAlpha) ? "pass" : "inconclusive";
}

/** p of H0: nothing is lost, by the rule of the gate; null where nothing is claimed. */
function pOfLoss({ invalid, inferred }: MarginQuestion): number | null {
  const method = inferred?.difference.method ?? null;
  return invalid !== null || method === null ? null : method.p(0).less;
}

/** Why more cases would not settle it; null: they would. */
function cannotTell(question: MarginQuestion, passAlpha: number): string | null {
  const { chosen, gaps, inferred, candidate, outside } = question;
  if (chosen !== null) return chosen;
  if (isAtFloor(question)) return floorWords(question, question.floorCause);
  const isHeld = gaps !== null && isRejected(inferred?.comparison.pPass ?? null, passAlpha);
  if (isHeld && !isRejected(claimsOfQuestion(question)?.pPass ?? null, passAlpha))
    return gapWords(gaps, candidate, passAlpha);
  return outside ?? stillWords(question);
}

/** So few cases that no pass is possible with none worse: that is said of a value of a tag, which others may outnumber. */
function hasTooFew(question: MarginQuestion, passAlpha: number): boolean {
  if (question.slice === null || question.inferred === null) return false;
  if (isAtFloor(question)) return false;
  if (question.looked !== null) return question.looked.fewest > question.looked.planned;
  const { comparison, difference } = question.inferred;
  const { counts } = difference;
  if (difference.oneMore?.never === "few") return true;
  // Whatever is seen, so many units hide the loss, or show it.
  if (counts === null && question.range !== null && isWithin(question, comparison))
    return difference.effectiveClusters < fewestUnits(question, passAlpha);
  // None is worse, and that is not enough.
  if (comparison.test === "alike") return (comparison.estimate ?? 0) >= 0;
  return counts === null
    ? comparison.clusters < leastClusters(comparison, passAlpha)
    : comparison.n < fewestToPass(question.margin, passAlpha);
}

/** Nothing speaks against a pass but that the cases are few. */
const isWithin = ({ lossOf: loss, margin }: MarginQuestion, { estimate }: PairedComparison): boolean =>
  (estimate ?? 0) >= -loss(margin);

/** Units, such as conversations, below which no pass is possible with none worse; 0: there is no such number. */
function fewestUnits({ lossOf: loss, margin, range }: MarginQuestion, passAlpha: number): number {
  const fewest = range === null ? 0 : fewestToPass(loss(margin) / range, passAlpha);
  return Number.isFinite(fewest) ? fewest : 0;
}

/** A metric cannot fall by more than it has: with no more than the limit to lose it says nothing, unless the candidate has surely risen from there. */
function isAtFloor({ headroom, margin, inferred }: MarginQuestion): boolean {
  if (headroom === null || hasMoreToLose(headroom, margin)) return false;
  const lower = inferred?.difference.method?.lower(0.95, 0) ?? null;
  return lower === null || lower <= 0;
}

/** A loss beyond the limit is possible at all: 5 % of passes with a limit of 5 points are none. */
const hasMoreToLose = (headroom: number, margin: number): boolean => headroom > margin * (1 + 1e-9);

function marginResult(question: MarginQuestion, finding: GateFinding, levels: GateLevels): MarginGateResult {
  const { margin, inferred, invalid } = question;
  const { state, word, tooFew } = finding;
  const { dependence } = question;
  const { people } = question;
  const judged = { ...(dependence !== undefined && { dependence }), ...(people !== undefined && { people }) };
  const about = { ...answerTo(question), kind: "margin" as const, margin, tooFew, word, ...judged };
  const nothing = { decided: null, sureLoss: null, smallestDrop: null, noSmallestDrop: null, settle: null };
  if (invalid !== null) return { ...about, ...nothing, state: "invalid", reason: invalid };
  if (inferred === null) return { ...about, ...nothing, state: "invalid", reason: noCase };
  const cause = state === "inconclusive" ? cannotTell(question, levels.passAlpha) : null;
  if (question.chosen !== null) return { ...about, ...nothing, state, reason: cause };
  const decided = decidedBy(question, inferred, { ...finding, passAlpha: levels.passAlpha });
  const hidden = state === "pass" ? hiddenLoss(question, levels.passAlpha) : null;
  const sureLoss = sureLossOf(inferred, finding);
  const reported = { ...about, state, decided, sureLoss, ...(hidden !== null && { hidden }) };
  if (cause !== null) {
    const isStill = cause === stillWords(question);
    const open = { smallestDrop: null, noSmallestDrop: null, settle: null, reason: cause };
    return { ...reported, ...open, ...(isStill && { lacksRange: true as const }) };
  }
  const given = {
    question,
    inferred,
    decided,
    alpha: finding.level,
    passAlpha: levels.passAlpha,
    later: levelsOfNext(question.next, finding.level, levels),
  };
  const settle = state === "inconclusive" ? adviceFor(given) : null;
  return {
    ...reported,
    ...smallestDropOf(given, state),
    settle,
    reason:
      state === "inconclusive"
        ? openReason(question, inferred, decided)
        : state === "regression"
          ? pointOf(inferred.comparison)
          : null,
  };
}

/** A loss that is sure, with the bound that belongs to that claim. */
function sureLossOf({ difference: { method } }: Inferred, { state, loss }: GateFinding): SureLoss | null {
  if (method === null || loss === null || state === "regression") return null;
  const confidence = 1 - loss.level;
  const upper = method.upper(confidence, 0);
  return upper === null ? null : { upper, confidence, p: loss.p };
}

function decidedBy(
  question: MarginQuestion,
  { comparison, difference }: Inferred,
  { state, adjusted, level, passAlpha }: Pick<GateFinding, "state" | "adjusted" | "level"> & { passAlpha: number },
): BoundsEvidence | null {
  if (difference.method === null) return null;
  // A loss that was found is told as it was measured.
  const judging = state === "regression" ? { ...difference, oneMore: null, ofPass: [] } : difference;
  const confidence = { lower: 1 - passAlpha, upper: 1 - level };
  const loss = question.lossOf(question.margin);
  const { pRegression, heldBy, test } = comparison;
  const { oneMore } = judging;
  const bounds = boundsOf(judging, { margin: loss, ...confidence });
  return {
    by: test,
    lower: lowerWithGaps(question, { lower: bounds.lower, confidence: confidence.lower }),
    upper: bounds.upper,
    confidence,
    pRegression,
    adjusted,
    pPass: claimsOfQuestion(question)?.pPass ?? null,
    heldBy,
    ...(oneMore !== null && { oneMore: oneMore.loss }),
  };
}

/** The bound of a pass: the lower one of those with and without gaps. */
function lowerWithGaps(
  { gaps, margin, lossOf: shown }: MarginQuestion,
  { lower, confidence }: { lower: number | null; confidence: number },
): number | null {
  const difference = gaps?.inferred?.difference ?? null;
  if (difference === null || difference.method === null || lower === null) return lower;
  const withGaps = boundsOf(difference, { margin: shown(margin), lower: confidence, upper: confidence }).lower;
  return withGaps === null ? null : Math.min(lower, withGaps);
}

/** Why nothing is claimed although the first method alone would. */
function openReason(
  { of }: MarginQuestion,
  { comparison, difference }: Inferred,
  decided: BoundsEvidence | null,
): string | null {
  if (decided === null || decided.heldBy === null) return comparison.reason;
  if (decided.heldBy === "one-more") return oneMoreWords(difference.oneMore, of);
  return decided.heldBy === "skewness"
    ? skewWords(comparison.skewness ?? 0)
    : "so few that differ do not show how much others lose";
}

function skewWords(skewness: number): string {
  if (!isSkewed(skewness)) return "so few values of a score without bounds do not show how far the largest lie";
  return `a few cases carry most of the difference (skewness ${skewness.toFixed(1)})`;
}

/** A score without ends that was the same in every case of both sides says nothing of how much it can lose; null where it was not. */
function stillWords({ inferred }: Pick<MarginQuestion, "inferred">): string | null {
  if (inferred?.difference.oneMore?.never !== "still") return null;
  return `Nothing varied in ${casesText(inferred.comparison.n)}, and the score has no ends: give the scorer a ${rangeKey}`;
}

const rangeKey = "`range: [min, max]`";

/** Why a score does not pass although nothing that was seen speaks against it. */
function oneMoreWords(oneMore: Inferred["difference"]["oneMore"], of: MarginQuestion["of"]): string | null {
  if (oneMore === null) return null;
  if (oneMore.of === "scale") return "with one more case that loses all it can it would not pass";
  const advice = `give the scorer a ${rangeKey}, or compare by \`of: median\``;
  if (oneMore.never === "few") {
    return `a score without ends does not pass on fewer than ${fewestWithoutEnds} cases: ${advice}`;
  }
  const loss = of === "ratio" ? `${shortNumber(Math.exp(oneMore.loss))} times` : shortNumber(oneMore.loss);
  const most = of === "ratio" ? `is worse by ${loss}` : `loses ${loss}`;
  return `the score has no ends, and with one more case that ${most}, as far as its values lie apart, it would not pass: ${advice}`;
}

const shortNumber = (value: number): string => String(Number(value.toPrecision(3)));

const casesText = (n: number): string => `${n.toLocaleString("en-US")} ${n === 1 ? "case" : "cases"}`;

/** An interval of one point is no certainty; null where it is none. */
function pointOf({ interval }: PairedComparison): string | null {
  if (interval === null || interval.low < interval.high) return null;
  return "no variation: every case differs by the same amount, and a score without bounds does not say how far others could.";
}

function marginWatch(compared: ComparedMetric, margin: number, plan: GatePlan): Watch {
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
  const claims = () => {
    const { pRegression, pPass } = claimsOf(bets);
    if (gaps.candidate <= gaps.baseline) return { pRegression, pPass };
    return { pRegression, pPass: Math.max(pPass, claimsOf(strict).pPass) };
  };
  return {
    add({ difference, baseline, gapped: own }) {
      if (own?.baseline === true) gaps.baseline += 1;
      if (own?.candidate === true) gaps.candidate += 1;
      const withGaps = own?.difference ?? difference;
      if (!Number.isNaN(withGaps)) gapped.add(withGaps);
      if (Number.isNaN(difference)) return;
      cases += 1;
      baselines += baseline;
      cluster.add(difference);
    },
    end() {
      cluster.end();
      gapped.end();
    },
    stand: (isValid) =>
      marginInput({
        // It keeps its place among the gates: who is left out for a while must not make it easier for the others.
        claims: isValid ? claims() : { pRegression: 1, pPass: null },
        values,
        isAtFloor: isLow,
        hasTooFew: () => fewest > planned && !isLow(),
        // A run goes on until it is decided: a sure loss is named when it has ended.
        cannotTell: isLow,
        pLoss: () => null,
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

/** Collects a cluster, which is bet on as a whole; the sum is compensated (Neumaier). */
function clusterOf(all: readonly Bets[], range: number) {
  let [total, lost, size] = [0, 0, 0];
  return {
    add(value: number): void {
      const next = total + value;
      lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
      total = next;
      size += 1;
    },
    end(): void {
      if (size > 0) for (const bets of all) bets.add((total + lost) / range, size);
      [total, lost, size] = [0, 0, 0];
    },
  };
}

interface Advised {
  question: MarginQuestion;
  inferred: Inferred;
  decided: BoundsEvidence | null;
  /** Level of a regression for this gate alone, and of a pass. */
  alpha: number;
  passAlpha: number;
  /** The same in the look for which the advice is made. */
  later: GateLevels;
}

/** In a later look several gates share its level as they did in this one. */
function levelsOfNext(next: MarginQuestion["next"], level: number, { alpha, passAlpha }: GateLevels): GateLevels {
  if (next === undefined || next === null) return { alpha: level, passAlpha };
  return { alpha: (level / alpha) * next.alpha, passAlpha: next.alpha };
}

/** The most cases that are advised for so many at hand: nobody writes more. */
const affordable = (n: number): number => Math.max(10 * n, Math.min(50 * n, 1000));
/** So many times the cases at hand are looked for, to say how far away it is. */
const mostTimes = 2000;
/** More than so many repeats neither. */
const mostRepeats = 100;

/** Finds what would settle an inconclusive gate, solved with its own rule at 80 % power. */
function adviceFor(given: Advised): GateAdvice {
  const { question, inferred, passAlpha } = given;
  const { comparison, difference } = inferred;
  // Rows that are asked several times are as many as those that are asked once.
  const isCounted = difference.counts !== null || (question.of === "pass" && comparison.clusters === comparison.n);
  const counted = isCounted ? fewestToPass(question.margin, passAlpha) : null;
  const fewest = question.looked === null ? counted : question.looked.fewest;
  const { next, repeatFirst, countRows } = question;
  if ((question.people?.corrected ?? null) !== null) return { ...settlingFor(given), fewestToPass: null, instead: [] };
  return {
    ...settlingFor(given),
    fewestToPass: fewest !== null && fewest > comparison.n && Number.isFinite(fewest) ? fewest : null,
    instead: isSkewed(comparison.skewness) ? question.instead : [],
    ...(repeatFirst && { repeatFirst: repeatsThatTell }),
    ...(countRows !== null && { countRows }),
    ...(next !== undefined &&
      next !== null && {
        next: {
          ...next,
          fewestToPass: isCounted ? fewestToPass(question.margin, next.alpha) : null,
          ...(next.by === "suite" && { most: comparison.n * (1 + mostNewCases) }),
        },
      }),
  };
}

/** Labels that would settle it, were the difference to stay. */
function labelsSettling({ question, inferred, alpha, passAlpha }: Advised, of: CorrectedFigures): SettlingAdvice {
  const { n, estimate } = inferred.comparison;
  const distance = Math.abs((estimate ?? 0) + question.lossOf(question.margin));
  if (distance === 0) return { kind: "unknown" };
  const isWorse = (estimate ?? 0) < -question.lossOf(question.margin);
  const variation = { sd: of.sd, correlation: of.correlation ?? 0 };
  const given = { distance, cases: n, alpha: isWorse ? alpha : passAlpha };
  const needed = labelsNeeded(variation, { ...given, designEffect: effectOfClusters(inferred, question, of) });
  const advised = advisedLabels(needed, fewestLabels);
  const have = question.people?.labels ?? 0;
  // The widened interval of few labels is wider than the formula knows.
  const labels = advised.labels === null ? null : Math.min(n, Math.max(advised.labels, have + 1));
  const isAll = advised.labels === null && advised.isAll;
  return { kind: "labels", labels, more: labels === null ? 0 : labels - have, cases: advised.cases, isAll };
}

/** The factor by which clusters multiplied the variance of the corrected difference, as far as that was measured. */
function effectOfClusters(
  { comparison }: Inferred,
  { people }: Advised["question"],
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
  const { question, inferred } = given;
  const corrected = question.people?.corrected ?? null;
  if (corrected !== null) return labelsSettling(given, corrected);
  const { n, clusters, estimate } = inferred.comparison;
  if (question.looked !== null) return lookedSettling(given);
  if (question.next === null) return { kind: "last" };
  const isWorse = estimate !== null && estimate < -question.lossOf(question.margin);
  const level = isWorse ? given.later.alpha : given.later.passAlpha;
  const { counts, oneMore } = inferred.difference;
  const units = isWorse || counts !== null || clusters === n ? 0 : fewestUnits(question, level);
  const least = Math.max(leastClusters(inferred.comparison, level), units);
  if (!isWorse && oneMore?.never === "few") {
    return { kind: "clusters", least: fewestWithoutEnds, noun: "cases" };
  }
  // Nothing that so few could show would decide it: neither more of the same nor repeats of them.
  if (least > clusters) {
    const noun = clusters === n ? "cases" : clusterNoun(question.clusterColumn);
    return { kind: "clusters", least, noun };
  }
  if (estimate === null || inferred.difference.method === null) return { kind: "unknown" };
  const cases = casesToSettle(gateAt(given, given.later), { from: n, most: n * mostTimes });
  const times = (cases ?? Infinity) / n;
  const repeats = repeatsInstead(question, times);
  if (cases === null || cases > affordable(n)) return { kind: "too many", cases, repeats };
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
function lookedSettling({ question, inferred, alpha, passAlpha }: Advised): SettlingAdvice {
  const { difference, comparison } = inferred;
  const { clustered } = difference;
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
  if (cases === null || cases > affordable(comparison.n)) return { kind: "too many", cases, repeats: null };
  const clusters = Math.ceil((comparison.clusters * cases) / comparison.n - 1e-9);
  return { kind: "cases", cases, groups: clusterWords(clusters, cases, question.clusterColumn), repeats: null };
}

function repeatsInstead({ noise, fixedBaseline }: MarginQuestion, times: number): number | null {
  const more = noise === null ? null : repeatsFor(noise, 1 / times, fixedBaseline);
  return more === null || more > mostRepeats ? null : Math.max(2, Math.ceil(more - 1e-9));
}

/** The gate with the rule by which it decides, at the levels of this look, or of a later one. */
function gateAt({ question, inferred, alpha, passAlpha }: Advised, levels: GateLevels): SettledGate {
  const at = { margin: question.lossOf(question.margin), ...levels };
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
  if (question.range === null) return mean;
  if (test !== "alike") {
    const units = fewestUnits(question, levels.passAlpha);
    const isShown = (cases: number): boolean => (effectiveClusters * cases) / n >= units || (estimate ?? 0) > 0;
    return { ...mean, power: (claim, cases) => (claim === "pass" && !isShown(cases) ? 0 : mean.power(claim, cases)) };
  }
  const alike = { n, mean: estimate ?? 0, effectiveClusters, range: question.range };
  return { ...mean, power: settledStill(alike, at) };
}

/** The fewest clusters with which a claim at this level is possible; signs of C clusters have 2^C patterns, so that no p of them is below 2^-C. */
function leastClusters({ clusters, test }: PairedComparison, level: number): number {
  if (test === "sign-test") return Math.max(fewestClusters, Math.ceil(-Math.log2(level) - 1e-9));
  return test === "none" && clusters < fewestClusters ? fewestClusters : 0;
}

/** The smallest drop that labels like these show with 80 % power, by the same t. */
function correctedDrop({ question, inferred, alpha }: Advised): number | null {
  const { se, df } = inferred.comparison;
  if (se === null || se === 0) return null;
  const freedom = question.people?.corrected?.df ?? df;
  const drop = question.lossOf(question.margin) + (tQuantile(1 - alpha, freedom) + tQuantile(0.8, freedom)) * se;
  return question.range !== null && drop > question.range ? null : drop;
}

/** A run that goes on until it is decided finds every drop that its cases suffice for. */
export const lookedAtWords = "it was looked at while it ran: a smaller drop only takes more cases";

type SmallestDrop = Pick<MarginGateResult, "smallestDrop" | "noSmallestDrop">;

/** The smallest drop that this gate calls a regression. Where one was found there is nothing to add. */
function smallestDropOf(given: Advised, state: GateState): SmallestDrop {
  const { question, inferred } = given;
  const { clusters, n } = inferred.comparison;
  if (state === "regression") return { smallestDrop: null, noSmallestDrop: null };
  if (question.looked !== null) return { smallestDrop: null, noSmallestDrop: lookedAtWords };
  const size = clusterWords(clusters, n, question.clusterColumn) ?? casesText(n);
  const are = clusters === 1 ? "is" : "are";
  if (given.decided === null) return { smallestDrop: null, noSmallestDrop: `${size} ${are} too few` };
  const isCorrected = (question.people?.corrected ?? null) !== null;
  const drop = isCorrected ? correctedDrop(given) : gateAt(given, given).smallestDrop();
  if (drop === null) return { smallestDrop: null, noSmallestDrop: `${size} ${are} too few, were all of them lost` };
  const isPossible = question.headroom === null || drop <= question.headroom;
  return isPossible
    ? { smallestDrop: drop, noSmallestDrop: null }
    : {
        smallestDrop: null,
        noSmallestDrop: `${size} that vary so much are too few for what ${question.baseline} has to lose`,
      };
}
