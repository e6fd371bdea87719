import { weighedHolm } from "../../stats/multiplicity.ts";
import { claimedBounds } from "../../stats/paired/method.ts";
import { type PairedComparison, skewWords } from "../../stats/paired/paired-comparison.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import { adviceFor, leastClusters, smallestDropOf } from "./gate-advice.ts";
import type { DecidedByBounds, GateResult, GateState, LossesGateResult, MarginGateResult } from "./gate-result.ts";
import type { GateLevels, GateQuestion, Inferred, LossesQuestion, MarginQuestion } from "./gate-question.ts";

/** State of a gate, before its numbers are told. */
interface Standing {
  state: GateState;
  /** A value of a tag with too few cases for a pass, whatever they show, that was no regression either. */
  tooFew: boolean;
  /** p of the claim of a regression, adjusted over all gates (Holm). */
  adjusted: number | null;
  /** Level of that claim for this gate alone. */
  level: number;
}

/**
 * Decides all gates of a comparison together. A regression is claimed only where the p value, adjusted by Holm over all
 * gates and candidates, is at most alpha; a pass needs no adjustment, because all gates have to pass.
 */
export function decideGates(questions: readonly GateQuestion[], levels: GateLevels): GateResult[] {
  const standings = standingsOf(questions, levels);
  return questions.map((question, place) => {
    const standing = standings[place] ?? { state: "invalid", tooFew: false, adjusted: null, level: levels.alpha };
    return question.kind === "losses" ? lossesResult(question) : marginResult(question, standing, levels);
  });
}

/** The states alone, without the numbers that are only told. */
export function gateStates(
  questions: readonly GateQuestion[],
  levels: GateLevels,
): Pick<Standing, "state" | "tooFew">[] {
  return standingsOf(questions, levels);
}

const order: readonly GateState[] = ["invalid", "regression", "inconclusive", "pass"];

/** A regression of one metric is not taken back because another cannot be judged; a value of a tag with too few cases is not waited for. */
export function worstState(gates: readonly Pick<GateResult, "state" | "tooFew">[]): GateState | null {
  const asked = gates.some(({ tooFew }) => !tooFew) ? gates.filter(({ tooFew }) => !tooFew) : gates;
  const states = new Set(asked.map(({ state }) => state));
  if (states.has("regression")) return "regression";
  return order.find((state) => states.has(state)) ?? null;
}

function standingsOf(questions: readonly GateQuestion[], { alpha, passAlpha }: GateLevels): Standing[] {
  const ps = questions.map((question) =>
    question.kind === "losses" || question.invalid !== null
      ? null
      : (question.inferred?.comparison.pRegression ?? null),
  );
  // The values of a tag are one gate among the others: they share its weight.
  const weights = questions.map((question) => (question.kind === "losses" ? 0 : 1 / question.values));
  const family = weighedHolm(ps, weights);
  return questions.map((question, place) => {
    const { adjusted, factor } = family[place] ?? { adjusted: null, factor: 1 };
    const p = ps[place] ?? null;
    const isCapped = adjusted === null || p === null || adjusted >= 1;
    const level = isCapped ? alpha / factor : (alpha * p) / adjusted;
    const pPass = question.kind === "losses" ? null : (question.inferred?.comparison.pPass ?? null);
    const state = stateOf(question, { adjusted, pPass, alpha, passAlpha });
    return { state, tooFew: state === "inconclusive" && hasTooFew(question, passAlpha), adjusted, level };
  });
}

function stateOf(
  question: GateQuestion,
  { adjusted, pPass, alpha, passAlpha }: GateLevels & { adjusted: number | null; pPass: number | null },
): GateState {
  if (question.kind === "losses") return lossesState(question);
  if (question.invalid !== null || question.inferred === null) return "invalid";
  if (isAtFloor(question)) return "inconclusive";
  if (adjusted !== null && adjusted <= alpha * (1 + 1e-9)) return "regression";
  return pPass !== null && pPass <= passAlpha * (1 + 1e-9) ? "pass" : "inconclusive";
}

/** So few cases that no pass is possible with none worse: that is said of a value of a tag, which others may outnumber. */
function hasTooFew(question: GateQuestion, passAlpha: number): boolean {
  if (question.kind === "losses" || question.slice === null || question.inferred === null) return false;
  if (isAtFloor(question)) return false;
  const { comparison, counts } = question.inferred;
  return counts === null
    ? comparison.clusters < leastClusters(comparison, passAlpha)
    : comparison.n < fewestToPass(question.margin, passAlpha);
}

