import { z } from "zod";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import { drawFor, type DrawTask, drawnCaseReader, drawTasks, drawWords, wordIn } from "../../app/labels/draw-tasks.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { casesOfDraw, type StoredDraw } from "../../store/scores/label-draws.ts";
import { labelWriter, removeLabel } from "../../store/scores/labels.ts";
import { removeRepeatedLabel, writeRepeatedLabel } from "../../store/scores/repeated-labels.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { CaseToLabel, DrawnLabelKept, DrawToLabel } from "../api.ts";
import { newLabel, valueOf } from "./changes.ts";

const about = z.strictObject({
  batch: z.string().max(500),
  /** Name of the target; null: of the latest draw. */
  candidate: z.string().max(500).nullable(),
  author: newLabel.shape.author,
});
type About = z.output<typeof about>;

/** The cases of a draw for a person, in the order in which they are labelled, with nothing that tells whose answers they have. */
export function drawToLabel(db: Connection, given: About): DrawToLabel {
  const { batch, draw, tasks, author } = drawnFor(db, given);
  const words = drawWords(db, batch);
  const read = drawnCaseReader(db, batch, draw);
  return {
    batch: batch.name,
    suite: batch.suiteName,
    labellers: [...new Set(casesOfDraw(db, draw.id).flatMap(({ labellers }) => labellers))],
    scale: scaleOf(db, batch, draw),
    cases: tasks.map((task) => {
      const answers = read(task)?.answers ?? [];
      const isDone = answers.every((answer) => wordIn(words, answer, { kind: task.kind, author }) !== undefined);
      return { id: taskId(draw, task), isDone };
    }),
  };
}

/** The scale on which people label what a judge grades; null: good or bad, which are 1 and 0. */
function scaleOf(db: Connection, batch: Batch, { scorer }: StoredDraw): DrawToLabel["scale"] {
  const judge = latestScoring(db, batch.id)?.scorers.find(({ metric }) => metric.name === scorer)?.metric;
  if (judge === undefined) return null;
  const gates = batch.suite.decision.gates.filter((gate) => gate.metric === scorer);
  const isByMarks = gates.length > 0 && gates.every(({ of }) => of === "value");
  if (judge.passes && !isByMarks) return null;
  if (judge.scale.kind !== "bounded") return {};
  const { min, max } = judge.scale;
  return min === 0 && max === 1 && judge.passes ? null : { min, max };
}

/** The value of a label on the scale of a draw. Throws USAGE for one that is not on it. */
function valueOn(scale: DrawToLabel["scale"], written: string): number {
  const isWord = written === "good" || written === "bad";
  const value = valueOf(written);
  if (scale === null) {
    if (value === 0 || value === 1) return value;
    throw new AppError("USAGE", `"${written}" is no label.`, { hint: "good or bad." });
  }
  const { min = -Infinity, max = Infinity } = scale;
  if (value !== null && !isWord && value >= min && value <= max) return value;
  const ends = scale.min === undefined || scale.max === undefined ? "" : ` from ${scale.min} to ${scale.max}`;
  throw new AppError("USAGE", `"${written}" is no label here.`, { hint: `Give a number${ends}.` });
}

/** One of them, with the person's own words on its answers. */
export function drawnCase(db: Connection, given: About, id: string): CaseToLabel {
  const { batch, task, found, author } = drawnTask(db, given, id);
  const words = drawWords(db, batch);
  return {
    question: found.question,
    expected: found.expected,
    answers: found.answers.map((answer) => {
      const own = wordIn(words, answer, { kind: task.kind, author });
      const { id: answerId, text, mark, earlier } = answer;
      return { id: answerId, text, mark, earlier, label: own?.label ?? null, note: own?.note ?? null };
    }),
  };
}

export const oldDrawnLabel = about.extend({ task: z.string().max(50), answer: z.string().max(50) });

export const newDrawnLabel = oldDrawnLabel.extend({
  label: newLabel.shape.label,
  note: newLabel.shape.note,
  /** Mark of the text that was read. */
  mark: z.string().max(50),
});

/** Keeps a person's word on an answer of a draw, and tells which word it takes the place of. */
export function keepDrawnLabel(db: Connection, given: z.output<typeof newDrawnLabel>): DrawnLabelKept {
  const { answer: id, label: written, note, mark, task: of, ...rest } = given;
  const { batch, draw, task, found, author } = drawnTask(db, rest, of);
  const answer = found.answers.find((each) => each.id === id);
  if (answer === undefined) throw new AppError("USAGE", "There is no such answer.", { hint: "Load the page again." });
  if (answer.mark !== mark)
    throw new AppError("USAGE", "This answer has another text by now: your label is not kept.", {
      hint: "Load the page again.",
    });
  const value = valueOn(scaleOf(db, batch, draw), written);
  const label = written === "good" || written === "bad" ? written : String(value);
  const own = wordIn(drawWords(db, batch), answer, { kind: task.kind, author });
  const entry = { jobId: answer.jobId, label, value, note, author, answer: mark, at: Date.now() };
  if (task.kind === "again") writeRepeatedLabel(db, entry);
  else labelWriter(db)({ ...entry, scorer: "", adjudicates: task.kind === "dispute" });
  return { before: own === undefined ? null : { label: own.label, note: own.note } };
}

export function takeBackDrawnLabel(db: Connection, given: z.output<typeof oldDrawnLabel>): { removed: true } {
  const { answer: id, task: of, ...rest } = given;
  const { task, found, author } = drawnTask(db, rest, of);
  const jobId = found.answers.find((each) => each.id === id)?.jobId ?? 0;
  const isRemoved =
    task.kind === "again" ? removeRepeatedLabel(db, { jobId, author }) : removeLabel(db, { jobId, scorer: "", author });
  if (isRemoved) return { removed: true };
  throw new AppError("USAGE", "There is no such label any more.", { hint: "Load the page again." });
}

function drawnFor(db: Connection, { batch: name, candidate, author }: About) {
  const batch: Batch = findBatch(db, name);
  const draw = drawFor(db, batch, candidate);
  const tasks = drawTasks(db, batch, draw, { author, disputes: false, now: Date.now() });
  return { batch, draw, tasks, author };
}

function drawnTask(db: Connection, given: About, id: string) {
  const { batch, draw, tasks, author } = drawnFor(db, given);
  const task = tasks.find((each) => taskId(draw, each) === id);
  const found = task === undefined ? null : drawnCaseReader(db, batch, draw)(task);
  if (task === undefined || found === null)
    throw new AppError("USAGE", "This case is not to be labelled any more.", { hint: "Load the page again." });
  return { batch, draw, task, found, author };
}

/** A mark of a case that tells nobody which one it is, or why it is asked. */
function taskId({ seed, id }: StoredDraw, { caseId, kind }: DrawTask): string {
  return `c${hashText(`${seed}/${id}/case/${caseId}/${kind}`, 10)}`;
}
