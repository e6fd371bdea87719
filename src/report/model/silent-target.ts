import { isFailedForGood, runNoun } from "../../compare/summary/validity.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";
import { number } from "../words/quantity.ts";

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
