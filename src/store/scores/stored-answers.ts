import type { JobOutcome } from "../../api/outcomes.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerKind } from "../../api/answer-kind.ts";
import type { Connection } from "../connection.ts";
import { selectRows, selectValue, sqlite } from "../sqlite.ts";
import { labelWriter } from "./labels.ts";
import { LongWrite } from "../long-write.ts";

/** An answer that a row of the dataset holds, as the record of a run. */
export interface StoredRecord {
  target: string;
  /** Only the last reply of the conversation is kept, and this is an earlier turn: none is missing. */
  isEarlier: boolean;
  /** null: the row has no answer for the target. */
  run: { id: string | null; url: string | null; createdAt: string | null; body: string; answer: AnswerKind } | null;
  /** The label in the row; null: none. */
  label: string | null;
  note: string | null;
}

/** A label as it is read: 1 good, 0 bad, or a number; with the rest of the text as a remark. */
interface ReadLabel {
  value: number;
  note: string | null;
}

/** Keeps stored answers in a table of this connection until their jobs are planned. */
export interface StoredAnswers {
  note: (caseId: number, records: readonly StoredRecord[]) => void;
  /** Ends the jobs of the targets that are not asked, with their records and labels. */
  settle: (readLabel: (text: string) => ReadLabel | null) => Promise<void>;
}

interface AnswerRow {
  jobId: number;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  body: string | null;
  answer: AnswerKind | null;
  label: string | null;
  note: string | null;
  earlier: number;
}

/** Jobs that are ended at once. */
const pageSize = 1_000;

export function openStoredAnswers(db: Connection, batchId: number): StoredAnswers {
  const sql = sqlite(db);
  sql.exec(`DROP TABLE IF EXISTS temp.stored_answer;
    CREATE TEMP TABLE stored_answer (case_id INTEGER, target_id INTEGER, run_id TEXT, url TEXT, created_at TEXT, body TEXT, answer TEXT,
      label TEXT, note TEXT, earlier INTEGER, PRIMARY KEY (case_id, target_id)) WITHOUT ROWID`);
  const targets = new Map(
    selectRows<{ id: number; name: string }>(db, "SELECT id, name FROM target WHERE batch_id = ?", [batchId]).map(
      ({ id, name }) => [name, id],
    ),
  );
  const insert =
    sql.prepare(`INSERT INTO temp.stored_answer (case_id, target_id, run_id, url, created_at, body, answer, label, note, earlier)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    note(caseId, records) {
      for (const { target, run, label, note, isEarlier } of records) {
        const { id = null, url = null, createdAt = null, body = null, answer = null } = run ?? {};
        insert.run(caseId, targets.get(target), id, url, createdAt, body, answer, label, note, Number(isEarlier));
      }
    },
    settle: (readLabel) => settleAll(db, batchId, readLabel),
  };
}

async function settleAll(
  db: Connection,
  batchId: number,
  readLabel: (text: string) => ReadLabel | null,
): Promise<void> {
  const sql = sqlite(db);
  const page = sql.prepare<[number, number], AnswerRow>(
    `SELECT job.id AS jobId, run_id AS runId, url, created_at AS createdAt, body, stored_answer.answer, label, note, earlier
     FROM job JOIN temp.stored_answer ON stored_answer.case_id = job.case_id AND stored_answer.target_id = job.target_id
     WHERE job.id > ? AND job.id <= (SELECT last_job FROM batch WHERE batch.id = ?) ORDER BY job.id LIMIT ${pageSize}`,
  );
  const first = selectValue<number>(db, "SELECT first_job FROM batch WHERE id = ?", [batchId]);
  const write = answerWriter(db, readLabel);
  const writing = new LongWrite(db);
  try {
    let after = (first ?? 0) - 1;
    for (let rows = page.all(after, batchId); rows.length > 0; rows = page.all(after, batchId)) {
      writing.begin();
      for (const row of rows) write(row);
      writing.wrote(rows.length);
      after = rows.at(-1)?.jobId ?? after;
      await nextTurn();
    }
    writing.end();
  } finally {
    writing.undo();
  }
  sql.exec("DROP TABLE temp.stored_answer");
}

function answerWriter(db: Connection, readLabel: (text: string) => ReadLabel | null): (row: AnswerRow) => void {
  const sql = sqlite(db);
  const record = sql.prepare("INSERT INTO run_record (id, url, created_at, body) VALUES (?, ?, ?, ?)");
  // Nothing was sent for it: an attempt of the number 0, which no list of requests shows.
  const attempt = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, answer, possibly_paid, redacted, queued_at, record)
     VALUES (?, 0, ?, ?, 0, 0, ?, ?)`,
  );
  const finish = sql.prepare("UPDATE job SET outcome = ?, answer = ?, error = ?, attempt = ? WHERE id = ?");
  const label = labelWriter(db);
  const at = Date.now();
  return (row) => {
    const { jobId, body, answer } = row;
    const kept = body === null ? null : record.run(row.runId, row.url, row.createdAt, body).lastInsertRowid;
    const isMissing = body === null || answer === "empty";
    const isLacking = isMissing && row.earlier !== 1;
    const outcome: JobOutcome = isLacking ? "missing" : isMissing ? "not-asked" : "ok";
    if (kept !== null) attempt.run(jobId, outcome, answer, at, kept);
    const error = isLacking ? "the row has no stored answer" : null;
    finish.run(outcome, isMissing ? null : answer, error, kept === null ? null : 0, jobId);
    if (isMissing) return;
    const read = row.label === null ? null : readLabel(row.label);
    if (row.label === null || read === null) return;
    const note = [read.note, row.note].filter((text) => text !== null).join("\n") || null;
    label({ jobId, scorer: "", label: row.label, value: read.value, note, author: "dataset", at });
  };
}