/** A metric cannot fall by more than it has: at its floor it says nothing, unless the candidate has surely risen from there. */
function isAtFloor({ room, margin, inferred }: MarginQuestion): boolean {
  if (room === null || room >= margin * (1 - 1e-9)) return false;
  const lower = inferred?.inference.rule?.first.lower(0.95, 0) ?? null;
  return lower === null || lower <= 0;
}

const noCase = "no case has a score on both sides";

function marginResult(question: MarginQuestion, standing: Standing, levels: GateLevels): MarginGateResult {
  const { margin, inferred, invalid } = question;
  const about = { ...headOf(question), kind: "margin" as const, margin, tooFew: standing.tooFew };
  const nothing = { decided: null, smallestDrop: null, noSmallestDrop: null, settle: null };
  if (invalid !== null) return { ...about, ...nothing, state: "invalid", reason: invalid };
  if (inferred === null) return { ...about, ...nothing, state: "invalid", reason: noCase };
  const { state } = standing;
  const decided = decidedBy(question, inferred, { ...standing, passAlpha: levels.passAlpha });
  const told = { ...about, state, decided };
  if (isAtFloor(question)) {
    return { ...told, smallestDrop: null, noSmallestDrop: null, settle: null, reason: floorWords(question) };
  }
  const given = { question, inferred, decided, alpha: standing.level, passAlpha: levels.passAlpha };
  const settle = state === "inconclusive" ? adviceFor(given) : null;
  return {
    ...told,
    ...smallestDropOf(given, state),
    settle,
    reason: state === "inconclusive" ? openReason(inferred, decided) : pointOf(inferred.comparison),
  };
}

function headOf({ metric, of, candidate, baseline, slice, figures }: GateQuestion) {
  return { metric, of, candidate, baseline, slice, figures };
}

function decidedBy(
  question: MarginQuestion,
  { comparison, inference }: Inferred,
  { adjusted, level, passAlpha }: Standing & { passAlpha: number },
): DecidedByBounds | null {
  if (inference.rule === null) return null;
  const confidence = { lower: 1 - passAlpha, upper: 1 - level };
  const loss = question.lossOf(question.margin);
  const { pRegression, pPass, stricter, intervalBy } = comparison;
  return {
    by: intervalBy,
    ...claimedBounds(inference.rule, { margin: loss, ...confidence }),
    confidence,
    pRegression,
    adjusted,
    pPass,
    stricter,
  };
}

/** Why nothing is claimed although the first method alone would. */
function openReason({ comparison }: Inferred, decided: DecidedByBounds | null): string | null {
  if (decided === null || decided.stricter === null) return comparison.reason;
  return decided.stricter === "skewness"
    ? skewWords(comparison.skewness ?? 0)
    : "so few cases differ that every outcome is counted";
}

/** An interval of one point is no certainty; null where it is none. */
function pointOf({ interval }: PairedComparison): string | null {
  if (interval === null || interval.low < interval.high) return null;
  return "no variation: every case differs by the same amount, and a score without bounds does not say how far others could.";
}

function floorWords({
  metric,
  baseline,
  candidate,
  floorCause,
}: Pick<MarginQuestion, "metric" | "baseline" | "candidate" | "floorCause">): string {
  const cause = floorCause === null ? "" : `; ${floorCause}`;
  return `${metric} is at its floor on ${baseline}: it cannot fall by the margin, so that nothing is known of ${candidate}${cause}`;
}

function lossesState({ invalid, counted, losses, passing }: LossesQuestion): GateState {
  if (invalid !== null || counted.cases === 0) return "invalid";
  if (counted.lost > losses) return "regression";
  return passing === 0 ? "inconclusive" : "pass";
}

function lossesResult(question: LossesQuestion): LossesGateResult {
  const { losses, counted, invalid } = question;
  const state = lossesState(question);
  const about = { ...headOf(question), kind: "losses" as const, losses, state, tooFew: false };
  if (state === "invalid") return { ...about, decided: null, reason: invalid ?? noCase };
  const reason = state === "inconclusive" ? floorWords(question) : null;
  return { ...about, decided: counted, reason };
}
