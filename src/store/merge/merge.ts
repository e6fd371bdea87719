import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { Selection } from "../../plan/select.ts";
import type { Suite } from "../../suite/suite.ts";
import { type Batch, batchTargets, createBatch, findBatch } from "../batches.ts";
import { inPlan, lastPlanned, notePlan, ofBatch, ofJudges, ofPlan, ofProbes } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { hasSecondLook, noteSecondLook } from "../plan/second-look.ts";
import { execute, inTransaction, selectRows, selectValue, sqlite } from "../sqlite.ts";
import { copyDraws, type LeftDraw } from "./merge-draws.ts";
import { copyScores } from "./merge-scores.ts";
import { MovedRows } from "./moved-rows.ts";
import type { BatchPart } from "./batch-part.ts";

/**
 * Puts parts of one batch together into a new one: cases in the order of the dataset, jobs in the order of the plan,
 * attempts and records as they are, labels, and the scores and draws for people where all parts have the same; draws that do not
 * become one of the whole are told to `onLeft`. All or nothing. Throws MERGE_REFUSED when a job has a result in two parts.
 */
export function mergeBatches(
  db: Connection,
  parts: readonly BatchPart[],
  given: { suite: Suite; selection: Selection | null; version: string; onLeft?: (draws: readonly LeftDraw[]) => void },
): Batch {
  const sql = sqlite(db);
  return inTransaction(db, () => {
    const batch = createMerged(db, parts, given);
    stage(db, parts);
    refuseOverlaps(db, parts);
    copyCases(db, batch.id, parts);
    copyJobs(db, batch.id, parts.length);
    const lastJob = lastPlanned(db);
    for (const [index, part] of parts.entries()) {
      copyBelongings(db, batch.id, index, part);
    }
    copyScores(db, batch.id, parts, lastJob);
    const left = copyDraws(db, batch.id, parts);
    given.onLeft?.(left);
    finish(db, batch.id, parts);
    sql.exec("DROP TABLE temp.part_job; DROP TABLE temp.part_case; DROP TABLE temp.moved");
    return findBatch(db, batch.name);
  });
}

function createMerged(
  db: Connection,
  parts: readonly BatchPart[],
  given: { suite: Suite; selection: Selection | null; version: string },
): Batch {
  const [first] = parts;
  if (first === undefined) throw new AppError("MERGE_REFUSED", "Nothing was named to be merged.");
  const repeats = new Map(batchTargets(first.db, first.batch.id).map((target) => [target.name, target.repeats]));
  return createBatch(db, {
    ...given,
    seed: first.batch.seed,
    at: Math.min(...parts.map(({ batch }) => batch.createdAt)),
    repeatsOf: (target) => repeats.get(target) ?? given.suite.repeats,
  });
}

/** Columns of a staged job beside its place. */
const jobColumns =
  "key, target, case_id, target_id, repeat, kind, waits_for, outcome, answer, error, attempt, corrected_after, done".split(
    ", ",
  );

/** True for a job that was sent, or decided. */
const isBegun = `(outcome IS NOT NULL OR EXISTS (SELECT 1 FROM attempt WHERE attempt.job_id = job.id)
  OR EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id))`;

/** Expressions of columns that a job does not have by that name. */
const ofJob: Record<string, string> = {
  key: '"case".key',
  target: "target.name",
  done: isBegun,
};

