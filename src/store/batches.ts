import type { EndpointName } from "../api/endpoint-name.ts";
import { AppError } from "../errors.ts";
import { steadyNow } from "../lib/clock.ts";
import { shellWord } from "../lib/shell-word.ts";
import { hashText } from "../lib/hash.ts";
import { notOurs, storedJson } from "../lib/stored-json.ts";
import { didYouMean } from "../lib/suggest.ts";
import type { Selection } from "../plan/select.ts";
import { isEndpoint } from "../api/endpoints.ts";
import type { Suite } from "../suite/suite.ts";
import type { Connection } from "./connection.ts";
import { isSelection, readSuite, storableSuite } from "./stored-suite.ts";
import { lockBatch } from "./lock.ts";
import { knownPath } from "./read-only-folder.ts";
import { execute, inTransaction, selectRow, selectRows, selectValues, sqlite } from "./sqlite.ts";
import { findPin, listPins } from "./pins/pins.ts";

export type BatchState = "reading" | "planned" | "running" | "finished" | "stopped";

/** One execution of a suite, as it is stored. */
export interface Batch {
  id: number;
  /** Suite name and time of creation, unique in the database: `help-desk-20261120-193012`. */
  name: string;
  suiteName: string;
  suite: Suite;
  suiteHash: string;
  datasetHash: string | null;
  seed: string;
  /** null: every case of the dataset takes part. */
  selection: Selection | null;
  state: BatchState;
  /** The reason why it stopped before its end; null otherwise. */
  reason: string | null;
  /** Version of tandem. */
  version: string;
  createdAt: number;
  finishedAt: number | null;
  /** Milliseconds in which processes read its dataset and sent its jobs, on the steady clock. */
  workedMs: number;
}

/** A target of a batch, as it is stored. */
export interface BatchTarget {
  id: number;
  name: string;
  deployment: string;
  baseUrl: string;
  endpoint: EndpointName;
  exampleId: string;
  body: string;
  repeats: number;
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
}

const batchColumns = `id, name, suite_name AS suiteName, suite, suite_hash AS suiteHash, dataset_hash AS datasetHash, seed, selection, state, reason, version,
  created_at AS createdAt, finished_at AS finishedAt, worked_ms AS workedMs`;

type BatchRow = Omit<Batch, "suite" | "selection"> & { suite: string; selection: string | null };

/** Throws DATABASE_INVALID where a stranger wrote it. `suite` reads the text of one. */
function batchOf(row: BatchRow, suiteOf: (text: string) => Suite = readSuite): Batch {
  checkRow(row);
  const suite = suiteOf(row.suite);
  const selection = row.selection === null ? null : storedJson(row.selection, "a selection", isSelection);
  return { ...row, suite, selection };
}

/** The longest time that a date can hold, in milliseconds. */
const latestDate = 8.64e15;

/** A name is that of a folder too, and becomes part of commands: one of other characters was not made by tandem. */
function checkRow({ name, createdAt, finishedAt }: BatchRow): void {
  const times = [createdAt, finishedAt ?? 0];
  if (!/^[\p{L}\p{M}\p{N}._-]+$/u.test(name) || /^\.+$/.test(name)) throw notOurs("a name of a batch", name);
  if (times.some((time) => Math.abs(time) > latestDate)) throw notOurs("a time of a batch", times.join());
}

/**
 * Tells two suites apart by all but how long a service is waited for (`night` waits longer than `run` with the same file), and
 * the names of the variables that made an address.
 */
export function suiteHashOf(suite: Suite): string {
  const unhashed = { waitForServiceMs: undefined, writtenUrl: undefined };
  const deployments = suite.deployments.map((each) => ({ ...each, ...unhashed }));
  return hashText(JSON.stringify({ ...suite, deployments }), 32);
}

/** Enters a batch and its targets in state `reading`. */
export function createBatch(
  db: Connection,
  given: {
    suite: Suite;
    seed: string;
    selection?: Selection | null;
    version: string;
    at: number;
    repeatsOf: (target: string) => number;
  },
): Batch {
  const sql = sqlite(db);
  const suiteText = storableSuite(given.suite);
  const { selection = null } = given;
  const selectionText = selection === null ? null : JSON.stringify(selection);
  return inTransaction(db, () => {
    const name = freeName(db, given.suite.name, given.at);
    const { lastInsertRowid } = execute(
      db,
      `INSERT INTO batch (name, suite_name, suite, suite_hash, seed, selection, state, version, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 'reading', ?, ?)`,
      [name, given.suite.name, suiteText, suiteHashOf(given.suite), given.seed, selectionText, given.version, given.at],
    );
    const insert = sql.prepare(
      "INSERT INTO target (batch_id, name, deployment, base_url, endpoint, example_id, body, repeats) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const target of given.suite.targets) {
      const baseUrl = targetAddress(given.suite, target);
      const { endpoint, exampleId, body, deployment } = target;
      const repeats = given.repeatsOf(target.name);
      insert.run(lastInsertRowid, target.name, deployment, baseUrl, endpoint, exampleId, JSON.stringify(body), repeats);
    }
    return batchNamed(db, name);
  });
}

