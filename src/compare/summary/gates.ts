import { holm } from "../../stats/multiplicity.ts";
import { regressionGate, type Settle } from "../../stats/paired/gate.ts";
import { enoughForT, enoughToFlip, type PairedComparison, skewWords } from "../../stats/paired/paired-comparison.ts";
import { clusterNoun } from "./cluster-words.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import { type NoiseSummary, repeatsFor } from "./metric-noise.ts";

export type GateState = "regression" | "pass" | "inconclusive" | "invalid";

/** A gate of one metric for one candidate, and how it came out. */
export interface GateResult {
  metric: string;
  of: MeasureOf;
  candidate: string;
  baseline: string;
  /** The loss that is accepted: a share for a pass rate and a ratio, else in the unit of the score. */
  margin: number;
  state: GateState;
  /** One-sided, of H0: no more is lost than the margin, the larger of both where a stricter method was asked too; and adjusted over all gates (Holm). */
  p: number | null;
  adjusted: number | null;
  /** Advice that would settle it; null when it is settled, or when nothing would. */
  settle: GateAdvice | null;
  /** The reason why it is invalid or cannot be decided; null otherwise. */
  reason: string | null;
}

interface GateAdvice {
  /** Cases that it takes, were the difference to stay; null when that is not known. */
  cases: number | null;
  /** Times the runs of each case that would do the same; null: not known, or no number would. */
  repeats: number | null;
  /** False when it takes so many cases that only a wider margin helps. */
  affordable: boolean;
  /** The advice in words. */
  text: string;
}

/** The numbers that a gate decides by. */
export interface GateQuestion {
  metric: string;
  of: MeasureOf;
  candidate: string;
  baseline: string;
  /** The margin as it is written; `loss` is the same for the statistics: of a ratio the logarithm. */
  margin: number;
  loss: number;
  comparison: PairedComparison | null;
  noise: NoiseSummary | null;
  /** The baseline was run before and stays as it is. */
  fixedBaseline: boolean;
  /** The column by which cases belong together; null: they are turns of a conversation, or each its own. */
  clusterColumn: string | null;
  /** The reason why nothing may be decided; null when something may. */
  invalid: string | null;
}

/**
 * Decides all gates of a comparison together. A regression is claimed only where the p value, adjusted by Holm over all
 * gates and candidates, is at most alpha too; a pass needs no adjustment, because all gates have to pass, and where alpha
 * is spent over nights it keeps the whole of it: what is spent are false alarms.
 */
export function decideGates(questions: readonly GateQuestion[], alpha: number, passAlpha = alpha): GateResult[] {
  const ps = questions.map(({ comparison, invalid }) =>
    invalid !== null || comparison === null
      ? null
      : largest(comparison.pRegression, comparison.stricter?.pRegression ?? null),
  );
  const adjusted = holm(ps);
  return questions.map((question, i) => {
    const [p, adjustedP] = [ps[i] ?? null, adjusted[i] ?? null];
    // Factor of this p in Holm's step.
    const family = ps.filter((other, place) => other !== null && (place === i || p === null || other >= p)).length;
    return decide(question, { alpha, passAlpha, p, adjusted: adjustedP, family: Math.max(1, family) });
  });
}

interface Levels {
  alpha: number;
  passAlpha: number;
}

interface Level extends Levels {
  p: number | null;
  adjusted: number | null;
  family: number;
}

function decide(question: GateQuestion, { alpha, passAlpha, p, adjusted, family }: Level): GateResult {
  const { metric, of, candidate, baseline, margin, loss, comparison, invalid } = question;
  const about = { metric, of, candidate, baseline, margin, p, adjusted };
  if (invalid !== null) return { ...about, state: "invalid", settle: null, reason: invalid };
  if (comparison === null) {
    return { ...about, state: "invalid", settle: null, reason: "no case has a score on both sides" };
  }
  const { n, estimate, bounds } = comparison;
  const passP = comparison.stricter?.pPass ?? null;
  const told = { n, estimate, bounds, margin: loss, alpha, passAlpha };
  const { state, settle } = regressionGate({ ...told, adjustedP: adjusted, regressionP: p, passP });
  const advice = settle === null ? null : adviceOf(settle, question, leastClusters(comparison, { ...told, family }));
  const held = heldBack(comparison, { ...told, adjusted });
  if (advice !== null && held !== null) advice.text += `; ${held}`;
  return {
    ...about,
    state,
    settle: advice,
    reason: state === "inconclusive" ? comparison.reason : pointOf(comparison),
  };
}

