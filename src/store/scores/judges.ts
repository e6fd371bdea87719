import type { JobOutcome } from "../../api/outcomes.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import type { TokenTotals } from "../../api/price.ts";
import type { Target } from "../../suite/suite.ts";
import type { BatchTarget } from "../batches.ts";
import { jobsByTarget, ofJudges } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { storedText } from "../stored-text.ts";
import { execute, inTransaction, selectRow, selectRows, selectValue, sqlite } from "../sqlite.ts";

/** A judge of a batch, as it is stored. */
export type StoredJudge = Omit<BatchTarget, "repeats">;

const judgeColumns = "id, name, deployment, base_url AS baseUrl, endpoint, example_id AS exampleId, body, stopped";

/** The judges that were asked about answers of a batch. */
export function batchJudges(db: Connection, batchId: number): StoredJudge[] {
  return selectRows<StoredJudge>(
    db,
    `SELECT ${judgeColumns} FROM target WHERE batch_id = ? AND role = 'judge' ORDER BY id`,
    [batchId],
  );
}

/**
 * The judge of a batch with this identity, entered when it is new. One that has changed under its name since an earlier
 * scoring is another: it gets a number behind it.
 */
export function storedJudge(db: Connection, batchId: number, judge: Target, baseUrl: string): StoredJudge {
  const body = JSON.stringify(judge.body);
  const same = (other: StoredJudge): boolean =>
    (other.name === judge.name || other.name.startsWith(`${judge.name}~`)) &&
    other.deployment === judge.deployment &&
    other.baseUrl === baseUrl &&
    other.endpoint === judge.endpoint &&
    other.exampleId === judge.exampleId &&
    other.body === body;
  const found = batchJudges(db, batchId).find(same);
  if (found !== undefined) return found;
  const taken = sqlite(db).prepare<[number, string]>("SELECT 1 FROM target WHERE batch_id = ? AND name = ?");
  let name = judge.name;
  for (let number = 2; taken.get(batchId, name) !== undefined; number++) name = `${judge.name}~${number}`;
  const { deployment, endpoint, exampleId } = judge;
  const { lastInsertRowid } = execute(
    db,
    `INSERT INTO target (batch_id, name, deployment, base_url, endpoint, example_id, body, repeats, role)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1, 'judge')`,
    [batchId, name, deployment, baseUrl, endpoint, exampleId, body],
  );
  return { id: Number(lastInsertRowid), name, deployment, baseUrl, endpoint, exampleId, body, stopped: null };
}

/** True for a judge that was to be asked something, in some batch of the database. */
export function isKnownJudge(db: Connection, { endpoint, exampleId, body }: Target, baseUrl: string): boolean {
  const found = selectValue<number>(
    db,
    `SELECT 1 FROM target WHERE role = 'judge' AND base_url = ? AND endpoint = ? AND example_id = ? AND body = ? AND (
     EXISTS (SELECT 1 FROM job WHERE job.batch_id = target.batch_id AND job.kind = 'judge' AND job.target_id = target.id)
     OR EXISTS (SELECT 1 FROM job WHERE job.batch_id = target.batch_id AND job.kind = 'probe' AND job.target_id = target.id)) LIMIT 1`,
    [baseUrl, endpoint, exampleId, JSON.stringify(body)],
  );
  return found !== undefined;
}

/** A question about an answer. */
export interface JudgeQuestion {
  caseId: number;
  /** The job whose answer is judged. */
  jobId: number;
  /** Place of the scorer that asks. */
  scorer: number;
  /** 0; 1: asked again, because a reply could not be read. */
  round: number;
  /** Number within the round, from 0. */
  number: number;
  /** Target id of the judge. */
  judge: number;
  /** Hash over the address, the endpoint, the example_id and the whole body. */
  hash: string;
  /** The whole body as JSON text. */
  body: string;
}

/**
 * Enters questions of a scoring, each with the job that brings the reply: one that exists where the same was asked before
 * by this scoring or, with `cache`, was answered before for any scoring of the database; else a new one. `staleUpTo`: the last
 * job whose reply to a scorer is not taken over, because its judge was another one then.
 */
