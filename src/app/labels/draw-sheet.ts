import type { Cell } from "../../report/tables/spreadsheet.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { casesOfDraw, drawsOf } from "../../store/scores/label-draws.ts";
import { batchLabels } from "../../store/scores/labels.ts";
import { type DrawnTurn, drawFor, drawnCaseReader } from "./draw-cases.ts";
import { isOfText, markColumn, sheetMark } from "./label-sheet.ts";

/** The part of a draw that a sheet is to hold. */
export interface DrawSheetOptions {
  candidate: string | null;
  /** Only cases that lack a label of an answer. */
  open: boolean;
  /** The person it is for, who sees their own labels alone; null: any. */
  author: string | null;
}

/** The turns before an answer, as one cell. */
const turnsText = (turns: readonly DrawnTurn[]): string =>
  turns.map(({ question, answer }) => `> ${question}\n${answer ?? "(no answer)"}`).join("\n\n");

/**
 * The sheet of the draw of a candidate, or of the latest one of a batch, the header first: both answers of each case in an order by
 * lot, without the names of the targets, without grades, and without the words of others where it is for one person. The turns before an answer of a conversation stand in a column of their own.
 */
export function* drawSheet(db: Connection, batch: Batch, options: DrawSheetOptions): Generator<Cell[]> {
  const { candidate, open, author } = options;
  const draw = drawFor(db, batch, candidate);
  const labels = Map.groupBy(
    Array.from(batchLabels(db, batch.id)).filter(
      (label) => label.scorer === "" && (author === null || label.author === author),
    ),
    ({ jobId }) => jobId,
  );
  const read = drawnCaseReader(db, batch, draw);
  const cases = casesOfDraw(db, draw.id);
  // Where the cases are turns of conversations, an answer is nothing without what was said before.
  const hasTurns = cases.some(({ caseId }) => read(caseId)?.answers.some(({ earlier }) => earlier.length > 0));
  const before = hasTurns ? ["earlier"] : [];
  yield ["answer_id", "batch", ...before, "question", "expected", "answer", "label", "note", "author", markColumn];
  for (const { caseId } of cases) {
    const found = read(caseId);
    if (found === null) continue;
    const { question, expected, answers } = found;
    const rows = answers.map((answer) => {
      const own = labels.get(answer.jobId)?.find((label) => isOfText(label, answer.text));
      return { answer, own };
    });
    if (open && rows.every(({ own }) => own !== undefined)) continue;
    for (const { answer, own } of rows) {
      const said = [own?.label ?? null, own?.note ?? null, own?.author ?? author];
      const turns = hasTurns ? [turnsText(answer.earlier)] : [];
      yield [answer.id, batch.name, ...turns, question, expected, answer.text, ...said, sheetMark(answer.text)];
    }
  }
}

/** The jobs of the answers of a batch's draws, by the mark that stands for each in their sheets. */
export function drawnAnswerIds(db: Connection, batch: Batch): ReadonlyMap<string, number> {
  const found = drawsOf(db, batch.id).flatMap((draw) => {
    const read = drawnCaseReader(db, batch, draw);
    return casesOfDraw(db, draw.id).flatMap(({ caseId }) =>
      (read(caseId)?.answers ?? []).map(({ id, jobId }) => [id, jobId] as const),
    );
  });
  return new Map(found);
}
