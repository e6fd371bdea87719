import { seededRandom, type Random } from "../../lib/random.ts";
import type { Interval } from "../../stats/interval.ts";
import { normalCdf, normalQuantile } from "../../stats/distributions/normal.ts";
import { isRejected } from "../../stats/paired/method.ts";
import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { type ComparedMetric, isMargin, lossOf, marginGate, primaryPlace, rangeOf } from "../comparison-plan.ts";
import type { GateResult, Inferred, MarginQuestion } from "./gate-shapes.ts";
import { gateQuestions } from "./gate-questions.ts";
import { betterLevel, type GateState, sureLevel, type VerdictWord, wordFacts } from "../verdict-word.ts";
import { gateRuleOf } from "./gate-rules.ts";
import { candidateVerdicts } from "./candidate-verdict.ts";
import { decideGates, gateFindings, worstWord } from "./gates.ts";
import { drawnCases, numbersOf, type RepeatedRuns, segmentsOfDrawn } from "./imitation.ts";
import { inferredOf, pairedNumbers } from "./metric-inference.ts";
import { segmentSummaries } from "./segment-summary.ts";
import { worseMetrics } from "./worse.ts";

/** The plan of the imitated comparisons. */
export interface CalibrationPlan {
  metrics: readonly ComparedMetric[];
  /** Runs of a case on each side; fewer where there are not so many. */
  runs: { baseline: number; candidate: number };
  /** True drops that are planted, in the unit of the first gate's margin (in the others as many of theirs); 0: nothing has changed. */
  drops: readonly number[];
  repetitions: number;
  alpha: number;
  /** Share of wrong passes, the whole of it for all nights. */
  passAlpha: number;
  seed: string;
}

/** The words that an imitated comparison can end with. */
export const calibratedWords = [
  "regression",
  "worse",
  "cannot-tell",
  "too-few-cases",
  "pass",
  "better",
] as const satisfies readonly VerdictWord[];

export type CalibratedWord = (typeof calibratedWords)[number];

/** Verdicts when a drop was planted. */
export interface CalibrationRow {
  drop: number;
  /** Repetitions by the word at the top, of the gates that accept a margin. */
  words: Record<CalibratedWord, number>;
  /** The same by the state of that word. */
  states: Record<Exclude<GateState, "invalid">, number>;
  repetitions: number;
  /**
   * Share of repetitions with a false alarm, REGRESSION or WORSE, with Wilson's 95 % interval; null where a drop was planted,
   * about which WORSE is right.
   */
  falseAlarms: { share: number; interval: Interval | null } | null;
  /** Share of repetitions with a regression, with Wilson's 95 % interval. */
  regression: number;
  interval: Interval | null;
  /**
   * The share that is promised: at most alpha up to the margin, and beyond it the power of the first gate by its mean
   * standard error.
   */
  promised: number | null;
  /**
   * True when the gates give no more false alarms than promised, as far as so many repetitions tell; null beyond the
   * margin.
   */
  kept: boolean | null;
  /** The same of WORSE, which at most 1 % of equal bots are called; null where a drop was planted. */
  keptWorse: boolean | null;
  /** The same of BETTER, which is false whatever was planted: at most 2.5 %. */
  keptBetter: boolean | null;
  /** The same of passes, BETTER among them, from a drop of the margin on, where each is a false one; null below. */
  keptPass: boolean | null;
  /** Share of repetitions in which a gate that counts losses called a regression; null without such a gate. It promises nothing. */
  losses: number | null;
}

/**
 * Compares a target with itself, again and again, through the gates as they are configured: draws whole clusters with
 * replacement, draws which of their runs are the candidate's, plants a drop, and decides. The shares are counted, not
 * derived from a formula.
 */
export function calibrate(data: RepeatedRuns, plan: CalibrationPlan): CalibrationRow[] {
  return plan.drops.map((drop) => {
    const random = seededRandom(`${plan.seed}/${drop}`);
    const words = { regression: 0, worse: 0, "cannot-tell": 0, "too-few-cases": 0, pass: 0, better: 0 };
    let [half, lost] = [0, 0];
    for (let repetition = 0; repetition < plan.repetitions; repetition++) {
      const found = repeatOnce(data, plan, { drop, random, seed: `${plan.seed}/${drop}/${repetition}` });
      if (found.word !== null) words[found.word] += 1;
      half += found.half / plan.repetitions;
      lost += Number(found.lost) / plan.repetitions;
    }
    return rowOf(plan, { drop, words, half, lost });
  });
}

