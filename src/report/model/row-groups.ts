import type { ShownOutcome } from "../../api/outcomes.ts";
import type { CaseChange, CaseFlip } from "../../compare/cases/case-kinds.ts";
import { isFinished, lacksAnswer, outcomesDiffer } from "../../compare/cases/side-outcome.ts";
import { outcomeField } from "../../compare/cases/structure.ts";
import { messageShape } from "../../text/message-shape.ts";
import type { ReportRow, ReportRun, ReportSide } from "../shape/row.ts";
import type { RowGroup } from "../shape/row-group.ts";
import { saidShape } from "../../text/said-shape.ts";
import { passPlaceOf, type ReportFrame } from "../shape/reporter.ts";

/** Messages are compared as far as the summary tells them. */
const longestMessage = 300;

const conversationKind = "conversation";

export const rowGroup = {
  /** One message of errors; those that differ only in numbers and ids are one. */
  error: (target: string, outcome: ShownOutcome, message: string): RowGroup => [
    "error",
    target,
    outcome,
    messageShape(message.slice(0, longestMessage).replace(/[\uD800-\uDBFF]$/, "\uFFFD")),
  ],
  outcome: (target: string, outcome: ShownOutcome): RowGroup => ["outcome", target, outcome],
  /** Answers that a metric has no grade of. */
  ungraded: (target: string, metric: string): RowGroup => ["ungraded", target, metric],
  change: (kind: CaseChange): RowGroup => ["change", kind],
  flip: (kind: CaseFlip): RowGroup => ["flip", kind],
  /** A field of the output that differs. */
  field: (path: string): RowGroup => ["field", path],
  /** Rows that a metric compares: both sides have a score. */
  paired: (name: string): RowGroup => ["paired", name],
  /** Those among them that it finds worse or better. */
  metric: (name: string, trend: "worse" | "better"): RowGroup => ["metric", name, trend],
  /** Newly failing rows in which a target says the same but for names and numbers. */
  said: (target: string, words: string): RowGroup => ["said", target, words],
  /** Rows that pass with none of the targets by the first metric. */
  nobody: (metric: string): RowGroup => ["nobody", metric],
  /** The turns of a conversation. */
  conversation: (name: string): RowGroup => [conversationKind, name],
};

/** The conversation of whose turns a group is; null for every other group. */
export function conversationOf([kind, name]: RowGroup): string | null {
  return kind === conversationKind ? (name ?? null) : null;
}

/** More are not told apart: nobody looks at as many kinds of error. */
const mostGroups = 5_000;
/** Beginnings of answers that are told apart among them. */
export const mostSaid = 4_000;

/** The groups that rows of a comparison are in: one object for each, however many rows it has. */
export interface FrameGroups {
  /** Those that its answers put a row in, whatever is compared. */
  ofAnswers: (row: Pick<ReportRow, "sides">) => RowGroup[];
  /** Those that the comparison of a pair puts a row in. */
  ofChange: (row: Pick<ReportRow, "sides" | "changes">, pair: number) => RowGroup[];
}

const known = new WeakMap<ReportFrame, FrameGroups>();

export function frameGroups(frame: ReportFrame): FrameGroups {
  const made = known.get(frame) ?? { ofAnswers: answerGroups(frame), ofChange: changeGroups(frame) };
  known.set(frame, made);
  return made;
}

function answerGroups({ targets, metrics }: ReportFrame): FrameGroups["ofAnswers"] {
  const own = targets.map((target) => targetGroups(target, metrics));
  const [first] = metrics;
  const nobody = first?.passes === true && targets.length > 1 ? rowGroup.nobody(first.name) : null;
  return ({ sides }) => {
    const groups: RowGroup[] = [];
    if (sides.every(({ scores }) => scores[0]?.value === 0)) push(groups, nobody);
    for (const [place, { runs }] of sides.entries()) {
      const of = own[place];
      if (of === undefined) continue;
      for (const run of runs) of.addRun(run, groups);
    }
    return groups;
  };
}