/**
 * Enters a batch that is this process's from its first moment: nobody finds it without its holder, and takes it for what a
 * process left that is gone.
 */
export function createHeldBatch(
  db: Connection,
  given: Parameters<typeof createBatch>[1],
): { batch: Batch; lock: ReturnType<typeof lockBatch> } {
  return inTransaction(db, () => {
    const batch = createBatch(db, given);
    return { batch, lock: lockBatch(db, batch.id) };
  });
}

/** `NAME-YYYYMMDD-HHMMSS` in UTC, with a number behind it when that is taken. */
function freeName(db: Connection, suiteName: string, at: number): string {
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  const safe = suiteName.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-").slice(0, 60);
  const base = `${safe === "" ? "batch" : safe}-${stamp}`;
  let name = base;
  for (let number = 2; isTaken(db, name); number++) name = `${base}-${number}`;
  return name;
}

/** True where a batch has this name, or one that is the same for a file system that passes over case: it is that of a folder, too. */
function isTaken(db: Connection, name: string): boolean {
  return selectRow(db, "SELECT 1 FROM batch WHERE name = ? COLLATE NOCASE", [name]) !== undefined;
}

/** The batches that were run, or of one suite; not those that were read from exported pins. */
export function listBatches(db: Connection, suiteName?: string): Batch[] {
  const rows = selectRows<BatchRow>(
    db,
    `SELECT ${batchColumns} FROM batch WHERE (? IS NULL OR suite_name = ?) AND origin IS NULL ORDER BY id`,
    [suiteName ?? null, suiteName ?? null],
  );
  // Most nights have the suite of the night before: to check it is most of the work.
  const suites = new Map<string, Suite>();
  return rows.map((row) =>
    batchOf(row, (text) => {
      const suite = suites.get(text) ?? readSuite(text);
      suites.set(text, suite);
      return suite;
    }),
  );
}

/**
 * The batch that `SUITE`, `SUITE~N`, `latest` or `latest~N` means, of those that were run here: of all, or of those before
 * the one with the id `before`. Null: there are not so many.
 */
function nthLatest(db: Connection, reference: string, before: number | null = null): Batch | null {
  const [, name = reference, back = "0"] = /^(.*?)(?:~(\d+))?$/su.exec(reference) ?? [];
  const suite = name === "latest" ? null : name;
  const row = selectRow<BatchRow>(
    db,
    `SELECT ${batchColumns} FROM batch
     WHERE (@suite IS NULL OR suite_name = @suite) AND (@before IS NULL OR id < @before) AND origin IS NULL
     ORDER BY id DESC LIMIT 1 OFFSET @back`,
    { suite, back: Math.min(Number(back), mostBack), before },
  );
  return row === undefined ? null : batchOf(row);
}

/** Ids of the batches whose dataset is being read, or was when their process died. */
export function batchesInReading(db: Connection): number[] {
  return selectValues<number>(db, "SELECT id FROM batch WHERE state = 'reading' AND origin IS NULL");
}

function batchNamed(db: Connection, name: string): Batch {
  const row = selectRow<BatchRow>(db, `SELECT ${batchColumns} FROM batch WHERE name = ?`, [name]);
  if (row === undefined) throw new AppError("BATCH_NOT_FOUND", `There is no batch "${name}" in ${knownPath(db.name)}.`);
  return batchOf(row);
}

/** True when there is a batch of exactly this name. */
export function isBatch(db: Connection, name: string): boolean {
  return selectRow(db, "SELECT 1 FROM batch WHERE name = ?", [name]) !== undefined;
}

/** True for the name of a batch or of a suite. */
export function isNamed(db: Connection, name: string): boolean {
  return selectRow(db, "SELECT 1 FROM batch WHERE name = ? OR suite_name = ?", [name, name]) !== undefined;
}

/** A batch by its id. Throws BATCH_NOT_FOUND. */
export function batchOfId(db: Connection, id: number): Batch {
  const row = selectRow<BatchRow>(db, `SELECT ${batchColumns} FROM batch WHERE id = ?`, [id]);
  if (row === undefined) throw new AppError("BATCH_NOT_FOUND", `The batch is gone from ${knownPath(db.name)}.`);
  return batchOf(row);
}

/** More batches than any file has. */
const mostBack = 1e9;

/**
 * A batch by its name, by `SUITE` or `SUITE~N` (the N-th before the suite's latest), by `latest` or `latest~N`, by the
 * name of a pin that is one batch. Throws BATCH_NOT_FOUND with the names that exist.
 */
