import { endpointOf } from "../../api/endpoints.ts";
import { answerMark } from "../../lib/answer-mark.ts";
import { clusterRank } from "../../plan/rank.ts";
import type { Cell } from "../../report/tables/spreadsheet.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { answeredKeys } from "../../store/plan/case-keys.ts";
import { type LabelEntry, labelsOfJob } from "../../store/scores/labels.ts";
import { caseResults } from "../../store/results/results.ts";
import { gradedCase, isGraded, answerRecordOf } from "../grade/score-answer.ts";

/** The column that says which text was labelled. */
export const markColumn = "answer_mark";

/** The mark of an answer as a sheet has it. It begins with a letter: a spreadsheet would round `12345678e9`. */
export const sheetMark = (answer: string): string => `t${answerMark(answer)}`;

/** The mark that a cell of a sheet holds; null: none, or none of ours. */
export const markIn = (cell: string): string | null => /^t([0-9a-f]{16})$/.exec(cell)?.[1] ?? null;

/** A label is of the text that stands there now, as far as is known. */
export const isOfText = ({ answer }: Pick<LabelEntry, "answer">, text: string | null): boolean =>
  answer === null || answer === undefined || (text !== null && answer === answerMark(text));

/** The answers that a person is asked about. */
export interface SheetOptions {
  /** Number of cases, chosen by the seed; null: all. */
  sample: number | null;
  seed: string;
  /** True for answers without a label, and no others. */
  open: boolean;
}

/**
 * A sheet to fill in, the header first: a line for each answer, and one for each label that it has already. Memory stays
 * flat.
 */
export function* labelSheet(db: Connection, batch: Batch, options: SheetOptions): Generator<Cell[]> {
  yield [
    "key",
    "target",
    "repeat",
    "batch",
    "question",
    "expected",
    "answer",
    "label",
    "note",
    "author",
    "scorer",
    markColumn,
  ];
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const labelsOf = labelsOfJob(db);
  const isChosen = chosen(db, batch, options);
  for (const result of caseResults(db, batch.id)) {
    if (!isChosen(result.key)) continue;
    const { input } = gradedCase(result);
    const prompt = input["input_prompt"];
    const question = typeof prompt === "string" ? prompt : result.input;
    for (const job of result.jobs) {
      const target = targets.get(job.targetId);
      if (target === undefined || !isGraded(job) || job.outcome !== "ok") continue;
      const answer = endpointOf(target.endpoint).textOf(answerRecordOf(target.endpoint, job).output);
      const mark = answer === null ? null : sheetMark(answer);
      const about = [result.key, target.name, job.repeat, batch.name, question, result.expected, answer];
      const labels = labelsOf(job.jobId).filter((label) => isOfText(label, answer));
      if (labels.length === 0) yield [...about, null, null, null, null, mark];
      if (options.open) continue;
      for (const { label, note, author, scorer } of labels) yield [...about, label, note, author, scorer, mark];
    }
  }
}

/** Tells whether a case is in the sample: the first by a seeded rank of their keys, so that more of them hold all of fewer. */
function chosen(db: Connection, { id }: Batch, { sample, seed }: SheetOptions): (key: string) => boolean {
  if (sample === null) return () => true;
  const ranks = Float64Array.from(answeredKeys(db, id), (key) => clusterRank(seed, key));
  const last = ranks.toSorted()[sample - 1] ?? Number.POSITIVE_INFINITY;
  return (key) => clusterRank(seed, key) <= last;
}