/** Jobs of all parts in tables of this connection; `done`: something was sent or decided. */
function stage(db: Connection, parts: readonly BatchPart[]): void {
  sqlite(db).exec(`
    DROP TABLE IF EXISTS temp.part_job; DROP TABLE IF EXISTS temp.part_case;
    CREATE TEMP TABLE part_case (part INTEGER, old INTEGER, id INTEGER, PRIMARY KEY (part, old)) WITHOUT ROWID;
    CREATE TEMP TABLE part_job (
      part INTEGER, old INTEGER, key TEXT, target TEXT, case_id INTEGER, target_id INTEGER, repeat INTEGER, kind TEXT, waits_for INTEGER,
      outcome TEXT, answer TEXT, error TEXT, attempt INTEGER, corrected_after INTEGER, done INTEGER, pass INTEGER, id INTEGER, PRIMARY KEY (part, old)) WITHOUT ROWID`);
  const insert = sqlite(db).prepare(
    `INSERT INTO temp.part_job (part, pass, old, ${jobColumns.join(", ")}) VALUES (${jobColumns.map(() => "?, ").join("")}?, ?, ?)`,
  );
  for (const [part, { db: from, batch }] of parts.entries()) {
    const jobs = sqlite(from)
      .prepare<
        { batch: number },
        [rank: number, cluster: string, turn: number, case_id: number, target_id: number, old: number, ...unknown[]]
      >(
        `SELECT "case".rank, "case".cluster, "case".turn, case_id, target_id, job.id, ${jobColumns.map((name) => ofJob[name] ?? name).join(", ")}
       FROM job CROSS JOIN "case" ON "case".id = case_id CROSS JOIN target ON target.id = target_id
       WHERE ${ofPlan()} AND job.kind = 'case' ORDER BY job.id`,
      )
      .raw();
    const passOf = passCounter();
    for (const [rank, cluster, turn, case_id, target_id, ...job] of jobs.iterate({ batch: batch.id })) {
      insert.run(part, passOf({ rank, cluster, turn, case_id, target_id }), ...job);
    }
  }
}

interface Overlap {
  key: string;
  target: string;
  parts: string;
  count: number;
}

const mostListed = 5;

function refuseOverlaps(db: Connection, parts: readonly BatchPart[]): void {
  const overlaps = selectRows<Overlap>(
    db,
    `SELECT key, target, group_concat(part, ' ') AS parts, count(*) OVER () AS count FROM temp.part_job WHERE done
     GROUP BY key, target, repeat, kind HAVING count(*) > 1 ORDER BY min(old) LIMIT ${mostListed}`,
  );
  const [first] = overlaps;
  if (first === undefined) return;
  const lines = overlaps.map(({ key, target, parts: in_ }) => {
    const names = in_.split(" ").map((index) => parts[Number(index)]?.name ?? index);
    return `  ${showText(key)} on ${target}: in ${names.join(" and ")}`;
  });
  const more = first.count > overlaps.length ? [`  ... and ${first.count - overlaps.length} more`] : [];
  throw new AppError(
    "MERGE_REFUSED",
    [`${first.count} of the jobs have a result in more than one part:`, ...lines, ...more].join("\n"),
    { hint: "Merge parts that were made with different --shard i/n of the same n." },
  );
}

interface CaseRow {
  id: number;
  place: number;
  key: string;
}

const caseColumns =
  "key, input, input_hash, expected, cluster, turn, rank, tags, columns, file, row, line, checks, place".split(", ");

/** Cases in the order of the dataset; one that is in several parts is stored once. */
function copyCases(db: Connection, batchId: number, parts: readonly BatchPart[]): void {
  const sql = sqlite(db);
  const insert = sql.prepare(
    `INSERT INTO "case" (batch_id, ${caseColumns.join(", ")}) VALUES (@batchId, ${caseColumns.map((name) => `@${name}`).join(", ")})`,
  );
  const note = sql.prepare("INSERT INTO temp.part_case (part, old, id) VALUES (?, ?, ?)");
  const streams = parts.map(({ db: from, batch }) =>
    sqlite(from)
      .prepare<[number], CaseRow>(`SELECT id, ${caseColumns.join(", ")} FROM "case" WHERE batch_id = ? ORDER BY place`)
      .iterate(batch.id),
  );
  let last = { place: -1, id: 0 };
  let first: number | null = null;
  for (const { part, row } of byPlace(streams)) {
    if (row.place !== last.place) {
      last = { place: row.place, id: Number(insert.run({ batchId, ...row }).lastInsertRowid) };
      first ??= last.id;
    }
    note.run(part, row.id, last.id);
  }
  execute(db, "UPDATE batch SET first_case = ?, last_case = ? WHERE id = ?", [
    first,
    first === null ? null : last.id,
    batchId,
  ]);
}

