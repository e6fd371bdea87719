import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { Suite } from "../../suite/suite.ts";
import { lastPlanned, notePlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, sqlite } from "../sqlite.ts";
import { storableSuite } from "../stored-suite.ts";
import type { PinHead, PinnedCase, PinnedRun } from "./pin-lines.ts";

/** An exported pin as it is stored: a batch with nothing but answers and scores. */
export interface ImportedBatch {
  name: string;
  suite: Suite;
  head: PinHead;
  version: string;
  at: number;
}

/**
 * Stores an exported pin as a batch, case by case, all or nothing. `answerBody` makes a response body of an answer, so
 * that it is read as any other.
 */
export function importPin(
  db: Connection,
  batch: ImportedBatch,
  { cases, answerBody }: { cases: Iterable<PinnedCase>; answerBody: (target: string, run: PinnedRun) => string },
): void {
  const sql = sqlite(db);
  inTransaction(db, () => {
    const batchId = insertBatch(db, batch);
    const before = lastPlanned(db);
    const targets = insertTargets(db, batchId, batch.head);
    const scoringId = insertScoring(db, batchId, batch);
    const isKnown = sql.prepare<[number, string]>('SELECT 1 FROM "case" WHERE batch_id = ? AND key = ?');
    const statements = caseStatements(db, { batchId, scoringId, targets });
    let place = 0;
    for (const one of cases) {
      if (isKnown.get(batchId, one.key) !== undefined) {
        throw new AppError("PIN_INVALID", `The exported pin has a key twice: ${showText(one.key)}.`);
      }
      statements.insert(one, place++, answerBody);
    }
    execute(
      db,
      `UPDATE batch SET state = 'finished', finished_at = @at, columns = '[]',
         first_case = (SELECT min(id) FROM "case" WHERE batch_id = @batchId), last_case = (SELECT max(id) FROM "case" WHERE batch_id = @batchId)
       WHERE id = @batchId`,
      { batchId, at: batch.at },
    );
    notePlan(db, batchId, before);
  });
}

function insertBatch(db: Connection, { name, suite, version, at }: ImportedBatch): number {
  const { lastInsertRowid } = execute(
    db,
    `INSERT INTO batch (name, suite_name, suite, suite_hash, seed, state, version, created_at, origin)
     VALUES (?, ?, ?, '', '1', 'reading', ?, ?, 'pin')`,
    [name, suite.name, storableSuite(suite), version, at],
  );
  return Number(lastInsertRowid);
}

function insertTargets(db: Connection, batchId: number, { targets }: PinHead): Map<string, number> {
  const insert = sqlite(db).prepare(
    "INSERT INTO target (batch_id, name, deployment, base_url, endpoint, example_id, body, repeats) VALUES (?, ?, '', 'pin:', ?, ?, '{}', ?)",
  );
  return new Map(
    targets.map(({ name, endpoint, exampleId, repeats }) => [
      name,
      Number(insert.run(batchId, name, endpoint, exampleId, repeats).lastInsertRowid),
    ]),
  );
}

function insertScoring(db: Connection, batchId: number, { head, suite, version, at }: ImportedBatch): number | null {
  if (head.scorers.length === 0) return null;
  const { lastInsertRowid } = execute(
    db,
    `INSERT INTO scoring (batch_id, suite_hash, scorers, rule, version, answers, asked_from, complete, created_at, finished_at)
     VALUES (?, '', ?, ?, ?, 0, 0, 1, ?, ?)`,
    [batchId, JSON.stringify(head.scorers), JSON.stringify(suite.pass), version, at, at],
  );
  return Number(lastInsertRowid);
}

interface Stored {
  batchId: number;
  scoringId: number | null;
  targets: ReadonlyMap<string, number>;
}

function caseStatements(db: Connection, { batchId, scoringId, targets }: Stored) {
  const sql = sqlite(db);
  const insertCase = sql.prepare(
    `INSERT INTO "case" (batch_id, key, input, input_hash, cluster, turn, rank, columns, file, row, line, place)
     VALUES (?, ?, '{}', ?, ?, ?, 0, '{}', '', @place, @place, @place)`,
  );
  const insertJob = sql.prepare(
    "INSERT INTO job (batch_id, target_id, case_id, repeat, kind, outcome, answer, error, attempt) VALUES (?, ?, ?, ?, 'case', ?, ?, ?, 1)",
  );
  const insertRecord = sql.prepare("INSERT INTO run_record (id, url, created_at, body) VALUES (?, ?, ?, ?)");
  const insertAttempt = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, answer, error, possibly_paid, redacted, queued_at, sent_at, done_at, record)
     VALUES (?, 1, ?, ?, ?, 0, 0, ?, ?, ?, ?)`,
  );
  const insertScore = sql.prepare(
    "INSERT INTO score (scoring_id, case_id, job_id, scorer, value, pass) VALUES (?, ?, ?, ?, ?, ?)",
  );

  const insertRun = (
    caseId: number,
    target: string,
    run: PinnedRun,
    given: { repeat: number; body: string | null },
  ): void => {
    const { outcome, kind, error, run_id, url, created_at, sent_at, done_at, scores } = run;
    const job = insertJob.run(batchId, targets.get(target), caseId, given.repeat, outcome, kind, error);
    const jobId = Number(job.lastInsertRowid);
    const hasRun = given.body !== null || run_id !== null || url !== null;
    const record = hasRun ? insertRecord.run(run_id, url, created_at, given.body).lastInsertRowid : null;
    insertAttempt.run(jobId, outcome ?? "ambiguous", kind, error, Math.round(sent_at ?? 0), sent_at, done_at, record);
    if (scoringId === null) return;
    for (const [place, score] of scores.entries()) {
      if (score === null) continue;
      const pass = score.pass === null ? null : Number(score.pass);
      insertScore.run(scoringId, caseId, jobId, place, score.value, pass);
    }
  };

  return {
    insert(one: PinnedCase, place: number, answerBody: (target: string, run: PinnedRun) => string): void {
      const added = insertCase.run(batchId, one.key, one.input_hash, one.cluster, one.turn, { place: place + 1 });
      for (const [target, runs] of Object.entries(one.runs)) {
        if (!targets.has(target)) continue;
        for (const [i, run] of runs.entries()) {
          const body = run.outcome === "ok" ? answerBody(target, run) : null;
          insertRun(Number(added.lastInsertRowid), target, run, { repeat: i + 1, body });
        }
      }
    },
  };
}
