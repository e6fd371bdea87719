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

/** Everything that the state of a gate depends on. */
export type GateStand = { kind: "losses"; state: GateState } | MarginStand;

interface MarginStand {
  kind: "margin";
  /** p values of the two claims; null: nothing may be decided. */
  claims: { pRegression: number | null; pPass: number | null } | null;
  /** Values of the tag that its gate asks one by one. */
  values: number;
  isAtFloor: () => boolean;
  hasTooFew: () => boolean;
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

function standingsOf(questions: readonly GateQuestion[], levels: GateLevels): Standing[] {
  return standingsFrom(
    questions.map((question) => standOf(question, levels)),
    levels,
  );
}

/** The states of all gates together, and the level of each claim of a regression. */
export function standingsFrom(stands: readonly GateStand[], { alpha, passAlpha }: GateLevels): Standing[] {
  const ps = stands.map((stand) => (stand.kind === "losses" ? null : (stand.claims?.pRegression ?? null)));
  // The values of a tag are one gate among the others: they share its weight.
  const weights = stands.map((stand) => (stand.kind === "losses" ? 0 : 1 / stand.values));
  const family = weighedHolm(ps, weights);
  return stands.map((stand, place) => {
    const { adjusted, factor } = family[place] ?? { adjusted: null, factor: 1 };
    const p = ps[place] ?? null;
    const isCapped = adjusted === null || p === null || adjusted >= 1;
    const level = isCapped ? alpha / factor : (alpha * p) / adjusted;
    const state = stand.kind === "losses" ? stand.state : stateOf(stand, adjusted, { alpha, passAlpha });
    const tooFew = stand.kind === "margin" && state === "inconclusive" && stand.hasTooFew();
    return { state, tooFew, adjusted, level };
  });
}

function standOf(question: GateQuestion, { passAlpha }: GateLevels): GateStand {
  if (question.kind === "losses") return { kind: "losses", state: lossesState(question) };
  return {
    kind: "margin",
    claims: question.invalid === null ? (question.inferred?.comparison ?? null) : null,
    values: question.values,
    isAtFloor: () => isAtFloor(question),
    hasTooFew: () => hasTooFew(question, passAlpha),
  };
}

function stateOf(
  { claims, isAtFloor: isFloor }: MarginStand,
  adjusted: number | null,
  { alpha, passAlpha }: GateLevels,
): GateState {
  if (claims === null) return "invalid";
  if (isFloor()) return "inconclusive";
  if (adjusted !== null && isRejected(adjusted, alpha)) return "regression";
  return claims.pPass !== null && isRejected(claims.pPass, passAlpha) ? "pass" : "inconclusive";
}

/** Rounding decides nothing. */
function isRejected(p: number, alpha: number): boolean {
  return p <= alpha * (1 + 1e-9);
}

/** So few cases that no pass is possible with none worse: that is said of a value of a tag, which others may outnumber. */
function hasTooFew(question: MarginQuestion, passAlpha: number): boolean {
  if (question.slice === null || question.inferred === null) return false;
  if (isAtFloor(question)) return false;
  if (question.looked !== null) return question.looked.fewest > question.looked.planned;
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
  if (question.chosen !== null) return { ...about, ...nothing, state, reason: question.chosen };
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

function headOf({ metric, of, candidate, baseline, slice, figures, confirm }: GateQuestion) {
  return { metric, of, candidate, baseline, slice, figures, ...(confirm === true && { confirm }) };
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

function lossesState({ invalid, chosen, counted, losses, passing, left }: LossesQuestion): GateState {
  if (invalid !== null || counted.cases === 0) return "invalid";
  if (counted.lost > losses) return "regression";
  return passing === 0 || left > 0 || chosen !== null ? "inconclusive" : "pass";
}

function lossesResult(question: LossesQuestion): LossesGateResult {
  const { losses, counted, invalid } = question;
  const state = lossesState(question);
  const about = { ...headOf(question), kind: "losses" as const, losses, state, tooFew: false };
  if (state === "invalid") return { ...about, decided: null, reason: invalid ?? noCase };
  const open = question.chosen ?? (question.left > 0 ? leftWords(question) : floorWords(question));
  return { ...about, decided: counted, reason: state === "inconclusive" ? open : null };
}

function leftWords({ counted: { cases }, left }: LossesQuestion): string {
  return `it passes only when every case was looked at: ${left} of ${cases + left} were not sent`;
}