/** Several streams in the order of their places as one. */
function* byPlace(streams: IterableIterator<CaseRow>[]): Generator<{ part: number; row: CaseRow }> {
  const heads = streams.map((stream, part) => ({ part, stream, next: stream.next() }));
  try {
    for (;;) {
      let least: (typeof heads)[number] | null = null;
      let row: CaseRow | null = null;
      for (const head of heads) {
        if (head.next.done === true || (row !== null && head.next.value.place >= row.place)) continue;
        [least, row] = [head, head.next.value];
      }
      if (least === null || row === null) return;
      yield { part: least.part, row };
      least.next = least.stream.next();
    }
  } finally {
    // A connection with an open query cannot be closed.
    for (const { stream } of heads) stream.return?.();
  }
}

/** Jobs in the order of the plan; of the same job in two parts the one that was begun. */
function copyJobs(db: Connection, batchId: number, parts: number): void {
  // The jobs of one part are in the order of the plan as they are, each once.
  const [choice, order] =
    parts === 1
      ? ["1", "one.old"]
      : [
          "row_number() OVER (PARTITION BY key, target, repeat, kind ORDER BY done DESC, part)",
          `one.pass, "case".rank, "case".cluster, "case".turn, "case".id, one.old`,
        ];
  const job = "one.repeat, one.kind, one.outcome, one.answer, one.error, one.attempt, one.corrected_after";
  const before = lastPlanned(db);
  execute(
    db,
    `INSERT INTO job (batch_id, target_id, case_id, repeat, kind, outcome, answer, error, attempt, corrected_after)
     SELECT @batchId, target.id, "case".id, ${job}
     FROM (SELECT *, ${choice} AS choice FROM temp.part_job) AS one
     JOIN temp.part_case ON part_case.part = one.part AND part_case.old = one.case_id JOIN "case" ON "case".id = part_case.id
     JOIN target ON target.batch_id = @batchId AND target.name = one.target
     WHERE choice = 1 ORDER BY ${order}`,
    { batchId },
  );
  execute(
    db,
    `UPDATE temp.part_job SET id = (
     SELECT job.id FROM temp.part_case JOIN target ON target.batch_id = @batchId AND target.name = part_job.target
     JOIN job ON job.case_id = part_case.id AND job.target_id = target.id AND job.repeat = part_job.repeat AND job.kind = part_job.kind
     WHERE part_case.part = part_job.part AND part_case.old = part_job.case_id)`,
    { batchId },
  );
  execute(
    db,
    `UPDATE job SET waits_for = earlier.id
     FROM temp.part_job AS one JOIN temp.part_job AS earlier ON earlier.part = one.part AND earlier.old = one.waits_for
     WHERE job.id = one.id`,
  );
  notePlan(db, batchId, before);
}

/** The new batch is as far as its parts are; a check of a judge that was cut off leaves a batch finished. */
function finish(db: Connection, batchId: number, parts: readonly BatchPart[]): void {
  const sql = sqlite(db);
  const open = `SELECT count(*) FROM job WHERE (${ofPlan()} OR ${ofJudges()}) AND outcome IS NULL`;
  const left = selectValue<number>(db, open, { batch: batchId });
  const isFinished = left === 0;
  const ends = parts.map(({ batch }) => batch.finishedAt ?? batch.createdAt);
  const [first] = parts;
  sql
    .prepare(
      "UPDATE batch SET state = ?, reason = ?, finished_at = ?, worked_ms = ?, dataset_hash = ?, columns = ? WHERE id = ?",
    )
    .run(
      isFinished ? "finished" : "stopped",
      isFinished ? null : "merged from parts that were not finished",
      isFinished ? Math.max(...ends) : null,
      // Parts run beside each other, on machines whose clocks differ.
      Math.max(...parts.map(({ batch }) => batch.workedMs)),
      first?.batch.datasetHash,
      first === undefined ? null : columnNames(first),
      batchId,
    );
  const whole = parts.map(wholeCasesOf).find((cases) => cases !== null) ?? null;
  execute(db, "UPDATE batch SET whole_cases = ? WHERE id = ?", [whole, batchId]);
  if (parts.some((part) => hasSecondLook(part.db, part.batch.id))) noteSecondLook(db, batchId, Math.max(...ends));
  const stop = sql.prepare("UPDATE target SET stopped = coalesce(stopped, ?) WHERE batch_id = ? AND name = ?");
  for (const part of parts) {
    for (const { name, stopped } of batchTargets(part.db, part.batch.id)) stop.run(stopped, batchId, name);
  }
}

