import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { storedOutput } from "../../api/stored-output.ts";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import type { JsonObject } from "../../lib/json.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { clusterRank } from "../../plan/rank.ts";
import type { Cell } from "../../report/tables/spreadsheet.ts";
import type { EarlierTurn } from "../../runner/journal.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { turnsBefore } from "../../store/journal/job-reader.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { drawsOf, type StoredDraw, casesOfDraw } from "../../store/scores/label-draws.ts";
import { batchLabels } from "../../store/scores/labels.ts";
import { answerRecordOf, gradedCase } from "../grade/score-answer.ts";
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

/** An answer of a drawn case, without anything that tells whose it is. */
interface DrawnAnswer {
  jobId: number;
  /** A mark that stands for it in sheets. It begins with a letter: a spreadsheet would round `12345678e9`. */
  id: string;
  text: string;
  /** The turns before it in its conversation, with the answers of its own side. */
  earlier: DrawnTurn[];
}

/** A turn before a drawn one. */
interface DrawnTurn {
  question: string;
  /** Null: it has no text. */
  answer: string | null;
}

/** The draw of a candidate, or the latest one of a batch. Throws USAGE where nothing was drawn. */
function drawFor(db: Connection, batch: Batch, candidate: string | null): StoredDraw {
  const draw = drawsOf(db, batch.id).find((each) => candidate === null || each.candidate === candidate);
  if (draw === undefined) throw nothingDrawn(batch, candidate);
  return draw;
}

/** Reads the question and the first answer of each side to a drawn case, in an order by lot; null: the case is gone. */
function drawnCaseReader(db: Connection, batch: Batch, draw: StoredDraw) {
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const sides = new Set([draw.baseline, draw.candidate]);
  const read = caseResultReader(db);
  const before = turnsBefore(db, batch.id);
  return (caseId: number) => {
    const [result] = read([caseId]);
    if (result === undefined) return null;
    const seen = new Set<string>();
    const answers = result.jobs.flatMap((job): (DrawnAnswer & { rank: number })[] => {
      const target = targets.get(job.targetId);
      if (target === undefined || !sides.has(target.name) || seen.has(target.name) || job.outcome !== "ok") return [];
      const text = endpointOf(target.endpoint).textOf(answerRecordOf(target.endpoint, job).output);
      if (text === null) return [];
      seen.add(target.name);
      const rank = clusterRank(`side/${draw.seed}`, `${result.key}/${target.name}`);
      const earlier = before(job.jobId).map((turn) => earlierTurn(turn, target.endpoint));
      return [{ jobId: job.jobId, id: answerId(draw, job.jobId), text, earlier, rank }];
    });
    const question = questionIn(gradedCase(result).input) ?? result.input;
    const ordered = answers.toSorted((one, other) => one.rank - other.rank);
    return { key: result.key, question, expected: result.expected, answers: ordered };
  };
}

const questionIn = ({ input_prompt: prompt }: JsonObject): string | null =>
  typeof prompt === "string" ? prompt : null;

function earlierTurn({ input, record }: EarlierTurn, endpoint: EndpointName): DrawnTurn {
  const output = storedOutput(endpoint, record);
  return {
    question: questionIn(storedObject(input, "an input")) ?? input,
    answer: output === null ? null : endpointOf(endpoint).textOf(output),
  };
}

function answerId({ seed, id }: StoredDraw, jobId: number): string {
  return `a${hashText(`${seed}/${id}/${jobId}`, 10)}`;
}

function nothingDrawn({ name }: Batch, candidate: string | null): AppError {
  const whose = candidate === null ? "" : ` of the candidate ${candidate}`;
  const flag = candidate === null ? "" : ` --candidate ${shellWord(candidate)}`;
  return new AppError("USAGE", `Nothing was drawn of ${name}${whose} for people to label.`, {
    hint: `Draw first: tandem label draw ${name} --labels 50${flag}`,
  });
}
