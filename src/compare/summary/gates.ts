import { isMargin } from "../comparison-plan.ts";
import { holm, weighedHolm } from "../../stats/multiplicity.ts";
import { isRejected, type PairedComparison } from "../../stats/difference.ts";
import type { GateDecision, GateFinding, GateInput } from "./gate-rule.ts";
import { gateRuleOf } from "./gate-rules.ts";
import { likenessLevel } from "./dependence.ts";
import type { ByColumn, GateLevels, GateQuestion, GateResult, MarginQuestion, OpenGain } from "./gate-shapes.ts";
import { betterLevel, type GateState, type GateWord, sureLevel, topWord } from "../verdict-word.ts";

/**
 * Decides all gates of a comparison together. A regression is claimed only where the p value, adjusted by Holm over all
 * gates and candidates, is at most alpha; a pass needs no adjustment, because all gates have to pass.
 */
export function decideGates(questions: readonly GateQuestion[], levels: GateLevels): GateResult[] {
  return gateFindings(questions, levels).map(({ question, ...finding }) => {
    const result = gateRuleOf(question).result(question, finding, levels);
    const { unable } = question;
    if (unable !== null && result.state !== "invalid") return unableResult(result, unable);
    const openGain = isMargin(question) ? gainOpenedBy(question, finding.word) : null;
    return openGain === null || !isMargin(result) ? result : { ...result, openGain };
  });
}

/** Finds what is said of each gate, without the numbers that only explain it, and the question as it was judged. */
export function gateFindings(
  questions: readonly GateQuestion[],
  levels: GateLevels,
): (GateFinding & { question: GateQuestion })[] {
  const heeded = heedColumns(questions, levels);
  const findings = findingsOf(inputsOf(heeded, levels), levels);
  return heeded.flatMap((question, place) => {
    const finding = findings[place];
    return finding === undefined ? [] : [{ ...finding, question }];
  });
}

function findingsOf(inputs: readonly GateInput[], levels: GateLevels): GateFinding[] {
  const losses = sureLosses(inputs);
  return decisionsFrom(inputs, levels).map((decision, place) => {
    const loss = losses[place] ?? null;
    return { ...decision, loss, word: wordOf(decision, loss, inputs[place]) };
  });
}

/**
 * Rows of one value of a column that nobody named may go right or wrong together: then they say less than so many rows. Where
 * they surely do, and the gate would say another word if each value were one observation, it is judged so. That can take a
 * claim away, and never makes one.
 */
function heedColumns(questions: readonly GateQuestion[], levels: GateLevels): readonly GateQuestion[] {
  if (!questions.some((question) => isMargin(question) && question.byColumns !== undefined)) return questions;
  const inputs = inputsOf(questions, levels);
  const byRows = findingsOf(inputs, levels);
  return questions.map((question, place) => {
    const word = byRows[place]?.word ?? "invalid";
    if (!isMargin(question) || !claiming.has(word)) return question;
    const found = (question.byColumns?.() ?? []).map((each) => {
      const judged: MarginQuestion = judgedBy(question, each);
      const other = findingsOf(inputs.with(place, gateRuleOf(judged).stand(judged, levels)), levels)[place];
      const claim = word === "pass" ? each.inferred.comparison.pPass : each.inferred.comparison.pRegression;
      return { ...each, judged, isOpened: other?.word !== word, claim: claim ?? 1 };
    });
    const most = surelyAlike(found);
    if (most === null) return question;
    const { column, icc, p, worst } = most;
    const { comparison } = most.inferred;
    const dependence = { ...unnamed(column), icc, comparison, p, byRows: word, worst: worst() };
    return { ...most.judged, dependence };
  });
}

/** The column by which a claim is least sure, among those that open it and whose rows are surely alike; null: there is none. */
function surelyAlike<Found extends ByColumn & { isOpened: boolean; claim: number }>(
  found: readonly Found[],
): (Found & { p: number }) | null {
  if (found.every(({ isOpened }) => !isOpened)) return null;
  const adjusted = holm(found.map(({ likeness }) => likeness()));
  const sure = found.flatMap((each, at) => {
    const p = adjusted[at] ?? 1;
    return each.isOpened && p < likenessLevel(each.column.groups) ? [{ ...each, p }] : [];
  });
  return sure.toSorted((one, other) => other.claim - one.claim)[0] ?? null;
}

const unnamed = ({ tag, cluster, asTag, groups }: ByColumn["column"]) => ({ column: tag, cluster, asTag, groups });

const isGain = ({ p, interval }: PairedComparison): boolean =>
  isRejected(p, betterLevel) && interval !== null && interval.low > 0;

