import { isMargin } from "../comparison-plan.ts";
import { weighedHolm } from "../../stats/multiplicity.ts";
import type { GateInput, GateDecision } from "./gate-rule.ts";
import { gateRuleOf } from "./gate-rules.ts";
import type { GateLevels, GateQuestion, GateResult, GateState } from "./gate-shapes.ts";

/**
 * Decides all gates of a comparison together. A regression is claimed only where the p value, adjusted by Holm over all
 * gates and candidates, is at most alpha; a pass needs no adjustment, because all gates have to pass.
 */
export function decideGates(questions: readonly GateQuestion[], levels: GateLevels): GateResult[] {
  const decisions = decisionsOf(questions, levels);
  return questions.map((question, place) => {
    const decision = decisions[place] ?? { state: "invalid", tooFew: false, adjusted: null, level: levels.alpha };
    const result = gateRuleOf(question).result(question, decision, levels);
    return isAtCeiling(question, result.state) ? atCeiling(result, question.ceiling) : result;
  });
}

/** Whatever was counted, it was counted by a scorer that passes nearly anything. */
function isAtCeiling({ ceiling }: Pick<GateQuestion, "ceiling">, state: GateState): boolean {
  return ceiling !== null && state !== "invalid";
}

/** More cases would tell no more: there is no advice but another scorer. */
function atCeiling(result: GateResult, reason: string | null): GateResult {
  const open = { state: "inconclusive", tooFew: false, reason } as const;
  if (!isMargin(result)) return { ...result, ...open };
  return { ...result, ...open, settle: null, smallestDrop: null, noSmallestDrop: null };
}

/** The states alone, without the numbers that are only told. */
export function gateStates(
  questions: readonly GateQuestion[],
  levels: GateLevels,
): Pick<GateDecision, "state" | "tooFew">[] {
  return decisionsOf(questions, levels);
}

const order: readonly GateState[] = ["invalid", "regression", "inconclusive", "pass"];

/** A regression of one metric is not taken back because another cannot be judged; a value of a tag with too few cases is not waited for. */
export function worstState(gates: readonly Pick<GateResult, "state" | "tooFew">[]): GateState | null {
  const asked = gates.some(({ tooFew }) => !tooFew) ? gates.filter(({ tooFew }) => !tooFew) : gates;
  const states = new Set(asked.map(({ state }) => state));
  if (states.has("regression")) return "regression";
  return order.find((state) => states.has(state)) ?? null;
}

function decisionsOf(questions: readonly GateQuestion[], levels: GateLevels): GateDecision[] {
  const decisions = decisionsFrom(
    questions.map((question) => gateRuleOf(question).stand(question, levels)),
    levels,
  );
  return decisions.map((decision, place) => {
    const question = questions[place];
    const isOpen = question !== undefined && isAtCeiling(question, decision.state);
    return isOpen ? { ...decision, state: "inconclusive", tooFew: false } : decision;
  });
}

/** The states of all gates together, and the level of each claim of a regression. */
export function decisionsFrom(inputs: readonly GateInput[], levels: GateLevels): GateDecision[] {
  const { alpha } = levels;
  const family = weighedHolm(
    inputs.map(({ p }) => p),
    inputs.map(({ weight }) => weight),
  );
  return inputs.map((input, place) => {
    const { adjusted, factor } = family[place] ?? { adjusted: null, factor: 1 };
    const { p } = input;
    const isCapped = adjusted === null || p === null || adjusted >= 1;
    const level = isCapped ? alpha / factor : (alpha * p) / adjusted;
    const state = input.state(adjusted, levels);
    return { state, tooFew: state === "inconclusive" && input.tooFew(), adjusted, level };
  });
}
