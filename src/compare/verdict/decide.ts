import { isMargin } from "../comparison-plan.ts";
import { isRejected } from "../../stats/difference.ts";
import { weighedHolm } from "../../stats/multiplicity.ts";
import { gainOpenedBy, applyUndeclaredClusters } from "./columns.ts";
import type { GateFacts, GateLevels } from "./facts.ts";
import { type Basis, type Standing, standingGuard } from "./guards.ts";
import { type AskedGate, type GateFinding, isAskedMargin } from "./kind.ts";
import { gateKindOf } from "./kinds.ts";
import { type GateState, type GateWord, sureLevel, topWord } from "../verdict-word.ts";

/**
 * Decides all gates of a comparison together. A regression is claimed only where the p value, adjusted by Holm over all
 * gates and candidates, is at most alpha; a pass needs no adjustment, because all gates have to pass.
 */
export function decideGates(asked: readonly AskedGate[], levels: GateLevels): GateFacts[] {
  return gateFindings(asked, levels).map(({ gate, ...finding }) => {
    const facts = gateKindOf(gate).conclude(gate, finding, levels);
    if (finding.guard === "unable" && isMargin(facts))
      return { ...facts, settle: null, smallestDrop: null, noSmallestDrop: null };
    const openGain = isAskedMargin(gate) ? gainOpenedBy(gate, finding.word) : null;
    return openGain === null || !isMargin(facts) ? facts : { ...facts, openGain };
  });
}

/** Finds what is said of each gate, without the numbers that only explain it, and the gate as it was judged. */
export function gateFindings(asked: readonly AskedGate[], levels: GateLevels): (GateFinding & { gate: AskedGate })[] {
  const heeded = applyUndeclaredClusters(asked, (gates) => findingsOf(gates, levels));
  return findingsOf(heeded, levels).map((finding, place) => {
    const gate = heeded[place];
    if (gate === undefined) throw new RangeError("a finding of no gate");
    const hopeless =
      finding.word === "too-few-cases" && !finding.tooFew
        ? (gate.basis.hopeless?.({ alpha: finding.level, passAlpha: levels.passAlpha }) ?? null)
        : null;
    if (hopeless === null) return { ...finding, gate };
    return { ...finding, gate, word: "cannot-tell", guard: "hopeless", reason: hopeless };
  });
}

function findingsOf(gates: readonly Pick<AskedGate, "basis">[], levels: GateLevels): GateFinding[] {
  return findingsFrom(
    gates.map(({ basis }) => basis),
    levels,
  );
}

/** The same of what gates are decided by alone, as an early stop has it. */
export function findingsFrom(all: readonly Basis[], levels: GateLevels): GateFinding[] {
  const standing = all.map((basis) => standingGuard(basis, levels.passAlpha));
  const family = levelsOf(
    all.map(({ claims }, at) => (standing[at]?.takes === "validity" ? null : (claims?.pRegression ?? null))),
    all,
    levels.alpha,
  );
  const losses = levelsOf(
    all.map(({ pLoss }, at) => (takesEverything(standing[at]) ? null : (pLoss?.() ?? null))),
    all,
    sureLevel,
  );
  return all.map((basis, place) => {
    const guard = standing[place] ?? null;
    const { adjusted, level } = family[place] ?? { adjusted: null, level: levels.alpha };
    const sure = losses[place] ?? { adjusted: null, level: sureLevel };
    const loss =
      sure.adjusted !== null && isRejected(sure.adjusted, sureLevel) ? { p: sure.adjusted, level: sure.level } : null;
    const state = stateOf(basis, guard, { adjusted, ...levels });
    const isOpen = state === "inconclusive";
    const tooFew = isOpen && !takesEverything(guard) && basis.hasTooFew?.(levels.passAlpha) === true;
    const told = state === "regression" || state === "pass" ? null : guard;
    const word = isOpen ? openWord({ loss, tooFew, guard }) : state;
    return { state, word, tooFew, guard: told?.name ?? null, reason: told?.reason ?? null, adjusted, level, loss };
  });
}

const takesEverything = (guard: Standing | null | undefined): boolean =>
  guard?.takes === "validity" || guard?.takes === "every claim";

function stateOf(
  { claims, counted }: Basis,
  guard: Standing | null,
  { adjusted, alpha, passAlpha }: GateLevels & { adjusted: number | null },
): GateState {
  if (guard?.takes === "validity") return "invalid";
  if (guard?.takes === "every claim") return "inconclusive";
  if (counted === "regression" || isRejected(adjusted, alpha)) return "regression";
  const isPass = counted === "pass" || isRejected(claims?.pPass ?? null, passAlpha);
  return isPass && guard === null ? "pass" : "inconclusive";
}

function openWord({
  loss,
  tooFew,
  guard,
}: Pick<GateFinding, "loss" | "tooFew"> & { guard: Standing | null }): GateWord {
  if (loss !== null) return "worse";
  return !tooFew && guard?.isFinal === true ? "cannot-tell" : "too-few-cases";
}

/** P values adjusted by Holm, each gate with its weight, and the level that is left to each alone. */
function levelsOf(ps: readonly (number | null)[], all: readonly Basis[], alpha: number) {
  const family = weighedHolm(
    ps,
    all.map(({ weight }) => weight),
  );
  return ps.map((p, place) => {
    const { adjusted, factor } = family[place] ?? { adjusted: null, factor: 1 };
    const isCapped = adjusted === null || p === null || adjusted >= 1;
    return { adjusted, level: isCapped ? alpha / factor : (alpha * p) / adjusted };
  });
}

const order: readonly GateState[] = ["regression", "invalid", "inconclusive", "pass"];

/** A regression of one metric is not taken back because another cannot be judged. */
export function worstState(gates: readonly Pick<GateFacts, "state" | "tooFew">[]): GateState | null {
  const states = new Set(askedGates(gates).map(({ state }) => state));
  return order.find((state) => states.has(state)) ?? null;
}

/** The word of some gates together. */
export function worstWord(gates: readonly Pick<GateFacts, "word" | "tooFew">[]): GateWord | null {
  return topWord(askedGates(gates).map((gate) => gate.word));
}

/** Those that a verdict waits for: a value of a tag with too few cases is none. */
export function askedGates<Gate extends Pick<GateFacts, "tooFew">>(gates: readonly Gate[]): readonly Gate[] {
  const asked = gates.filter(({ tooFew }) => !tooFew);
  return asked.length > 0 ? asked : gates;
}
