import type { JobOutcome } from "../../api/outcomes.ts";
import { inPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import type { BatchPart } from "./batch-part.ts";
import { beginScoring, finishedAnswers, latestScoring, type Scoring } from "../scores/scores.ts";
import { withLaxityOf, withoutLaxity } from "../scores/stored-scorer.ts";
import { repeatedLabels, writeRepeatedLabel } from "../scores/repeated-labels.ts";
import { pairwiseLabels, type StoredPairwiseLabel, writePairwiseLabel } from "../scores/pairwise-labels.ts";

interface JudgeRow {
  old: number;
  caseId: number;
  judge: string;
  deployment: string;
  baseUrl: string;
  endpoint: string;
  exampleId: string;
  body: string;
  stopped: string | null;
  outcome: JobOutcome | null;
  answer: string | null;
  error: string | null;
  attempt: number | null;
  hash: string;
  question: string;
}

/**
 * Copies the questions that one part asked its judges, so that none of them is asked again; those that were only planned
 * are left out. Their places are entered where `copyAnswers` looks for the jobs of a part.
 */
export function copyQuestions(db: Connection, batchId: number, part: number, { db: from, batch }: BatchPart): void {
  const sql = sqlite(db);
  const judges = judgeFinder(db, batchId);
  const questionOf = questionFinder(db);
  const caseOf = sql
    .prepare<[number, number], number>("SELECT id FROM temp.part_case WHERE part = ? AND old = ?")
    .pluck();
  const asked = sql
    .prepare<[number, number], number>(
      "SELECT coalesce(max(repeat), 0) FROM job WHERE case_id = ? AND target_id = ? AND kind = 'judge'",
    )
    .pluck();
  const insert = sql.prepare(
    `INSERT INTO job (batch_id, target_id, case_id, repeat, kind, question_id, outcome, answer, error, attempt)
     VALUES (@batchId, @target, @case, @repeat, 'judge', @question, @outcome, @answer, @error, @attempt)`,
  );
  const note = sql.prepare("INSERT INTO temp.part_job (part, old, id, kind) VALUES (?, ?, ?, 'judge')");
  const rows = sqlite(from).prepare<[number], JudgeRow>(
    `SELECT job.id AS old, job.case_id AS caseId, target.name AS judge, target.deployment, target.base_url AS baseUrl, target.endpoint,
       target.example_id AS exampleId, target.body, target.stopped, job.outcome, job.answer, job.error, job.attempt,
       question.hash, question.body AS question
     FROM job JOIN target ON target.id = job.target_id JOIN question ON question.id = job.question_id
     WHERE job.batch_id = ? AND job.kind = 'judge' AND (job.outcome IS NOT NULL
       OR EXISTS (SELECT 1 FROM attempt WHERE attempt.job_id = job.id) OR EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id))
     ORDER BY job.id`,
  );
  for (const { old, caseId, hash, question, outcome, answer, error, attempt, ...judge } of rows.iterate(batch.id)) {
    const mine = caseOf.get(part, caseId);
    if (mine === undefined) continue;
    const target = judges(judge);
    const repeat = (asked.get(mine, target) ?? 0) + 1;
    const copied = {
      batchId,
      target,
      case: mine,
      repeat,
      question: questionOf(hash, question),
      outcome,
      answer,
      error,
      attempt,
    };
    note.run(part, old, insert.run(copied).lastInsertRowid);
  }
}

function questionFinder(db: Connection): (hash: string, body: string) => number {
  const find = sqlite(db).prepare<[string], number>("SELECT id FROM question WHERE hash = ?").pluck();
  const insert = sqlite(db).prepare("INSERT INTO question (hash, body) VALUES (?, ?)");
  return (hash, body) => find.get(hash) ?? Number(insert.run(hash, body).lastInsertRowid);
}

type Judge = Pick<JudgeRow, "judge" | "deployment" | "baseUrl" | "endpoint" | "exampleId" | "body" | "stopped">;

/** The judge of the merged batch that a part's own has become. */
function judgeFinder(db: Connection, batchId: number): (judge: Judge) => number {
  const find = sqlite(db)
    .prepare<unknown[], number>("SELECT id FROM target WHERE batch_id = ? AND name = ? AND role = 'judge'")
    .pluck();
  const insert = sqlite(db).prepare(
    `INSERT INTO target (batch_id, name, deployment, base_url, endpoint, example_id, body, repeats, stopped, role)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, 'judge')`,
  );
  return ({ judge, deployment, baseUrl, endpoint, exampleId, body, stopped }) =>
    find.get(batchId, judge) ??
    Number(insert.run(batchId, judge, deployment, baseUrl, endpoint, exampleId, body, stopped).lastInsertRowid);
}

/** Copies the labels of one part to the jobs that its own have become. */
export function copyLabels(db: Connection, part: number, { db: from, batch }: BatchPart): void {
  const jobOf = sqlite(db)
    .prepare<[number, number], number>("SELECT id FROM temp.part_job WHERE part = ? AND old = ?")
    .pluck();
  const insert = sqlite(db).prepare(
    "INSERT OR IGNORE INTO label (job_id, scorer, label, value, note, author, at, answer, edits, adjudicates) VALUES (@job, @scorer, @label, @value, @note, @author, @at, @answer, @edits, @adjudicates)",
  );
  const labels = sqlite(from).prepare<{ batch: number }, { old: number; [column: string]: unknown }>(
    `SELECT job_id AS old, scorer, label, value, note, label.author, at, label.answer, edits, adjudicates FROM label CROSS JOIN job ON job.id = label.job_id
     WHERE ${inPlan("label.job_id")} AND job.batch_id = @batch ORDER BY label.id`,
  );
  for (const { old, ...label } of labels.iterate({ batch: batch.id }))
    insert.run({ job: jobOf.get(part, old), ...label });
  for (const label of repeatedLabels(from, batch.id)) {
    const jobId = jobOf.get(part, label.jobId);
    if (jobId !== undefined) writeRepeatedLabel(db, { ...label, jobId });
  }
  copyPairwiseLabels(db, (old) => jobOf.get(part, old), pairwiseLabels(from, batch.id));
}

/** A label of two answers goes along where both of them do. */
function copyPairwiseLabels(
  db: Connection,
  jobOf: (old: number) => number | undefined,
  labels: readonly StoredPairwiseLabel[],
): void {
  for (const { baselineJob, candidateJob, better, blind, note, author, at } of labels) {
    const [before, now] = [jobOf(baselineJob), jobOf(candidateJob)];
    if (before === undefined || now === undefined) continue;
    writePairwiseLabel(db, { baselineJob: before, candidateJob: now, better, blind, note, author, at });
  }
}

/**
 * Puts the scores of all parts together into one scoring, when each part is wholly graded with the same scorers. Scores
 * by judges, modules and commands stay as they are. Without such scores the merged batch has none.
 */
export function copyScores(db: Connection, batchId: number, parts: readonly BatchPart[], askedFrom: number): void {
  const scorings = parts.flatMap(({ db: from, batch }) => latestScoring(from, batch.id) ?? []);
  const [first] = scorings;
  if (first === undefined || scorings.length < parts.length || !scorings.every((each) => isSame(each, first))) return;
  const { suiteHash, rule, version } = first;
  const scorers = withLaxityOf(scorings.map((each) => each.scorers));
  const merged = beginScoring(db, {
    batchId,
    suiteHash,
    scorers,
    rule,
    version,
    answers: finishedAnswers(db, batchId),
  });
  for (const [part, { db: from }] of parts.entries()) {
    copyRows(db, { part, from, old: scorings[part]?.id ?? 0, id: merged.id });
  }
  const [began, ended] = [
    scorings.map(({ createdAt }) => createdAt),
    scorings.map(({ finishedAt }) => finishedAt ?? 0),
  ];
  sqlite(db)
    .prepare("UPDATE scoring SET created_at = ?, finished_at = ?, asked_from = ?, complete = 1 WHERE id = ?")
    .run(Math.min(...began), Math.max(...ended), askedFrom, merged.id);
}

const isSame = (one: Scoring, other: Scoring): boolean =>
  one.complete &&
  one.suiteHash === other.suiteHash &&
  JSON.stringify(withoutLaxity(one.scorers)) === JSON.stringify(withoutLaxity(other.scorers));

interface Copied {
  part: number;
  from: Connection;
  /** Ids of the scoring there and here. */
  old: number;
  id: number;
}

function copyRows(db: Connection, { part, from, old, id }: Copied): void {
  const sql = sqlite(db);
  const jobOf = sql
    .prepare<[number, number], number>("SELECT id FROM temp.part_job WHERE part = ? AND old = ?")
    .pluck();
  const caseOf = sql
    .prepare<[number, number], number>("SELECT id FROM temp.part_case WHERE part = ? AND old = ?")
    .pluck();
  const score = sql.prepare(
    "INSERT OR IGNORE INTO score (scoring_id, case_id, job_id, scorer, value, pass, reason, applies) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const scores = sqlite(from)
    .prepare<[number], [number, number, ...unknown[]]>(
      "SELECT case_id, job_id, scorer, value, pass, reason, applies FROM score WHERE scoring_id = ? ORDER BY case_id, job_id, scorer",
    )
    .raw();
  for (const [caseId, jobId, ...rest] of scores.iterate(old)) {
    score.run(id, caseOf.get(part, caseId), jobOf.get(part, jobId), ...rest);
  }
  const graded = sql.prepare("INSERT OR IGNORE INTO graded_by (scoring_id, case_id, expected) VALUES (?, ?, ?)");
  const texts = sqlite(from)
    .prepare<[number], [number, string | null]>("SELECT case_id, expected FROM graded_by WHERE scoring_id = ?")
    .raw();
  for (const [caseId, expected] of texts.iterate(old)) graded.run(id, caseOf.get(part, caseId), expected);
  const asked = sql.prepare(
    "INSERT OR IGNORE INTO asked (scoring_id, case_id, job_id, scorer, round, number, judge_job) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const questions = sqlite(from)
    .prepare<[number], [number, number, number, number, number, number]>(
      "SELECT case_id, job_id, judge_job, scorer, round, number FROM asked WHERE scoring_id = ? ORDER BY case_id, job_id, scorer, round, number",
    )
    .raw();
  for (const [caseId, jobId, judgeJob, ...rest] of questions.iterate(old)) {
    // A reply that was known from another batch is not among what this part brings.
    const reply = jobOf.get(part, judgeJob);
    if (reply !== undefined) asked.run(id, caseOf.get(part, caseId), jobOf.get(part, jobId), ...rest, reply);
  }
}