/** A gain by rows that is not sure by a column whose rows are alike: by that which the gate is judged by, or one that would open it; null elsewhere. */
function gainOpenedBy(
  { inferred, slice: segment, byColumns, dependence }: MarginQuestion,
  word: GateWord,
): OpenGain | null {
  if (inferred === null || segment !== null) return null;
  if (dependence !== undefined) {
    const { column, cluster, asTag, groups, comparison } = dependence;
    return isGain(comparison) ? null : { column, cluster, asTag, groups, p: comparison.p };
  }
  if (word !== "pass" || !isGain(inferred.comparison)) return null;
  const found = (byColumns?.() ?? []).map((each) => {
    const { comparison } = each.inferred;
    return { ...each, isOpened: !isGain(comparison), claim: comparison.p ?? 1 };
  });
  const most = surelyAlike(found);
  return most === null ? null : { ...unnamed(most.column), p: most.inferred.comparison.p };
}

/** Words that claim something, which fewer observations could take away. */
const claiming = new Set<GateWord>(["pass", "regression", "worse"]);

function judgedBy(question: MarginQuestion, { column, inferred }: ByColumn): MarginQuestion {
  const { figures } = question;
  const { comparison } = inferred;
  return {
    ...question,
    inferred,
    clusterColumn: column.tag,
    figures: figures === null ? null : { ...figures, comparison },
  };
}

function wordOf(
  { state, tooFew }: GateDecision,
  loss: GateFinding["loss"],
  input: Pick<GateInput, "cannotTell"> | undefined,
): GateWord {
  if (state !== "inconclusive") return state;
  if (loss !== null) return "worse";
  return !tooFew && input?.cannotTell() === true ? "cannot-tell" : "too-few-cases";
}

/** Losses that are sure, whatever the limits: adjusted by Holm over all gates and candidates. */
function sureLosses(inputs: readonly GateInput[]): GateFinding["loss"][] {
  const ps = inputs.map(({ pLoss }) => pLoss());
  return levelsOf(ps, inputs, sureLevel).map(({ adjusted, level }) =>
    adjusted !== null && isRejected(adjusted, sureLevel) ? { p: adjusted, level } : null,
  );
}

/** p values adjusted by Holm, each gate with its weight, and the level that is left to each alone. */
function levelsOf(ps: readonly (number | null)[], inputs: readonly GateInput[], alpha: number) {
  const family = weighedHolm(
    ps,
    inputs.map(({ weight }) => weight),
  );
  return ps.map((p, place) => {
    const { adjusted, factor } = family[place] ?? { adjusted: null, factor: 1 };
    const isCapped = adjusted === null || p === null || adjusted >= 1;
    return { adjusted, level: isCapped ? alpha / factor : (alpha * p) / adjusted };
  });
}

/** Whatever was counted, it was counted by a scorer that passes nearly anything: only another one would tell more. */
function unableResult(result: GateResult, reason: string): GateResult {
  if (!isMargin(result)) return { ...result, reason };
  return { ...result, reason, settle: null, smallestDrop: null, noSmallestDrop: null };
}

const order: readonly GateState[] = ["regression", "invalid", "inconclusive", "pass"];

/** A regression of one metric is not taken back because another cannot be judged. */
export function worstState(gates: readonly Pick<GateResult, "state" | "tooFew">[]): GateState | null {
  const states = new Set(askedGates(gates).map(({ state }) => state));
  return order.find((state) => states.has(state)) ?? null;
}

/** The word of some gates together. */
export function worstWord(gates: readonly Pick<GateResult, "word" | "tooFew">[]): GateWord | null {
  return topWord(askedGates(gates).map((gate) => gate.word));
}

/** Those that a verdict waits for: a value of a tag with too few cases is none. */
export function askedGates<Gate extends Pick<GateResult, "tooFew">>(gates: readonly Gate[]): readonly Gate[] {
  const asked = gates.filter(({ tooFew }) => !tooFew);
  return asked.length > 0 ? asked : gates;
}

function inputsOf(questions: readonly GateQuestion[], levels: GateLevels): GateInput[] {
  return questions.map((question) => {
    const input = gateRuleOf(question).stand(question, levels);
    return question.unable === null ? input : openInput(input);
  });
}

/** Nothing is claimed of what a scorer passes that passes nearly anything. */
function openInput(input: GateInput): GateInput {
  return {
    ...input,
    state: (adjusted, levels) => (input.state(adjusted, levels) === "invalid" ? "invalid" : "inconclusive"),
    tooFew: () => false,
    cannotTell: () => true,
    pLoss: () => null,
  };
}

/** The states of all gates together, and the level of each claim of a regression. */
export function decisionsFrom(inputs: readonly GateInput[], levels: GateLevels): GateDecision[] {
  const family = levelsOf(
    inputs.map(({ p }) => p),
    inputs,
    levels.alpha,
  );
  return inputs.map((input, place) => {
    const { adjusted, level } = family[place] ?? { adjusted: null, level: levels.alpha };
    const state = input.state(adjusted, levels);
    return { state, tooFew: state === "inconclusive" && input.tooFew(), adjusted, level };
  });
}
