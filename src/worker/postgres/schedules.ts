import type { Postgres } from "./connection.ts";

/** A file of a schedule, with its path below the folder of the suite. */
export interface ScheduleFile {
  path: string;
  sha256: string;
  bytes: Buffer;
}

/** A suite with what it needs, and when it is run. */
export interface NewSchedule {
  namespace: string;
  name: string;
  cron: string;
  zone: string;
  /** Path of the suite among the files. */
  suite: string;
  /** Words behind the suite on the command line of `tandem night`. */
  words: string[];
  /** A night that waits for longer is missed. */
  madeUpMs: number;
  /** After so long without a sign of its home another one takes its place; null: never. */
  takeOverMs: number | null;
  submitter: string;
  files: readonly ScheduleFile[];
}

/** States of a night: `missed` was never begun, `cut off` was begun and not gone on with. */
type NightState = "due" | "running" | "done" | "missed" | "cut off";

/** A night of a schedule; times in milliseconds since 1970, by the database's clock. */
export interface ScheduledNight {
  dueAt: number;
  state: NightState;
  byHand: boolean;
  /** Name of the worker that has spent it. */
  worker: string | null;
  startedAt: number | null;
  endedAt: number | null;
  exitCode: number | null;
  batch: string | null;
  verdict: string | null;
  /** The verdict in one word, such as `too-few-cases`; null: nothing was decided, or a worker of an earlier tandem ran it. */
  word: string | null;
}

/** A schedule as it is kept. */
export interface Schedule extends Omit<NewSchedule, "files"> {
  id: number;
  createdAt: number;
  /** The last due time by its cron that somebody has seen; null: none yet. */
  lastDueAt: number | null;
  /** Who has its history; null: it had no night. */
  home: { name: string; host: string; silentMs: number } | null;
  /** The database's clock. */
  dbNow: number;
}

/** Enters a schedule, or replaces one, whose home and nights stay. Returns false where there is one and it is not replaced. */
export async function enterSchedule(db: Postgres, schedule: NewSchedule, replaces: boolean): Promise<boolean> {
  const { namespace, name, cron, zone, suite, words, madeUpMs, takeOverMs, submitter, files } = schedule;
  return db.transaction(async (within) => {
    const [row] = await within.query<{ id: number }>(
      `INSERT INTO tandem.schedule (namespace, name, cron, zone, suite, words, made_up_ms, take_over_ms, submitter, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, tandem.now_ms())
       ON CONFLICT (namespace, name) DO UPDATE SET cron = $3, zone = $4, suite = $5, words = $6, made_up_ms = $7,
         take_over_ms = $8, submitter = $9, created_at = tandem.now_ms() WHERE $10 RETURNING id`,
      [namespace, name, cron, zone, suite, words, madeUpMs, takeOverMs, submitter, replaces],
    );
    if (row === undefined) return false;
    await within.query("DELETE FROM tandem.schedule_file WHERE schedule = $1", [row.id]);
    for (const { path, sha256, bytes } of files)
      await within.query("INSERT INTO tandem.schedule_file (schedule, path, sha256, bytes) VALUES ($1, $2, $3, $4)", [
        row.id,
        path,
        sha256,
        bytes,
      ]);
    return true;
  });
}

/** The things that were going on for a schedule when it was removed. */
export interface RemovedSchedule {
  /** The night that was being spent; null: none was. `silentMs`: since the last sign of its worker. */
  spent: { worker: string; silentMs: number } | null;
  /** A night waited. */
  waited: boolean;
  /** Batches that it had at the workers; `stopped`: its worker is away, so nobody would have brought it. */
  batches: { name: string; worker: string; stopped: boolean }[];
}

/**
 * Takes a schedule and its nights away; null: there is none. A worker that is there stops its night when it sees that; what
 * one has at the workers that gave no sign for `awayMs` is stopped here.
 */