/** An interval of one point is no certainty; null where it is none. */
function pointOf({ interval }: PairedComparison): string | null {
  if (interval === null || interval.low < interval.high) return null;
  return "no variation: every case differs by the same amount, and a score without bounds does not say how far others could.";
}

function largest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** The reason why an answer that the bounds alone would give is not given; null if they give none, or it is. */
function heldBack(
  comparison: PairedComparison,
  { margin, alpha, passAlpha, adjusted }: Levels & { margin: number; adjusted: number | null },
): string | null {
  const { bounds, stricter } = comparison;
  const { lower, upper } = bounds;
  if (upper !== null && upper < -margin && adjusted !== null && adjusted > alpha) {
    const p = stricter?.pRegression ?? null;
    const isDoubted = p !== null && p > alpha;
    const why = isDoubted ? stricterWords(comparison, p) : `over all gates (Holm) its p is ${adjusted.toFixed(3)}`;
    return `by the interval alone it would be a regression, but ${why}`;
  }
  const p = stricter?.pPass ?? null;
  if (lower === null || lower <= -margin || p === null || p <= passAlpha) return null;
  return `by the interval alone it would be a pass, but ${stricterWords(comparison, p)}`;
}

function stricterWords({ stricter, skewness }: PairedComparison, p: number): string {
  return stricter?.by === "skewness"
    ? `${skewWords(skewness ?? 0)}: corrected for that p is ${p.toFixed(3)}`
    : `so few cases differ that counting every outcome gives p ${p.toFixed(3)}`;
}

function adviceOf(
  settle: Settle,
  { noise, fixedBaseline, comparison, clusterColumn }: GateQuestion,
  least: number,
): GateAdvice {
  const { n = 0, clusters = 0 } = comparison ?? {};
  const noun = clusters === n ? "cases" : clusterNoun(clusterColumn);
  const few = { cases: null, repeats: null, affordable: true };
  if (settle.kind === "unknown" && least <= clusters) return { ...few, text: `more cases: ${settle.reason}` };
  // No result of so few cases would decide it: neither more of the same nor repeats of them.
  if (least > clusters && (settle.kind === "unknown" || (settle.cases ?? Infinity) * clusters < least * n)) {
    const better = least < enoughForT ? `, and ${enoughForT} for a short interval` : "";
    return { ...few, text: `more ${noun}: at least ${least}${better}` };
  }
  if (settle.kind === "unknown") return { ...few, text: `more cases: ${settle.reason}` };
  if (settle.kind === "not affordable") {
    const many = settle.cases === null ? "" : ` (about ${roughly(settle.cases).toLocaleString("en-US")} cases)`;
    const text = `not affordable${many}: widen the margin`;
    return { cases: settle.cases, repeats: null, affordable: false, text };
  }
  const { cases, times } = settle;
  const more = noise === null || least > clusters ? null : repeatsFor(noise, 1 / times, fixedBaseline);
  const repeats = more === null || more > mostRepeats ? null : Math.max(2, Math.ceil(more - 1e-9));
  const words = [`about ${roughly(cases).toLocaleString("en-US")} cases`];
  if (repeats !== null) words.push(`${repeats} repeats of these ${n.toLocaleString("en-US")}`);
  return { cases, repeats, affordable: true, text: words.join(", or ") };
}

/**
 * Clusters that it takes for the answer that the difference points to: signs of C clusters have 2^C patterns, so that no
 * p is below 2^-C, until Student's t takes over; a regression has to hold over all gates too.
 */
function leastClusters(
  { clusters, estimate, test }: PairedComparison,
  { alpha, passAlpha, family, margin }: Levels & { family: number; margin: number },
): number {
  if (clusters >= enoughForT || test === "mcnemar-mid-p") return 0;
  const level = estimate !== null && estimate < -margin ? alpha / family : passAlpha;
  const patterns = Math.ceil(-Math.log2(level) - 1e-9);
  return Math.min(enoughForT, Math.max(enoughToFlip, patterns));
}

/** Greatest number of repeats given as advice. */
const mostRepeats = 100;

/** Two digits are all that such an estimate has. */
function roughly(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.ceil(count / step) * step;
}
