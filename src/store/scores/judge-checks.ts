import { storedJson } from "../../lib/stored-json.ts";
import { jobsByTarget, ofProbes } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRows, selectValue, selectValues, sqlite } from "../sqlite.ts";
import { type JudgeQuestion, questionIds, type QuestionReply, replyColumns, replyJoins } from "./judges.ts";

/** A check of a judge, whose questions are asked or open. */
export interface StoredCheck {
  id: number;
  batchId: number;
  /** Name of the score. */
  scorer: string;
  /** A hash over the prompt, the model and the settings that make the judge. */
  judge: string;
  /** A hash over its questions. */
  plan: string;
}

/** A question of a check. */
export type ProbeQuestion = Pick<JudgeQuestion, "caseId" | "round" | "number" | "judge" | "hash" | "body"> & {
  /** Place of the probe in the check. */
  place: number;
};

/** The check of a batch that was broken off and has these questions; null: there is none. */
export function openCheck(db: Connection, { batchId, judge, plan }: Omit<StoredCheck, "id" | "scorer">): number | null {
  return (
    selectValue<number>(
      db,
      "SELECT id FROM judge_check WHERE batch_id = ? AND judge = ? AND plan = ? AND finished_at IS NULL ORDER BY id DESC LIMIT 1",
      [batchId, judge, plan],
    ) ?? null
  );
}

/** A batch's questions of an earlier check, which it asks again, were broken off. */
export function isAskingAgain(db: Connection, batchId: number): boolean {
  const open = "SELECT 1 FROM judge_check WHERE batch_id = ? AND again = 1 AND finished_at IS NULL LIMIT 1";
  return selectValue<number>(db, open, [batchId]) !== undefined;
}

/** Enters a check with its questions; `again`: those of an earlier one. Open ones of its batch that have other questions are given up. Returns its id. */
export function beginCheck(
  db: Connection,
  {
    questions,
    again = false,
    ...check
  }: Omit<StoredCheck, "id"> & { questions: readonly ProbeQuestion[]; again?: boolean },
): number {
  return inTransaction(db, () => {
    dropOpenChecks(db, check.batchId);
    const { lastInsertRowid } = execute(
      db,
      "INSERT INTO judge_check (batch_id, scorer, judge, plan, again) VALUES (?, ?, ?, ?, ?)",
      [check.batchId, check.scorer, check.judge, check.plan, Number(again)],
    );
    const id = Number(lastInsertRowid);
    enter(db, { checkId: id, batchId: check.batchId, questions });
    return id;
  });
}

/** Enters further questions of a check; those that are there stay as they are. */
export function askProbes(
  db: Connection,
  given: { checkId: number; batchId: number; questions: readonly ProbeQuestion[] },
): void {
  inTransaction(db, () => enter(db, given));
}

function enter(
  db: Connection,
  { checkId, batchId, questions }: { checkId: number; batchId: number; questions: readonly ProbeQuestion[] },
): void {
  const sql = sqlite(db);
  const idOf = questionIds(db);
  const known = sql.prepare("SELECT 1 FROM probed WHERE check_id = ? AND place = ? AND round = ? AND number = ?");
  const most = sql
    .prepare<[number, number], number>(
      "SELECT coalesce(max(repeat), 0) FROM job WHERE case_id = ? AND target_id = ? AND kind = 'probe'",
    )
    .pluck();
  const plan = sql.prepare(
    "INSERT INTO job (batch_id, target_id, case_id, repeat, kind, question_id) VALUES (?, ?, ?, ?, 'probe', ?)",
  );
  const link = sql.prepare("INSERT INTO probed (check_id, place, round, number, judge_job) VALUES (?, ?, ?, ?, ?)");
  for (const { place, round, number, caseId, judge, ...question } of questions) {
    if (known.get(checkId, place, round, number) !== undefined) continue;
    const repeat = (most.get(caseId, judge) ?? 0) + 1;
    const { lastInsertRowid } = plan.run(batchId, judge, caseId, repeat, idOf(question));
    link.run(checkId, place, round, number, lastInsertRowid);
  }
}

/** Drops the checks of a batch that were broken off: what was sent stays in the journal. */
export function dropOpenChecks(db: Connection, batchId: number): void {
  const open = `SELECT judge_job FROM probed WHERE check_id IN (SELECT id FROM judge_check WHERE batch_id = @batch AND finished_at IS NULL)`;
  const statements = [
    `UPDATE job SET outcome = 'skipped', error = 'no longer asked' WHERE (outcome IS NULL OR outcome = 'held') AND id IN (${open})`,
    "DELETE FROM probed WHERE check_id IN (SELECT id FROM judge_check WHERE batch_id = @batch AND finished_at IS NULL)",
    "DELETE FROM judge_check WHERE batch_id = @batch AND finished_at IS NULL",
    `DELETE FROM job WHERE ${ofProbes()} AND outcome = 'skipped' AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.job_id = job.id)
       AND NOT EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id) AND NOT EXISTS (SELECT 1 FROM probed WHERE probed.judge_job = job.id)`,
  ];
  for (const text of statements) execute(db, text, { batch: batchId });
}

/** A question of a check with what came of it. */
export interface ProbeReply extends QuestionReply {
  place: number;
  round: number;
  number: number;
}

/** The questions of a check in their order, each with its reply. */
export function probeReplies(db: Connection, checkId: number): ProbeReply[] {
  return selectRows<ProbeReply>(
    db,
    `SELECT probed.place, probed.round, probed.number, ${replyColumns}
     FROM probed JOIN job ON job.id = probed.judge_job ${replyJoins}
     WHERE probed.check_id = ? ORDER BY probed.place, probed.round, probed.number`,
    [checkId],
  );
}

/** Judge's target id to the number of its open questions of checks; a judge without any is left out. */
export const unfinishedProbes = (db: Connection, batchId: number): Map<number, number> =>
  jobsByTarget(db, batchId, `${ofProbes()} AND outcome IS NULL`);

/** Keeps the result of a check, as JSON. */
export function finishCheck(db: Connection, checkId: number, { result, at }: { result: string; at: number }): void {
  execute(db, "UPDATE judge_check SET finished_at = ?, result = ? WHERE id = ?", [at, result, checkId]);
}

/** Checks of one judge that are looked at: nobody makes more in a while. */
const mostChecks = 50;

/** The finished checks of a judge, with answers of whatever batches, as they were kept; the latest first. */
export function latestChecks<Result>(
  db: Connection,
  judge: string,
  isResult: (value: unknown) => value is Result,
): { at: number; result: Result }[] {
  return selectRows<{ at: number; result: string }>(
    db,
    `SELECT finished_at AS at, result FROM judge_check WHERE judge = ? AND again = 0 AND finished_at IS NOT NULL
     ORDER BY finished_at DESC, id DESC LIMIT ${mostChecks}`,
    [judge],
  ).map(({ at, result }) => ({ at, result: storedJson(result, "a check of a judge", isResult) }));
}

/** Names of the scores of a batch whose judge was checked with its answers. */
export function checkedScores(db: Connection, batchId: number): string[] {
  return selectValues<string>(
    db,
    "SELECT DISTINCT scorer FROM judge_check WHERE batch_id = ? AND again = 0 AND finished_at IS NOT NULL",
    [batchId],
  );
}