export async function removeSchedule(
  db: Postgres,
  { namespace, name, awayMs }: { namespace: string; name: string; awayMs: number },
): Promise<RemovedSchedule | null> {
  return db.transaction(async (within) => {
    const [schedule] = await within.query<{ id: number }>(
      "SELECT id FROM tandem.schedule WHERE namespace = $1 AND name = $2 FOR UPDATE",
      [namespace, name],
    );
    if (schedule === undefined) return null;
    const { id } = schedule;
    const nights = await within.query<{ state: string; worker: string; silent: string }>(
      `SELECT n.state, coalesce(h.name, '?') AS worker, coalesce(tandem.now_ms() - h.seen_at, 0) AS silent
       FROM tandem.night n LEFT JOIN tandem.night_home h ON h.id = n.home
       WHERE n.schedule = $1 AND n.state IN ('due', 'running') ORDER BY n.due_at DESC`,
      [id],
    );
    const batches = await within.query<{ no: number; name: string; worker: string; stopped: boolean }>(
      `SELECT b.no, b.name, coalesce(h.name, '?') AS worker, coalesce(h.seen_at, 0) < tandem.now_ms() - $2::bigint AS stopped
       FROM tandem.batch b LEFT JOIN tandem.night_home h ON h.id = b.home
       WHERE b.schedule = $1 AND b.state IN ('uploading', 'running') ORDER BY b.no`,
      [id, awayMs],
    );
    for (const { no, stopped } of batches)
      if (stopped) await within.query("SELECT tandem.fail_batch($1, 'its schedule was removed')", [no]);
    await within.query("DELETE FROM tandem.schedule WHERE id = $1", [id]);
    const running = nights.find(({ state }) => state === "running");
    return {
      spent: running === undefined ? null : { worker: running.worker, silentMs: Number(running.silent) },
      waited: nights.some(({ state }) => state === "due"),
      batches: batches.map(({ name: batch, worker, stopped }) => ({ name: batch, worker, stopped })),
    };
  });
}

/** Schedules of a namespace (null: of all) by their names. */
export async function schedulesOf(db: Postgres, namespace: string | null): Promise<Schedule[]> {
  const rows = await db.query<{ schedule: Schedule }>(
    `SELECT jsonb_build_object('id', s.id, 'namespace', s.namespace, 'name', s.name, 'cron', s.cron, 'zone', s.zone,
       'suite', s.suite, 'words', s.words, 'madeUpMs', s.made_up_ms, 'takeOverMs', s.take_over_ms, 'submitter', s.submitter, 'createdAt', s.created_at,
       'lastDueAt', (SELECT max(n.due_at) FROM tandem.night n WHERE n.schedule = s.id AND NOT n.by_hand),
       'home', CASE WHEN h.id IS NOT NULL THEN jsonb_build_object('name', h.name, 'host', h.host,
         'silentMs', tandem.now_ms() - h.seen_at) END,
       'dbNow', tandem.now_ms()) AS schedule
     FROM tandem.schedule s LEFT JOIN tandem.night_home h ON h.id = s.home
     WHERE $1::text IS NULL OR s.namespace = $1 ORDER BY s.namespace, s.name`,
    [namespace],
  );
  return rows.map(({ schedule }) => schedule);
}

/** Nights of a schedule, the latest first. */
export async function nightsOf(db: Postgres, schedule: number, most: number): Promise<ScheduledNight[]> {
  const rows = await db.query<{ night: ScheduledNight }>(
    `SELECT jsonb_build_object('dueAt', n.due_at, 'state', n.state, 'byHand', n.by_hand, 'worker', h.name,
       'startedAt', n.started_at, 'endedAt', n.ended_at, 'exitCode', n.exit_code, 'batch', n.batch, 'verdict', n.verdict, 'word', n.word) AS night
     FROM tandem.night n LEFT JOIN tandem.night_home h ON h.id = n.home
     WHERE n.schedule = $1 ORDER BY n.due_at DESC LIMIT $2`,
    [schedule, most],
  );
  return rows.map(({ night }) => night);
}

/** Files of a schedule. */
export async function scheduleFiles(db: Postgres, schedule: number): Promise<ScheduleFile[]> {
  return db.query<ScheduleFile>("SELECT path, sha256, bytes FROM tandem.schedule_file WHERE schedule = $1", [schedule]);
}