export function questionWriter(
  db: Connection,
  scoring: { id: number; batchId: number; askedFrom: number },
  { cache, staleUpTo = () => 0 }: { cache: boolean; staleUpTo?: (scorer: number) => number },
): (question: JudgeQuestion) => "new" | "known" {
  const sql = sqlite(db);
  const questionOf = questionIds(db);
  const plan = questionPlanner(db, scoring.batchId);
  const own = sql
    .prepare<[number, number, number], number>(
      "SELECT id FROM job WHERE question_id = ? AND kind = 'judge' AND id > ? AND batch_id = ? ORDER BY id DESC LIMIT 1",
    )
    .pluck();
  const earlier = sql
    .prepare<[number, number, number], number>(
      `SELECT id FROM job WHERE question_id = ? AND kind = 'judge' AND id > ? AND (outcome = 'ok' OR (outcome IS NULL AND batch_id = ?))
       ORDER BY outcome IS NULL, id DESC LIMIT 1`,
    )
    .pluck();
  const link = sql.prepare(
    "INSERT OR REPLACE INTO asked (scoring_id, case_id, job_id, scorer, round, number, judge_job) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  return ({ caseId, jobId, scorer, round, number, judge, hash, body }) => {
    const question = questionOf({ hash, body });
    const stale = staleUpTo(scorer);
    const known =
      own.get(question, Math.max(scoring.askedFrom, stale), scoring.batchId) ??
      (cache ? earlier.get(question, stale, scoring.batchId) : undefined);
    const judgeJob = known ?? plan({ caseId, judge, question });
    link.run(scoring.id, caseId, jobId, scorer, round, number, judgeJob);
    return known === undefined ? "new" : "known";
  };
}

/** Finds the id of a question by its hash, and enters one that is new. */
export function questionIds(db: Connection): (question: Pick<JudgeQuestion, "hash" | "body">) => number {
  const find = sqlite(db).prepare<[string], number>("SELECT id FROM question WHERE hash = ?").pluck();
  const insert = sqlite(db).prepare("INSERT INTO question (hash, body) VALUES (?, ?)");
  return ({ hash, body }) => find.get(hash) ?? Number(insert.run(hash, body).lastInsertRowid);
}

/** Enters jobs that ask a judge; returns the id of each. */
function questionPlanner(
  db: Connection,
  batchId: number,
): (job: Pick<JudgeQuestion, "caseId" | "judge"> & { question: number }) => number {
  const asked = sqlite(db)
    .prepare<[number, number], number>(
      "SELECT coalesce(max(repeat), 0) FROM job WHERE case_id = ? AND target_id = ? AND kind = 'judge'",
    )
    .pluck();
  const plan = sqlite(db).prepare(
    "INSERT INTO job (batch_id, target_id, case_id, repeat, kind, question_id) VALUES (?, ?, ?, ?, 'judge', ?)",
  );
  return ({ caseId, judge, question }) =>
    Number(plan.run(batchId, judge, caseId, (asked.get(caseId, judge) ?? 0) + 1, question).lastInsertRowid);
}

/**
 * The job of a question that is asked before there are answers: one of the batch that was answered or is still to be (`own`), or
 * only one that is still to be (`none`); else a new one.
 */
export function planFirstQuestion(
  db: Connection,
  batchId: number,
  asked: Pick<JudgeQuestion, "caseId" | "judge" | "hash" | "body"> & { reuse: "own" | "none" },
): number {
  const known = sqlite(db)
    .prepare<{ question: number; batch: number; reuse: string }, number>(
      `SELECT id FROM job WHERE question_id = @question AND kind = 'judge' AND batch_id = @batch
         AND (outcome IS NULL OR (outcome = 'ok' AND @reuse = 'own'))
       ORDER BY outcome IS NOT NULL, id DESC LIMIT 1`,
    )
    .pluck();
  return inTransaction(db, () => {
    const question = questionIds(db)(asked);
    const found = known.get({ question, batch: batchId, reuse: asked.reuse });
    return found ?? questionPlanner(db, batchId)({ caseId: asked.caseId, judge: asked.judge, question });
  });
}

/** The reply that a job has brought from a judge, or what came instead. */
export type QuestionReply = Pick<
  AskedQuestion,
  "endpoint" | "outcome" | "error" | "runId" | "url" | "createdAt" | "body"
>;

