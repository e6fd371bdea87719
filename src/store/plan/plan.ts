import { createHash } from "node:crypto";
import type { Case } from "../../dataset/case.ts";
import type { Job } from "../../plan/job.ts";
import type { CsvSettings } from "../../suite/schema/csv-schema.ts";
import type { Connection } from "../connection.ts";
import { startTurn } from "../../lib/clock.ts";
import { execute, sqlite } from "../sqlite.ts";
import { LongWrite } from "../long-write.ts";
import type { PlannedCase } from "../../plan/jobs.ts";

/** Cases read back at once. */
const pageSize = 1_000;

/** Cases that are stored as they are read. */
interface NewCases {
  pages: AsyncIterable<Case[]>;
  /** The place of its cluster in the order of sending. */
  rankOf: (cluster: string) => number;
  /** Told of each in the transaction that stores it. */
  onStored?: (caseId: number, row: Case) => void;
  /** The form of its CSV files, as the dataset tells it when all is read; it is no part of the hash of the suite. Null: it tells none. */
  csvOf?: () => CsvSettings | null;
}

/**
 * Stores cases page by page as they are read, each with its place in the order of sending.
 * Resolves with how many there are; the batch then carries a hash over their keys and inputs.
 */
export async function storeCases(
  db: Connection,
  batchId: number,
  { pages, rankOf, onStored, csvOf }: NewCases,
): Promise<number> {
  const insert = caseInsert(db, batchId);
  const hash = createHash("sha256");
  const expected = createHash("sha256");
  const columns = new Set<string>();
  let count = 0;
  let first: number | null = null;
  let last: number | null = null;
  const store = (row: Case): void => {
    count += 1;
    const id = insert(row, { rank: rankOf(row.cluster), place: count });
    last = id;
    onStored?.(id, row);
    first ??= last;
    hash.update(`${row.key}\0${row.inputHash}\0`);
    expected.update(`${row.key}\0${row.expected ?? "\0"}\0`);
    for (const name of Object.keys(row.columns)) columns.add(name);
  };
  const writing = new LongWrite(db);
  try {
    for await (const page of pages) {
      writing.begin();
      for (const row of page) store(row);
      writing.wrote(page.length);
    }
    writing.end();
  } finally {
    writing.undo();
  }
  const told = csvOf?.() ?? null;
  const csv = told === null ? null : JSON.stringify(told);
  const [digest, ofExpected] = [hash, expected].map((each) => each.digest("hex").slice(0, 32));
  execute(
    db,
    "UPDATE batch SET dataset_hash = ?, expected_hash = ?, columns = ?, first_case = ?, last_case = ?, suite = iif(? IS NULL, suite, json_set(suite, '$.csv', json(?))) WHERE id = ?",
    [digest, ofExpected, JSON.stringify([...columns]), first, last, csv, csv, batchId],
  );
  return count;
}

function caseInsert(db: Connection, batchId: number) {
  const insert = sqlite(db).prepare(
    `INSERT INTO "case" (batch_id, key, input, input_hash, expected, cluster, turn, rank, tags, columns, file, row, line, checks, place)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (row: Case, { rank, place }: { rank: number; place: number }): number => {
    const { file, row: rowNumber, line } = row.source;
    const tags = Object.keys(row.tags).length === 0 ? null : JSON.stringify(row.tags);
    const { lastInsertRowid } = insert.run(
      batchId,
      row.key,
      JSON.stringify(row.input),
      row.inputHash,
      row.expected,
      row.cluster,
      row.turn,
      rank,
      tags,
      JSON.stringify(row.columns),
      file,
      rowNumber,
      line,
      row.checks === null ? null : JSON.stringify(row.checks),
      place,
    );
    return Number(lastInsertRowid);
  };
}

/** The cases of a batch in the order of sending: by the seeded rank of their cluster, then by turn. Memory stays flat. */
export function* casesInOrder(db: Connection, batchId: number): Generator<PlannedCase> {
  const sql = sqlite(db);
  sql.exec("DROP TABLE IF EXISTS temp.plan_order");
  // A sort takes as much memory as the cache, and leaves it in pieces.
  const cache = Number(sql.pragma("cache_size", { simple: true }));
  sql.pragma("cache_size = -4096");
  // The table has all that is needed: looking each case up again would be a read at random for each.
  execute(
    db,
    `CREATE TEMP TABLE plan_order AS
     SELECT id, cluster, turn, rank FROM "case"
     WHERE id BETWEEN (SELECT first_case FROM batch WHERE batch.id = ${batchId}) AND (SELECT last_case FROM batch WHERE batch.id = ${batchId})
       AND +batch_id = ${batchId} ORDER BY rank, cluster, turn, id`,
  );
  sql.pragma(`cache_size = ${cache}`);
  const page = sql.prepare<[number, number], PlannedCase>(
    "SELECT id, cluster, turn, rank FROM temp.plan_order WHERE rowid > ? ORDER BY rowid LIMIT ?",
  );
  let after = 0;
  for (let rows = page.all(after, pageSize); rows.length > 0; rows = page.all(after, pageSize)) {
    after += rows.length;
    yield* rows;
  }
  sql.exec("DROP TABLE temp.plan_order");
}

/**
 * Stores the jobs of a plan in their order, and the batch as `planned` when what `settle` does for them is done; resolves
 * with how many there are.
 */
export async function storeJobs(
  db: Connection,
  batchId: number,
  jobs: Iterable<Job>,
  settle: () => Promise<void> = async () => undefined,
): Promise<number> {
  const writer = jobWriter(db, batchId);
  const writing = new LongWrite(db);
  const turn = startTurn();
  try {
    for (const job of jobs) {
      writing.begin();
      writer.add(job);
      writing.wrote(1);
      // A million take many seconds, and neither signals nor the collection of what reading has left should wait for them.
      if (turn.isOver()) await turn.next();
    }
    writing.end();
  } finally {
    writing.undo();
  }
  const { first, last } = writer;
  execute(db, "UPDATE batch SET first_job = ?, last_job = ? WHERE id = ?", [first, last, batchId]);
  await settle();
  execute(db, "UPDATE batch SET state = 'planned' WHERE id = ?", [batchId]);
  return writer.count;
}

/** Stores jobs one by one, and links the turns of conversations. */
interface JobWriter {
  add: (job: Job) => void;
  /** Number of jobs so far, and the ids of the first and the last of them. */
  readonly count: number;
  readonly first: number | null;
  readonly last: number | null;
}

export function jobWriter(db: Connection, batchId: number): JobWriter {
  const insert = sqlite(db).prepare(
    "INSERT INTO job (batch_id, target_id, case_id, repeat, kind, waits_for) VALUES (?, ?, ?, ?, ?, ?)",
  );
  /** Target to its latest job: within a conversation, the one that the next turn waits for. */
  const latest = new Map<number, number>();
  const written: { count: number; first: number | null; last: number | null } = { count: 0, first: null, last: null };
  return {
    add(job) {
      const waitsFor = job.waits ? (latest.get(job.targetId) ?? null) : null;
      const id = Number(insert.run(batchId, job.targetId, job.caseId, job.repeat, job.kind, waitsFor).lastInsertRowid);
      latest.set(job.targetId, id);
      written.first ??= id;
      written.last = id;
      written.count += 1;
    },
    get count() {
      return written.count;
    },
    get first() {
      return written.first;
    },
    get last() {
      return written.last;
    },
  };
}