function rowOf(
  plan: CalibrationPlan,
  { drop, words, half, lost }: Pick<CalibrationRow, "drop" | "words"> & { half: number; lost: number },
): CalibrationRow {
  const { repetitions, metrics } = plan;
  const isKept = (count: number, alpha: number): boolean =>
    (wilsonInterval(count, repetitions, 0.95)?.low ?? 0) <= alpha;
  const beyond = beyondMargin(plan, drop);
  const counts = metrics.some(({ gates }) => gates.some((gate) => !gateRuleOf(gate).claims));
  const states = statesOf(words);
  const alarms = words.regression + words.worse;
  const hasWords = calibratedWords.some((word) => words[word] > 0);
  return {
    drop,
    words,
    states,
    repetitions,
    falseAlarms: drop > 0 ? null : { share: alarms / repetitions, interval: wilsonInterval(alarms, repetitions, 0.95) },
    regression: states.regression / repetitions,
    interval: wilsonInterval(states.regression, repetitions, 0.95),
    promised: promisedOf(plan, drop, half),
    kept: beyond === null || beyond > 1e-12 ? null : isKept(states.regression, plan.alpha),
    keptWorse: drop > 0 || !hasWords ? null : isKept(words.worse, falseWorse),
    keptBetter: hasWords ? isKept(words.better, falseBetter) : null,
    keptPass: beyond === null || beyond < -1e-12 ? null : isKept(states.pass, plan.passAlpha),
    losses: counts ? lost : null,
  };
}

/** The most that is promised of bots which are equal: a loss that is sure is one-sided, and a gain is half of what is two-sided. */
export const falseWorse = sureLevel;
export const falseBetter = betterLevel / 2;

function statesOf(words: CalibrationRow["words"]): CalibrationRow["states"] {
  const states = { regression: 0, pass: 0, inconclusive: 0 };
  for (const word of calibratedWords) {
    const { state } = wordFacts(word);
    if (state !== "invalid") states[state] += words[word];
  }
  return states;
}

interface Repetition {
  drop: number;
  random: Random;
  seed: string;
}

interface Repeated {
  /** The word of the gates that accept a margin; null where there is none. */
  word: CalibratedWord | null;
  /** A gate that counts losses called a regression. */
  lost: boolean;
  /** Distance from the difference to the upper bound of the first gate. */
  half: number;
}

function repeatOnce(data: RepeatedRuns, plan: CalibrationPlan, { drop, random, seed }: Repetition): Repeated {
  const { metrics, alpha, passAlpha } = plan;
  const drawn = drawnCases(data, plan.runs, random);
  const numbers = metrics.map((compared, place) =>
    numbersOf(compared, data, { place, drawn, drop: plantedIn(compared, plan, drop), random }),
  );
  const clusters = Int32Array.from(drawn, ({ cluster }) => cluster);
  const options = { confidence: 1 - alpha, passConfidence: 1 - passAlpha, seed, second: false };
  const inferredAt = (place: number): Inferred | null => {
    const [compared, own] = [metrics[place], numbers[place]];
    if (compared === undefined || own === undefined) return null;
    const margin = lossOf(compared, marginGate(compared)?.margin ?? 0);
    const paired = pairedNumbers(compared, own, { differences: own.differences, clusters });
    return inferredOf(paired, { ...options, margin });
  };
  const overall = metrics.map((compared, place) => {
    return { inferred: marginGate(compared) === null ? null : inferredAt(place), noise: null };
  });
  const segments = segmentsOfDrawn(data, drawn);
  const results = {
    metrics: numbers,
    clusters,
    slices: segments.slices(),
    sent: new Int32Array(0),
    expectedLength: null,
  };
  const about = { ...pair, fixedBaseline: false, clusterColumn: null, stop: null, chosen: null };
  const levels = { alpha, passAlpha };
  const questions = gateQuestions({ ...about, metrics, results, ...levels, seed, overall });
  const findings = gateFindings(questions, levels);
  const of = (claims: boolean) => findings.filter(({ question }) => gateRuleOf(question).claims === claims);
  const first = questions.find(isMargin);
  const word = decidedWord(of(true));
  const isBetter = (): boolean => {
    const compared = metrics.map((_, place) => (overall[place]?.inferred ?? inferredAt(place))?.comparison ?? null);
    // Few of equal bots come so far, and the rest of a gate takes time to find.
    if (!mayBeBetter(compared[Math.max(0, primaryPlace(metrics))] ?? null)) return false;
    const judged = metrics.map(({ metric, of: measure, gates }, place) => {
      const comparison = compared[place] ?? null;
      return { metric: metric.name, of: measure, primary: metric.primary, gated: gates.length > 0, comparison };
    });
    const { told: slices } = segmentSummaries(
      metrics,
      { ...results, tagPairs: segments.pairs() },
      { seed, stop: null, chosen: null },
    );
    return isCalledBetter(decideGates(questions, levels), { ...pair, metrics: judged, slices });
  };
  return {
    word: word === "pass" && isBetter() ? "better" : word,
    lost: of(false).some(({ state }) => state === "regression"),
    // The bound of one value of a tag tells nothing of the others.
    half: first === undefined || first.slice !== null ? 0 : halfOf(first, alpha),
  };
}