/** Its columns, where `replyJoins` stands behind the job. */
export const replyColumns = `target.endpoint, job.outcome, coalesce(attempt.error, job.error) AS error, run_record.id AS runId, run_record.url,
  run_record.created_at AS createdAt, ${storedText} AS body`;

export const replyJoins = `JOIN target ON target.id = job.target_id
     LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
     LEFT JOIN run_record ON run_record.record = attempt.record`;

export function questionReply(db: Connection, judgeJob: number): QuestionReply | undefined {
  return selectRow<QuestionReply>(db, `SELECT ${replyColumns} FROM job ${replyJoins} WHERE job.id = ?`, [judgeJob]);
}

/** Drops the questions of scorings that were broken off and that nobody asks any more. */
export function dropIdleQuestions(db: Connection, batchId: number): void {
  const idle = `batch_id = ? AND kind = 'judge' AND outcome IS NULL AND NOT EXISTS (SELECT 1 FROM asked WHERE judge_job = job.id)`;
  inTransaction(db, () => {
    execute(
      db,
      `DELETE FROM job WHERE ${idle} AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.job_id = job.id)
       AND NOT EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id)`,
      [batchId],
    );
    execute(db, `UPDATE job SET outcome = 'skipped', error = 'no longer asked' WHERE ${idle}`, [batchId]);
  });
}

/** A question with what came of it. */
export interface AskedQuestion {
  caseId: number;
  jobId: number;
  scorer: number;
  round: number;
  number: number;
  judgeJob: number;
  /** The judge's. */
  endpoint: EndpointName;
  /** null: not finished. */
  outcome: JobOutcome | null;
  error: string | null;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  /** The response body; null without a record. */
  body: string | null;
}

const pageSize = 256;

const askedColumns = `asked.case_id AS caseId, asked.job_id AS jobId, asked.scorer, asked.round, asked.number, asked.judge_job AS judgeJob,
  ${replyColumns}`;

/** The questions of a round of a scoring, in the order of the cases, each with its reply; memory stays flat. */
export function* askedQuestions(db: Connection, scoringId: number, round: number): Generator<AskedQuestion> {
  const page = sqlite(db).prepare<unknown[], AskedQuestion>(
    `SELECT ${askedColumns}
     FROM asked JOIN job ON job.id = asked.judge_job ${replyJoins}
     WHERE asked.scoring_id = ? AND (asked.case_id, asked.job_id, asked.scorer, asked.round, asked.number) > (?, ?, ?, ?, ?)
       AND asked.round = ?
     ORDER BY asked.case_id, asked.job_id, asked.scorer, asked.round, asked.number LIMIT ${pageSize}`,
  );
  let after = [-1, -1, -1, -1, -1];
  for (;;) {
    const rows = page.all(scoringId, ...after, round);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = [last.caseId, last.jobId, last.scorer, last.round, last.number];
  }
}

/** The questions about one answer, with what was asked. */
export function questionsOf(
  db: Connection,
  scoringId: number,
  jobId: number,
  caseId: number,
): (AskedQuestion & { question: string; judge: string })[] {
  return selectRows<AskedQuestion & { question: string; judge: string }>(
    db,
    `SELECT ${askedColumns}, question.body AS question, target.name AS judge
     FROM asked JOIN job ON job.id = asked.judge_job JOIN question ON question.id = job.question_id ${replyJoins}
     WHERE asked.scoring_id = ? AND asked.case_id = ? AND asked.job_id = ?
     ORDER BY asked.scorer, asked.round, asked.number`,
    [scoringId, caseId, jobId],
  );
}

/** Outcomes of a scoring's questions to one judge; a question that was asked about several answers counts once. */
export interface JudgeTally {
  judge: string;
  deployment: string;
  questions: number;
  /** Questions asked by this scoring itself: the others were known. */
  asked: number;
  unfinished: number;
  /** Ended without an answer. */
  failed: number;
  /** Requests that this scoring sent, further attempts included. */
  attempts: number;
  /** Questions that may have been charged. */
  paid: number;
  /** Tokens of the replies that this scoring brought, as far as they told them. */
  tokens: TokenTotals;
}

type TallyRow = Omit<JudgeTally, "tokens"> & TokenTotals;

