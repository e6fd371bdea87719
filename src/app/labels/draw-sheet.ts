import type { Cell } from "../../report/tables/spreadsheet.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { casesOfDraw, drawsOf } from "../../store/scores/label-draws.ts";
import { answerId, drawFor, drawnCaseReader, drawTasks, drawWords, type TaskKind, wordIn } from "./draw-tasks.ts";
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

/**
 * The sheet of the draw of a candidate, or of the latest one of a batch, the header first: both answers of each case in an order by
 * lot, without the names of the targets, without grades, and without the words of others where it is for one person.
 */
export function* drawSheet(db: Connection, batch: Batch, options: DrawSheetOptions): Generator<Cell[]> {
  const { candidate, open, author, disputes } = options;
  const draw = drawFor(db, batch, candidate);
  yield ["answer_id", "batch", "question", "expected", "answer", "label", "note", "author", markColumn];
  const words = drawWords(db, batch);
  const read = drawnCaseReader(db, batch, draw);
  for (const task of drawTasks(db, batch, draw, options)) {
    const found = read(task);
    if (found === null) continue;
    const { question, expected, answers } = found;
    const who = disputes && author === null ? "" : author;
    const rows = answers.map((answer) => ({ answer, own: wordIn(words, answer, { kind: task.kind, author: who }) }));
    if (open && rows.every(({ own }) => own !== undefined)) continue;
    for (const { answer, own } of rows) {
      const said = [own?.label ?? null, own?.note ?? null, own?.author ?? author];
      yield [answer.id, batch.name, question, expected, answer.text, ...said, sheetMark(answer.text)];
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
