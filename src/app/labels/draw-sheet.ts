import { endpointOf } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { clusterRank } from "../../plan/rank.ts";
import type { Cell } from "../../report/tables/spreadsheet.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { JobResult } from "../../store/results/case-result.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { casesOfDraw, drawsOf, type StoredDraw } from "../../store/scores/label-draws.ts";
import { labelsOfJob } from "../../store/scores/labels.ts";
import { isOfText, markColumn, sheetMark } from "./label-sheet.ts";
import { answerRecordOf, gradedCase } from "../grade/score-answer.ts";

/**
 * The sheet of the draw of a candidate, or of the latest one of a batch, the header first: both answers of each case in an order by
 * lot, without the names of the targets and without grades. `open`: only cases that lack a label of an answer.
 */
export function* drawSheet(
  db: Connection,
  batch: Batch,
  { open, candidate }: { open: boolean; candidate: string | null },
): Generator<Cell[]> {
  const draw = drawsOf(db, batch.id).find((each) => candidate === null || each.candidate === candidate);
  if (draw === undefined) throw nothingDrawn(batch, candidate);
  yield ["answer_id", "batch", "question", "expected", "answer", "label", "note", "author", markColumn];
  const labelsOf = labelsOfJob(db);
  for (const { result, jobs } of drawnAnswers(db, batch, draw)) {
    const { input } = gradedCase(result);
    const prompt = input["input_prompt"];
    const question = typeof prompt === "string" ? prompt : result.input;
    const rows = jobs.map(({ job, text }) => ({
      job,
      text,
      labels: labelsOf(job.jobId).filter((label) => isOfText(label, text)),
    }));
    if (open && rows.every(({ labels }) => labels.length > 0)) continue;
    for (const { job, text, labels } of rows) {
      const own = labels.find(({ scorer }) => scorer === "");
      const said = [own?.label ?? null, own?.note ?? null, own?.author ?? null];
      yield [answerId(draw, job.jobId), batch.name, question, result.expected, text, ...said, sheetMark(text)];
    }
  }
}

/** Jobs of a batch's draws by the mark that stands for an answer in their sheets. */
export function drawnAnswerIds(db: Connection, batch: Batch): ReadonlyMap<string, number> {
  const found = drawsOf(db, batch.id).flatMap((draw) =>
    Array.from(drawnAnswers(db, batch, draw)).flatMap(({ jobs }) =>
      jobs.map(({ job }) => [answerId(draw, job.jobId), job.jobId] as const),
    ),
  );
  return new Map(found);
}

/** A mark that tells nobody whose answer it is. It begins with a letter: a spreadsheet would round `12345678e9`. */
function answerId({ seed, id }: StoredDraw, jobId: number): string {
  return `a${hashText(`${seed}/${id}/${jobId}`, 10)}`;
}

/** The first answer of each side to every drawn case, in an order by lot. */
function* drawnAnswers(db: Connection, batch: Batch, draw: StoredDraw) {
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const sides = new Set([draw.baseline, draw.candidate]);
  const read = caseResultReader(db);
  for (const { caseId } of casesOfDraw(db, draw.id)) {
    const [result] = read([caseId]);
    if (result === undefined) continue;
    const seen = new Set<string>();
    const jobs = result.jobs.flatMap((job): { job: JobResult; text: string; rank: number }[] => {
      const target = targets.get(job.targetId);
      if (target === undefined || !sides.has(target.name) || seen.has(target.name) || job.outcome !== "ok") return [];
      const text = endpointOf(target.endpoint).textOf(answerRecordOf(target.endpoint, job).output);
      if (text === null) return [];
      seen.add(target.name);
      return [{ job, text, rank: clusterRank(`side/${draw.seed}`, `${result.key}/${target.name}`) }];
    });
    yield { result, jobs: jobs.toSorted((one, other) => one.rank - other.rank) };
  }
}

function nothingDrawn({ name }: Batch, candidate: string | null): AppError {
  const whose = candidate === null ? "" : ` of the candidate ${candidate}`;
  const flag = candidate === null ? "" : ` --candidate ${shellWord(candidate)}`;
  return new AppError("USAGE", `Nothing was drawn of ${name}${whose} for people to label.`, {
    hint: `Draw first: tandem label draw ${name} --labels 50${flag}`,
  });
}
