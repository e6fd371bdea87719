import type { ReportSummary } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";
import { isFailedForGood, isOfRows } from "../../compare/summary/validity.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";

/** Says beside figures that they decide nothing, where the data of a comparison are not complete; none where they count. */
export function uncountedLines({
  verdict,
  candidates,
  validity,
}: Pick<ReportSummary, "verdict" | "candidates" | "validity">): string[] {
  if (verdict.state !== "invalid" || candidates.length === 0) return [];
  if (validity.byJudge === true)
    return ["No result: worse and better do not count here, because the judge changed between the two sides."];
  return ["No result: worse and better do not count here, because answers are missing or not comparable."];
}

/** The heading above the checks of a comparison; where none is shown, above its cautions alone. */
export function validityHeading(given: {
  state: ReportSummary["validity"]["state"];
  hasChecks: boolean;
  isPartial?: boolean;
  /** Requests that were not sent, because the run was decided without them. */
  spared?: number;
  /** Answers that are missing, and all that were due. */
  missing?: { answers: number; of: number };
}): string {
  if (!given.hasChecks) return "Weigh this too";
  if (given.state === "invalid") return "Why not";
  if (given.isPartial === true) return "A part of the run is compared";
  if (given.state !== "valid") return "Checks";
  const { answers, of } = given.missing ?? { answers: 0, of: 0 };
  const whole = (given.spared ?? 0) === 0 ? "The data are complete" : "All that was sent is here";
  return `${whole}${answers === 0 ? "" : ` but for ${number(answers)} of ${counted(of, "answer")}`}`;
}

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
  const failed = `${number(runsWithoutAnswer - unfinished)} of ${number(runsTried)} ${isOfRows(summary) ? "rows" : "runs"} failed`;
  const open = unfinished === 0 ? "" : `, ${number(unfinished)} never finished`;
  return `${target} stopped answering. ${failed}${open}`;
}