export function findBatch(db: Connection, reference: string): Batch {
  if (isBatch(db, reference)) return batchNamed(db, reference);
  const found = nthLatest(db, reference);
  if (found !== null) return found;
  const [pinned, ...others] = findPin(db, reference)?.batches ?? [];
  if (pinned !== undefined && others.length === 0) return batchNamed(db, pinned.name);
  if (pinned !== undefined) {
    const names = [pinned, ...others].map((batch) => batch.name).join(", ");
    throw new AppError("USAGE", `The pin "${reference}" is several batches, and one is needed here.`, {
      hint: `Name one of them: ${names}.`,
    });
  }
  const batches = listBatches(db);
  const name = reference.replace(/~\d+$/, "");
  const ofSuite = name === "latest" ? batches : batches.filter(({ suiteName }) => suiteName === name);
  const ofName =
    ofSuite.length === 0 ? null : `${name} has ${ofSuite.length} here, of which ~${ofSuite.length - 1} is the first.`;
  throw new AppError("BATCH_NOT_FOUND", `There is no batch "${reference}" in ${knownPath(db.name)}.`, {
    hint: ofName ?? knownNames(db, batches, name),
  });
}

/** The name of the batch that a reference meant when the batch with this id was begun; a name that means none stays as it is. */
export function nameMeantBefore(db: Connection, id: number, reference: string): string {
  if (isBatch(db, reference)) return reference;
  return nthLatest(db, reference, id)?.name ?? findPin(db, reference)?.batches[0]?.name ?? reference;
}

/** The names that exist, for a message about one that was not found. */
function knownNames(db: Connection, batches: readonly Batch[], name: string): string {
  if (batches.length === 0) {
    const pin =
      name === "" || name === "latest" ? "" : `; \`tandem pin latest --as ${shellWord(name)}\` gives it that name`;
    return `The database holds no batch yet: start one with \`tandem run\`${pin}.`;
  }
  const suites = Array.from(new Set(batches.map(({ suiteName }) => suiteName)));
  const pins = listPins(db).map((pin) => pin.name);
  const meant = didYouMean(name, [...suites, ...pins, ...batches.map((batch) => batch.name)]);
  const latest = batches.slice(-5).map((batch) => batch.name);
  const lines = [
    ...(meant === null ? [] : [meant]),
    `The latest are: ${latest.toReversed().join(", ")}.`,
    ...(pins.length === 0 ? [] : [`Pins: ${pins.slice(-5).toReversed().join(", ")}.`]),
    "`tandem batches` lists all.",
  ];
  return lines.join(" ");
}

/** The targets of a batch that are graded: judges are apart. */
export function batchTargets(db: Connection, batchId: number): BatchTarget[] {
  return selectRows<BatchTarget>(
    db,
    `SELECT id, name, deployment, base_url AS baseUrl, endpoint, example_id AS exampleId, body, repeats, stopped
     FROM target WHERE batch_id = ? AND role = 'case' ORDER BY id`,
    [batchId],
  ).map(checkTarget);
}

function checkTarget(target: BatchTarget): BatchTarget {
  if (!isEndpoint(target.endpoint)) throw notOurs("an endpoint", target.endpoint);
  return target;
}

/** The source of a target's answers: the base URL of its deployment, or `stored:COLUMN`. */
export function targetAddress(
  { deployments }: Pick<Suite, "deployments">,
  { deployment, stored }: Suite["targets"][number],
): string {
  if (stored !== undefined) return `stored:${stored.answer}`;
  return deployments.find(({ name }) => name === deployment)?.baseUrl ?? "";
}

/** `keepsTime`: the batch had finished before, and a later grading does not make its run longer. */
export function setBatchState(
  db: Connection,
  batchId: number,
  state: BatchState,
  { reason = null, keepsTime = false }: { reason?: string | null; keepsTime?: boolean } = {},
): void {
  const finishedAt = state === "finished" ? Date.now() : null;
  sqlite(db)
    // A clock that was set back meanwhile lets no batch end before it began; max() of null is null.
    .prepare(
      `UPDATE batch SET state = @state, reason = @reason,
         finished_at = CASE WHEN @keeps AND finished_at IS NOT NULL THEN finished_at ELSE max(@finishedAt, created_at) END
       WHERE id = @batchId`,
    )
    .run({ state, reason, finishedAt, batchId, keeps: keepsTime ? 1 : 0 });
}

/**
 * Measures the time in which this process works on a batch, from now on: each call of what is returned adds what has passed
 * since the one before. Dates would count the hours between a kill and a resume, and whatever a clock was set by.
 */
export function workClock(db: Connection, batchId: number): () => void {
  const add = sqlite(db).prepare("UPDATE batch SET worked_ms = worked_ms + ? WHERE id = ?");
  let since = steadyNow();
  return () => {
    const ms = Math.round(steadyNow() - since);
    add.run(ms, batchId);
    since += ms;
  };
}

/** Notes the cases of the whole that a batch is a part of (`--shard`): whoever puts parts together knows how many are missing. */
export function noteWholeCases(db: Connection, batchId: number, cases: number): void {
  execute(db, "UPDATE batch SET whole_cases = ? WHERE id = ?", [cases, batchId]);
}

/** Gives a batch a name that no other has. */
export function renameBatch(db: Connection, batchId: number, name: string): Batch {
  execute(db, "UPDATE batch SET name = ? WHERE id = ?", [name, batchId]);
  return batchNamed(db, name);
}

/** Lets a resumed batch send again to targets that were stopped. */
export function reopenTargets(db: Connection, batchId: number): void {
  execute(db, "UPDATE target SET stopped = NULL WHERE batch_id = ?", [batchId]);
}
