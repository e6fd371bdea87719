import type { Cell } from "../../report/tables/spreadsheet.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { casesOfDraw, drawsOf } from "../../store/scores/label-draws.ts";
import {
  answerId,
  type DrawnTurn,
  drawFor,
  drawnCaseReader,
  drawTasks,
  drawWords,
  type TaskKind,
  wordIn,
} from "./draw-tasks.ts";
import { markColumn, sheetMark } from "./label-sheet.ts";

/** The part of a draw that a sheet is to hold. */
export interface DrawSheetOptions {
  candidate: string | null;
  /** Only cases that lack a label of an answer. */
  open: boolean;
  /** The person whom it is for; null: whoever labels. */
  author: string | null;
  /** Only cases that others did not agree about, for a third person. */
  disputes: boolean;
  now: number;
}

/** The turns before an answer, as one cell. */
const turnsText = (turns: readonly DrawnTurn[]): string =>
  turns.map(({ question, answer }) => `> ${question}\n${answer ?? "(no answer)"}`).join("\n\n");

/**
 * The sheet of the draw of a candidate, or of the latest one of a batch, the header first: both answers of each case in an order by
 * lot, without the names of the targets, without grades, and without the words of others where it is for one person. The turns before an answer of a conversation stand in a column of their own.
 */
export function* drawSheet(db: Connection, batch: Batch, options: DrawSheetOptions): Generator<Cell[]> {
  const { candidate, open, author, disputes } = options;
  const draw = drawFor(db, batch, candidate);
  const words = drawWords(db, batch);
  const read = drawnCaseReader(db, batch, draw);
  const tasks = drawTasks(db, batch, draw, options);
  // Where the cases are turns of conversations, an answer is nothing without what was said before.
  const hasTurns = tasks.some((task) => read(task)?.answers.some(({ earlier }) => earlier.length > 0));
  const before = hasTurns ? ["earlier"] : [];
  yield ["answer_id", "batch", ...before, "question", "expected", "answer", "label", "note", "author", markColumn];
  for (const task of tasks) {
    const found = read(task);
    if (found === null) continue;
    const { question, expected, answers } = found;
    const who = disputes && author === null ? "" : author;
    const rows = answers.map((answer) => ({ answer, own: wordIn(words, answer, { kind: task.kind, author: who }) }));
    if (open && rows.every(({ own }) => own !== undefined)) continue;
    for (const { answer, own } of rows) {
      const said = [own?.label ?? null, own?.note ?? null, own?.author ?? author];
      const turns = hasTurns ? [turnsText(answer.earlier)] : [];
      yield [answer.id, batch.name, ...turns, question, expected, answer.text, ...said, sheetMark(answer.text)];
    }
  }
}

/** Answers of a batch's draws, and why they were asked for, by the mark that stands for each in their sheets. */
export function drawnAnswerIds(db: Connection, batch: Batch): ReadonlyMap<string, { jobId: number; kind: TaskKind }> {
  const kinds: TaskKind[] = ["first", "dispute", "again"];
  const found = drawsOf(db, batch.id).flatMap((draw) => {
    const read = drawnCaseReader(db, batch, draw);
    return casesOfDraw(db, draw.id).flatMap(({ caseId }) =>
      (read({ caseId, kind: "first" })?.answers ?? []).flatMap(({ jobId }) =>
        kinds.map((kind) => [answerId(draw, jobId, kind), { jobId, kind }] as const),
      ),
    );
  });
  return new Map(found);
}