function targetGroups(target: string, metrics: ReportFrame["metrics"]) {
  const outcomes = remembered((outcome: ShownOutcome) => rowGroup.outcome(target, outcome));
  const errors = new Map<string, RowGroup>();
  const ungraded = metrics.map(({ scorer }) => rowGroup.ungraded(target, scorer));
  return {
    addRun({ outcome, error, scores }: ReportRun, groups: RowGroup[]): void {
      if (outcome !== "answered") push(groups, outcomes(outcome));
      if (error !== null && lacksAnswer(outcome)) push(groups, same(errors, rowGroup.error(target, outcome, error)));
      for (const [index, score] of scores.entries()) {
        if (score !== null && score.value === null) push(groups, ungraded[index]);
      }
    },
  };
}

function push(groups: RowGroup[], group: RowGroup | null | undefined): void {
  if (group !== null && group !== undefined) groups.push(group);
}

/** The group for each key, made once; null beyond the greatest number of them. */
function remembered<Key>(make: (key: Key) => RowGroup): (key: Key) => RowGroup | null {
  const groups = new Map<Key, RowGroup>();
  return (key) => {
    const met = groups.get(key);
    if (met !== undefined) return met;
    if (groups.size >= mostGroups) return null;
    const group = make(key);
    groups.set(key, group);
    return group;
  };
}

/** The group that was made before for the same. */
function same(groups: Map<string, RowGroup>, group: RowGroup, most = mostGroups): RowGroup | null {
  const name = groupName(group);
  const met = groups.get(name);
  if (met !== undefined) return met;
  if (groups.size >= most) return null;
  groups.set(name, group);
  return group;
}

function changeGroups(frame: ReportFrame): FrameGroups["ofChange"] {
  const { targets, metrics } = frame;
  const kinds = remembered(rowGroup.change);
  const flips = remembered(rowGroup.flip);
  const fields = remembered(rowGroup.field);
  const flipped = metrics.map(({ name }) => {
    return { worse: rowGroup.metric(name, "worse"), better: rowGroup.metric(name, "better"), same: null };
  });
  const paired = metrics.map(({ name }) => rowGroup.paired(name));
  const said = frame.pairs.map(() => new Map<string, RowGroup>());
  const passPlace = passPlaceOf(metrics);
  const pairs = frame.pairs.map(({ baseline, candidate }) => {
    return { from: targets.indexOf(baseline), to: targets.indexOf(candidate) };
  });
  return ({ sides, changes }, pair) => {
    const change = changes[pair];
    const { from, to } = pairs[pair] ?? { from: -1, to: -1 };
    // The numbers that lead here count no other cases.
    if (change?.turns === undefined) return [];
    const groups: RowGroup[] = [];
    push(groups, kinds(change.kind));
    for (const flip of change.flips ?? []) push(groups, flips(flip));
    if (change.flips?.includes("pass-to-fail") === true) {
      const answer = failedAnswer(sides[to], passPlace);
      const before = sides[from]?.runs[0]?.answer ?? null;
      push(
        groups,
        same(
          said[pair] ?? new Map<string, RowGroup>(),
          rowGroup.said(change.candidate, saidShape(answer, before)),
          mostSaid,
        ),
      );
    }
    for (const { path } of change.members) push(groups, fields(path));
    if (hasOtherOutcome(sides[from], sides[to])) push(groups, fields(outcomeField));
    for (const [index, turn] of change.turns.entries()) {
      if (turn === null) continue;
      push(groups, paired[index]);
      push(groups, flipped[index]?.[turn]);
    }
    return groups;
  };
}

/** The answer by which a row newly fails: the first that does not pass. */
function failedAnswer(side: ReportSide | undefined, passPlace: number): string {
  const runs = side?.runs ?? [];
  return (runs.find(({ scores }) => scores[passPlace]?.pass === false) ?? runs[0])?.answer ?? "";
}

/** True where the first runs of both sides came out in different ways. */
function hasOtherOutcome(before: ReportSide | undefined, now: ReportSide | undefined): boolean {
  const [from, to] = [before?.runs[0]?.outcome, now?.runs[0]?.outcome];
  if (from === undefined || to === undefined || from === to || !isFinished(from) || !isFinished(to)) return false;
  return outcomesDiffer(from, to);
}

/** The groups that a row is in: those of its answers, then those of each pair that is compared. */
export function rowGroupsIn(frame: ReportFrame): (row: ReportRow) => RowGroup[][] {
  const { ofAnswers, ofChange } = frameGroups(frame);
  return (row) => [ofAnswers(row), ...frame.pairs.map((_, pair) => ofChange(row, pair))];
}

/** One text for each group. */
export function groupName(group: RowGroup): string {
  return group.join("\u0000");
}