/** Cases of the whole that a part is of; null: not known, or it is none. */
function wholeCasesOf({ db, batch }: BatchPart): number | null {
  return selectValue<number | null>(db, "SELECT whole_cases FROM batch WHERE id = ?", [batch.id]) ?? null;
}

/** JSON list, as it is stored; null: its dataset was not read. */
function columnNames({ db, batch }: BatchPart): string | null {
  return selectValue<string | null>(db, "SELECT columns FROM batch WHERE id = ?", [batch.id]) ?? null;
}

/** Copies all that a part has of requests, answers, questions to judges and labels to the jobs that its own have become. */
function copyBelongings(db: Connection, batchId: number, index: number, part: BatchPart): void {
  const sql = sqlite(db);
  const rows = new MovedRows(db, index, part);
  const target = sql.prepare<[number, string], number>("SELECT id FROM target WHERE batch_id = ? AND name = ?").pluck();
  const question = sql.prepare<[string], number>("SELECT id FROM question WHERE hash = ?").pluck();
  const asked = sql
    .prepare<unknown[], number>(
      "SELECT coalesce(max(repeat), 0) + 1 FROM job WHERE case_id = ? AND target_id = ? AND kind = ?",
    )
    .pluck();
  const jobs = `SELECT id FROM job WHERE ${ofBatch()}`;
  rows.note("batch", part.batch.id, batchId);
  rows.copy("target", "batch_id = @batch", { known: ({ name }) => target.get(batchId, String(name)) });
  rows.copy("question", `id IN (SELECT question_id FROM job WHERE ${ofJudges()} OR ${ofProbes()})`, {
    known: ({ hash }) => question.get(String(hash)),
  });
  // Questions that were only planned are left out, so that none is asked again.
  rows.copy("job", `(${ofJudges()} OR ${ofProbes()}) AND ${isBegun}`, {
    also: (job) => ({ ...job, repeat: asked.get(job["case_id"], job["target_id"], job["kind"]) }),
  });
  rows.copy("run_record", `record IN (SELECT record FROM attempt WHERE job_id IN (${jobs}))`);
  for (const table of ["attempt", "sending"]) rows.copy(table, `job_id IN (${jobs})`);
  for (const table of ["pace", "outage", "change", "judge_check"]) rows.copy(table, "batch_id = @batch");
  rows.copy("label", inPlan("job_id"));
  rows.copy("probed", "check_id IN (SELECT id FROM judge_check WHERE batch_id = @batch)");
}

/** A job of a plan, as far as its pass depends on it. */
interface PlacedJob {
  case_id: number;
  target_id: number;
  cluster: string;
  /** Place of its cluster in the order of sending. */
  rank: number;
  turn: number;
}

/** Tells the pass over the cases in which each job stands, from 1; to be asked of all jobs in the order of the plan. */
function passCounter(): (job: PlacedJob) => number {
  const targets = new Set<number>();
  let last: PlacedJob | null = null;
  let pass = 1;
  return (job) => {
    const isSame = last !== null && last.case_id === job.case_id;
    // Each pass begins with the lowest rank again; where there is one case alone, with a target that had its turn.
    const begins = last !== null && (isSame ? targets.has(job.target_id) : isBefore(job, last));
    if (begins) pass += 1;
    if (begins || !isSame) targets.clear();
    targets.add(job.target_id);
    last = job;
    return pass;
  };
}

function isBefore(one: PlacedJob, other: PlacedJob): boolean {
  if (one.rank !== other.rank || one.cluster !== other.cluster) return one.rank < other.rank;
  return one.turn === other.turn ? one.case_id < other.case_id : one.turn < other.turn;
}
