import { localSender } from "../../src/app/send/local-sender.ts";
import { Budget } from "../../src/runner/budget.ts";
import type { RunContext } from "../../src/app/context.ts";
import { scoreBatch, type Scored } from "../../src/app/grade/score-batch.ts";
import type { Batch } from "../../src/store/batches.ts";
import type { Suite } from "../../src/suite/suite.ts";
import { type CodeTrust, trustCode } from "../../src/score/contract/code-trust.ts";
import type { ScorerSpec } from "../../src/score/contract/spec.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { suite } from "../store/batch.ts";

/** A scorer as a suite has it when it is read. */
export const spec = (name: string, type: string, options: ScorerSpec["options"] = {}): ScorerSpec => ({
  name,
  type,
  primary: false,
  weight: 1,
  when: null,
  options,
});

const trustOf = ({ folder, scorers }: Suite): CodeTrust => trustCode({ folder: folder ?? "", scorers, keyNames: [] });

/** A run that asks no service; whatever is not said is as usual. */
export const runOn = (db: Connection, part: Partial<RunContext> = {}): RunContext => ({
  db,
  out: "",
  suite,
  trust: null,
  sender: localSender(new Map()),
  budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, Date.now()),
  cache: true,
  preflight: false,
  failOn: [],
  reports: [],
  onNotice: () => {},
  onEvent: () => {},
  onRunner: () => {},
  isInterrupted: () => false,
  tell: () => {},
  ...part,
});

/** Grades with these scorers, as if the suite had been loaded from a file. */
export function gradeBatch(
  db: Connection,
  batch: Batch,
  scorers: ScorerSpec[],
  { again = false, ...part }: Partial<RunContext> & { again?: boolean } = {},
): Promise<Scored> {
  const graded = part.suite ?? { ...suite, scorers };
  return scoreBatch(runOn(db, { suite: graded, trust: trustOf(graded), ...part }), batch, { again });
}

/** Ends a job of a case as if the target had answered this text; null: as a failed run. */
export function answerJob(db: Connection, key: string, target: string, text: string | null): void {
  const job = sqlite(db)
    .prepare<[string, string], number>(
      `SELECT job.id FROM job JOIN "case" ON "case".id = case_id JOIN target ON target.id = target_id
       WHERE "case".key = ? AND target.name = ? AND kind = 'case' AND job.outcome IS NULL`,
    )
    .pluck()
    .get(key, target);
  if (job === undefined) throw new Error(`no open job of ${key} on ${target}`);
  const body = JSON.stringify({ id: `run${job}`, url: `https://x.test/${job}`, output: { output_text: [text] } });
  const record =
    text === null
      ? null
      : sqlite(db)
          .prepare("INSERT INTO run_record (id, url, body) VALUES (?, ?, ?)")
          .run(`run${job}`, `https://x.test/${job}`, body).lastInsertRowid;
  const outcome = text === null ? "run-failed" : "ok";
  sqlite(db)
    .prepare(
      `INSERT INTO attempt (job_id, number, outcome, answer, possibly_paid, redacted, queued_at, sent_at, done_at, record, error)
     VALUES (?, 1, ?, ?, 0, 0, 1000, 1000, 1500, ?, ?)`,
    )
    .run(job, outcome, text === null ? null : "answered", record, text === null ? "it broke" : null);
  sqlite(db)
    .prepare("UPDATE job SET outcome = ?, answer = ?, attempt = 1 WHERE id = ?")
    .run(outcome, text === null ? null : "answered", job);
}

/** Every score of the scoring that counts, a line each. */
export function scoreLines(db: Connection): string[] {
  return sqlite(db)
    .prepare<[], string>(
      `SELECT case_key || ' ' || target || ' ' || scorer || ' ' || coalesce(value, 'unscored') || ' ' || coalesce(pass, '-') FROM scores ORDER BY 1`,
    )
    .pluck()
    .all();
}