/** Attempts of a job that this scoring made, with a figure of theirs. */
const ofAttempts = (figure: string, which: string): string =>
  `sum(CASE WHEN job.id > @from THEN (SELECT ${figure} FROM attempt WHERE attempt.job_id = job.id${which}) ELSE 0 END)`;

/** The tallies of a scoring, with the questions that its judges were asked before there were answers. */
export function judgeTallies(
  db: Connection,
  scoring: { id: number; batchId: number; askedFrom: number },
): JudgeTally[] {
  const reported = " AND attempt.outcome = 'ok' AND attempt.tokens_in IS NOT NULL";
  const rows = selectRows<TallyRow>(
    db,
    `SELECT target.name AS judge, target.deployment, count(*) AS questions,
       sum(job.id > @from) AS asked, sum(job.outcome IS NULL) AS unfinished,
       sum(job.outcome IS NOT NULL AND job.outcome <> 'ok') AS failed,
       ${ofAttempts("count(*)", "")} AS attempts,
       ${ofAttempts("count(*)", " AND (attempt.outcome = 'ok' OR attempt.possibly_paid = 1)")} AS paid,
       ${ofAttempts("count(*)", reported)} AS runs,
       ${ofAttempts("coalesce(sum(attempt.tokens_in), 0)", reported)} AS input,
       ${ofAttempts("coalesce(sum(attempt.tokens_out), 0)", reported)} AS output,
       ${ofAttempts("coalesce(sum(attempt.tokens_cached), 0)", reported)} AS cached
     FROM (SELECT judge_job FROM asked WHERE scoring_id = @scoring
           UNION SELECT id FROM job
           WHERE batch_id = @batch AND kind = 'judge' AND id > @from AND outcome IS NOT NULL AND outcome <> 'skipped'
             AND NOT EXISTS (SELECT 1 FROM asked WHERE asked.judge_job = job.id)) AS own
     JOIN job ON job.id = own.judge_job JOIN target ON target.id = job.target_id
     GROUP BY target.id ORDER BY target.id`,
    { scoring: scoring.id, batch: scoring.batchId, from: scoring.askedFrom },
  );
  return rows.map(({ runs, input, output, cached, ...row }) => ({
    ...row,
    tokens: { runs, input, output, cached },
  }));
}

/** Requests of a check that were made, those that may have been charged, and the tokens that they told. */
export function tallyOfCheck(db: Connection, checkId: number): { requests: number; paid: number; tokens: TokenTotals } {
  const reported = "attempt.outcome = 'ok' AND attempt.tokens_in IS NOT NULL";
  const row = selectRow<{ requests: number; paid: number } & TokenTotals>(
    db,
    `SELECT count(*) AS requests, coalesce(sum(attempt.outcome = 'ok' OR attempt.possibly_paid = 1), 0) AS paid,
       coalesce(sum(${reported}), 0) AS runs,
       coalesce(sum(CASE WHEN ${reported} THEN attempt.tokens_in END), 0) AS input,
       coalesce(sum(CASE WHEN ${reported} THEN attempt.tokens_out END), 0) AS output,
       coalesce(sum(CASE WHEN ${reported} THEN attempt.tokens_cached END), 0) AS cached
     FROM probed JOIN attempt ON attempt.job_id = probed.judge_job WHERE probed.check_id = ?`,
    [checkId],
  );
  const { requests = 0, paid = 0, runs = 0, input = 0, output = 0, cached = 0 } = row ?? {};
  return { requests, paid, tokens: { runs, input, output, cached } };
}

/** Judge's target id to the number of its questions that are not finished; a judge without any is left out. */
export const unfinishedQuestions = (db: Connection, batchId: number): Map<number, number> =>
  jobsByTarget(db, batchId, `${ofJudges()} AND outcome IS NULL`);

/** Number of answers for which each scorer asked its judge once more, by the place of the scorer. */
export function repairedAnswers(db: Connection, scoringId: number): { scorer: number; answers: number }[] {
  return selectRows<{ scorer: number; answers: number }>(
    db,
    "SELECT scorer, count(DISTINCT job_id) AS answers FROM asked WHERE scoring_id = ? AND round = 1 GROUP BY scorer ORDER BY scorer",
    [scoringId],
  );
}
