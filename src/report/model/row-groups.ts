import { isFinished, isSound, notAsked, outcomesDiffer } from "../../compare/cases/side-outcome.ts";
import { outcomeField } from "../../compare/cases/structure.ts";
import { messageShape } from "../../text/message-shape.ts";
import type { ReportMetric } from "../shape/model.ts";
import type { ChangeKind, FlipKind, ReportRow, ReportRun, ReportSide } from "../shape/row.ts";
import type { RowGroup } from "../shape/row-group.ts";
import type { ReportFrame } from "../shape/reporter.ts";
import { binWords, scoreBins } from "./score-bins.ts";

/** Messages are compared as far as the summary tells them. */
const longestMessage = 300;

export const rowGroup = {
  /** One message of errors; those that differ only in numbers and ids are one. */
  error: (target: string, outcome: string, message: string): RowGroup => [
    "error",
    target,
    outcome,
    messageShape(message.slice(0, longestMessage).replace(/[\uD800-\uDBFF]$/, "\uFFFD")),
  ],
  outcome: (target: string, outcome: string): RowGroup => ["outcome", target, outcome],
  /** Answers that a metric has no grade of. */
  ungraded: (target: string, metric: string): RowGroup => ["ungraded", target, metric],
  change: (kind: ChangeKind): RowGroup => ["change", kind],
  flip: (kind: FlipKind): RowGroup => ["flip", kind],
  /** Scores of a target that fall into one range. */
  score: (target: string, bin: number, metric: ReportMetric): RowGroup => [
    "score",
    metric.name,
    target,
    String(bin),
    binWords(bin, metric),
  ],
  /** Cases in which both are: the scores of two targets. */
  scores: (one: RowGroup, other: RowGroup): RowGroup => ["scores", ...one.slice(1), ...other.slice(2)],
  /** A field of the output that differs. */
  field: (path: string): RowGroup => ["field", path],
  /** Rows that a metric finds worse or better. */
  metric: (name: string, trend: "worse" | "better"): RowGroup => ["metric", name, trend],
};

/** The groups of which a row is in each: of most it is the group itself. */
export function partsOfGroup(group: RowGroup): RowGroup[] {
  const [kind, metric = "", ...sides] = group;
  if (kind !== "scores") return [group];
  return [sides.slice(0, 3), sides.slice(3)].map((side) => ["score", metric, ...side]);
}

/** The groups that the answers of a row put it in, whatever is compared. */
export function groupsOfAnswers({ sides }: Pick<ReportRow, "sides">, { targets, metrics }: ReportFrame): RowGroup[] {
  return sides.flatMap(({ runs, scores }, place) => {
    const target = targets[place] ?? "";
    return [...runs.flatMap((run) => groupsOfRun(run, target, metrics)), ...groupsOfScores(scores, target, metrics)];
  });
}

function groupsOfScores(scores: ReportSide["scores"], target: string, metrics: ReportFrame["metrics"]): RowGroup[] {
  return metrics.flatMap((metric, index) => {
    const value = scores[index]?.value ?? null;
    return metric.passes || value === null ? [] : [rowGroup.score(target, scoreBins(metric).binOf(value), metric)];
  });
}

function groupsOfRun(run: ReportRun, target: string, metrics: ReportFrame["metrics"]): RowGroup[] {
  const { outcome, error, scores } = run;
  const groups: RowGroup[] = [];
  if (outcome !== "answered") groups.push(rowGroup.outcome(target, outcome));
  if (error !== null && !isSound(outcome) && outcome !== notAsked) groups.push(rowGroup.error(target, outcome, error));
  for (const [index, score] of scores.entries()) {
    if (score !== null && score.value === null) groups.push(rowGroup.ungraded(target, metrics[index]?.scorer ?? ""));
  }
  return groups;
}

/** The groups that the comparison of a pair puts a row in. */
export function groupsOfChange(
  row: Pick<ReportRow, "sides" | "changes">,
  frame: ReportFrame,
  pair: number,
): RowGroup[] {
  const change = row.changes[pair];
  if (change === undefined) return [];
  const groups: RowGroup[] = [rowGroup.change(change.kind)];
  for (const flip of change.flips ?? []) groups.push(rowGroup.flip(flip));
  for (const { path } of change.members) groups.push(rowGroup.field(path));
  if (hasOtherOutcome(row, frame, pair)) groups.push(rowGroup.field(outcomeField));
  for (const [index, { name }] of frame.metrics.entries()) {
    const trend = trendIn(row, frame, { pair, index });
    if (trend !== null) groups.push(rowGroup.metric(name, trend));
  }
  return groups;
}

/** True where the first runs of both sides came out in different ways. */
function hasOtherOutcome({ sides }: Pick<ReportRow, "sides">, { pairs, targets }: ReportFrame, pair: number): boolean {
  const outcomeOf = (name = ""): string | undefined => sides[targets.indexOf(name)]?.runs[0]?.outcome;
  const [from, to] = [outcomeOf(pairs[pair]?.baseline), outcomeOf(pairs[pair]?.candidate)];
  if (from === undefined || to === undefined || !isFinished(from) || !isFinished(to)) return false;
  return outcomesDiffer(from, to);
}

/** The turn that a metric sees; an error is worse than any answer. */
function trendIn(
  { sides, changes }: Pick<ReportRow, "sides" | "changes">,
  { metrics, pairs, targets }: ReportFrame,
  { pair, index }: { pair: number; index: number },
): "worse" | "better" | null {
  const metric = metrics[index];
  const change = changes[pair];
  if (metric === undefined || change === undefined || change.kind === "not-compared") return null;
  if (metric.primary) return change.trend;
  const valueOf = (name = ""): number | null => sides[targets.indexOf(name)]?.scores[index]?.value ?? null;
  const [from, to] = [valueOf(pairs[pair]?.baseline), valueOf(pairs[pair]?.candidate)];
  if (from !== null && change.kind === "error-appeared") return "worse";
  if (to !== null && change.kind === "error-gone") return "better";
  if (from === null || to === null || from === to) return null;
  return to > from === metric.lowerIsBetter ? "worse" : "better";
}

/** True for a row of a group. */
export function isInGroup(
  row: ReportRow,
  group: RowGroup,
  { frame, pair }: { frame: ReportFrame; pair: number },
): boolean {
  const groups = new Set([...groupsOfAnswers(row, frame), ...groupsOfChange(row, frame, pair)].map(groupName));
  return partsOfGroup(group).every((part) => groups.has(groupName(part)));
}

/** One text for each group. */
export function groupName(group: RowGroup): string {
  return group.join("\u0000");
}
