import type { Comparison } from "../../compare/comparison.ts";
import { frequentErrorWords, isFailedForGood, runNoun } from "../../compare/summary/validity.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";
import type { ReportGate, Verdict } from "../shape/model.ts";
import { missingLineOf } from "../words/missing-words.ts";
import { number } from "../words/quantity.ts";

/** The verdict of a comparison that decides nothing: the first reason, or that a target stopped answering, and the others. */
export function invalidVerdict(comparison: Comparison, shown: readonly ReportGate[]): Verdict {
  const { validity, gates, candidates, targets, decision } = comparison;
  const reasons = validity?.state === "invalid" ? validity.reasons : gates.flatMap(({ reason }) => reason ?? []);
  const silent = silentTarget(targets, decision.maxErrorShare);
  if (silent !== undefined) {
    const details = [...new Set(reasons)].slice(0, mostReasons + 1);
    return {
      ...invalid,
      sentence: `No result: ${stoppedAnsweringWords(silent)}. This says nothing about its answers`,
      details: [...details, ...answeredAlone(shown)],
    };
  }
  const [first = "something is missing", ...others] = new Set(reasons);
  // It says itself until when nothing is decided, and no answer is missing.
  if (validity?.state === "invalid" && validity.byJudge === true)
    return { ...invalid, sentence: first.replace(/\.$/, ""), details: others.slice(0, mostReasons) };
  const so =
    candidates.length === 0 ? "The answers are not complete" : "The data are not complete, so nothing is decided";
  const sentence = `${first.replace(/\.$/, "")}. ${so}`;
  const quoted = targets
    .map((target) => frequentErrorWords(target))
    .find((words) => words !== null && sentence.includes(words));
  return {
    ...invalid,
    sentence,
    ...(typeof quoted === "string" && { quoted }),
    details: [...others.slice(0, mostReasons), ...answeredAlone(shown)],
  };
}

const invalid: Pick<Verdict, "state" | "word" | "claim" | "metric" | "measured"> = {
  state: "invalid",
  word: "invalid",
  claim: "none",
  metric: null,
  measured: [],
};

const mostReasons = 10;

/** The facts by which a target stopped answering. */
type SilentTarget = Pick<
  TargetSummary,
  "target" | "cases" | "runsTried" | "runsSkipped" | "runsWithoutAnswer" | "unfinished" | "stopped"
>;

/** The target that nothing more was sent to, of which too many runs have failed for good; undefined: there is none. */
export function silentTarget<Target extends SilentTarget>(
  targets: readonly Target[],
  maxErrorShare: number,
): Target | undefined {
  return targets.find((each) => each.stopped !== null && isFailedForGood(each, maxErrorShare));
}

/** `test stopped answering. 20 of 61 cases failed, 2 never finished`: the error stands below. */
export function stoppedAnsweringWords(summary: SilentTarget): string {
  const { target, runsTried, runsWithoutAnswer, unfinished } = summary;
  const failed = `${number(runsWithoutAnswer - unfinished)} of ${number(runsTried)} ${runNoun(summary)} failed`;
  const open = unfinished === 0 ? "" : `, ${number(unfinished)} never finished`;
  return `${target} stopped answering. ${failed}${open}`;
}

/** The result of the cases that were answered, where runs without an answer weigh on a gate: they say little of the others. */
function answeredAlone(gates: readonly ReportGate[]): string[] {
  return gates.flatMap(({ state, slice: segment, name, candidate, details }) => {
    const line = state === null || segment !== null ? null : missingLineOf(details);
    return line === null ? [] : [`\`${name}\` of ${candidate}: ${line}`];
  });
}