/** Both sides of an imitated comparison are one target, which needs no name there. */
const pair = { candidate: "", baseline: "" };

/** A gate of which nothing is known cannot tell. */
function decidedWord(findings: ReturnType<typeof gateFindings>): Exclude<Repeated["word"], "better"> {
  const worst = worstWord(findings);
  return worst === "invalid" ? "cannot-tell" : worst;
}

function mayBeBetter(comparison: PairedComparison | null): boolean {
  return (
    comparison?.p !== undefined && isRejected(comparison.p ?? 1, betterLevel) && (comparison.interval?.low ?? 0) > 0
  );
}

/** Decided as a comparison does it: losses of metrics with a gate and of tags take the word away. */
function isCalledBetter(
  gates: readonly GateResult[],
  candidate: Parameters<typeof candidateVerdicts>[0][number] & Parameters<typeof worseMetrics>[0][number],
): boolean {
  const [verdict] = candidateVerdicts([candidate], gates, worseMetrics([candidate], gates));
  return verdict?.word === "better";
}

function halfOf({ inferred, lossOf: lossAt, margin }: MarginQuestion, alpha: number): number {
  const upper = inferred?.inference.rule?.first.upper(1 - alpha, -lossAt(margin)) ?? null;
  const estimate = inferred?.comparison.estimate ?? null;
  return upper === null || estimate === null ? 0 : upper - estimate;
}

/** The margin that drops are measured by: of the first gate that accepts one. */
function firstMargin({
  metrics,
}: Pick<CalibrationPlan, "metrics">): { compared: ComparedMetric; margin: number } | null {
  for (const compared of metrics) {
    const margin = marginOf(compared);
    if (margin !== null) return { compared, margin };
  }
  return null;
}

function marginOf({ gates }: ComparedMetric): number | null {
  for (const gate of gates) if (isMargin(gate) && gate.margin !== null) return gate.margin;
  return null;
}

/** Gates have units of their own: what is one margin of the first is one margin of each. */
function plantedIn(compared: ComparedMetric, plan: CalibrationPlan, drop: number): number {
  const first = firstMargin(plan);
  const own = marginOf(compared);
  if (first === null || compared === first.compared) return drop;
  if (first.margin > 0 && own !== null) return (drop / first.margin) * own;
  // Without a margin there is only the unit to go by.
  return compared.of === first.compared.of && rangeOf(compared) === rangeOf(first.compared) ? drop : 0;
}

/** Distance of a drop beyond the margin of the first gate, as the statistics take it; null where no gate has one. */
function beyondMargin(plan: CalibrationPlan, drop: number): number | null {
  const first = firstMargin(plan);
  if (first === null) return null;
  const { compared, margin } = first;
  return lossOf(compared, drop) - lossOf(compared, margin);
}

function promisedOf(plan: CalibrationPlan, drop: number, half: number): number | null {
  const beyond = beyondMargin(plan, drop);
  if (beyond === null || beyond <= 1e-12) return beyond === null ? null : plan.alpha;
  if (half <= 0) return null;
  const z = normalQuantile(1 - plan.alpha);
  return normalCdf(z * (beyond / half - 1));
}
