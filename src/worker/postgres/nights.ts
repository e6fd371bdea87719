import type { Postgres, Queries } from "./connection.ts";
import { storable } from "./text.ts";

/** A folder in which nights are spent, and who does. */
export interface NightHome {
  /** A UUID that lies in the folder. */
  id: string;
  name: string;
  host: string;
}

/** A night that is this worker's to spend, until it gives no sign for it. */
export interface TakenNight {
  schedule: number;
  dueAt: number;
  token: string;
  /** Name of the home whose place this one takes, with its history left behind; null: none. */
  instead: string | null;
  /** Names of batches that the replaced home had at the workers: nothing more of them is sent. */
  stopped: string[];
  /** Due times that nobody has used or ended, of which no notice has told yet. */
  missed: number[];
}

/** A sign of life of a folder of nights. */
export async function homeSeen(db: Postgres, { id, name, host }: NightHome): Promise<void> {
  await db.query(
    `INSERT INTO tandem.night_home (id, name, host, seen_at) VALUES ($1, $2, $3, tandem.now_ms())
     ON CONFLICT (id) DO UPDATE SET name = $2, host = $3, seen_at = tandem.now_ms()`,
    [id, storable(name), storable(host)],
  );
}

/** Names of those that spend nights and gave a sign within a time. */
export async function homesSeen(db: Postgres, withinMs: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    "SELECT name FROM tandem.night_home WHERE seen_at > tandem.now_ms() - $1::bigint ORDER BY name",
    [withinMs],
  );
  return rows.map(({ name }) => name);
}

/** Enters due times, the latest to be used, the others as missed. Those that somebody has entered stay as they are. */
export async function enterDueTimes(
  db: Postgres,
  { schedule, dueAt }: { schedule: number; dueAt: readonly number[] },
): Promise<void> {
  if (dueAt.length === 0) return;
  await db.query(
    `INSERT INTO tandem.night (schedule, due_at, by_hand, state)
     SELECT s.id, d, false, CASE WHEN d = $3::bigint THEN 'due' ELSE 'missed' END
     FROM tandem.schedule s, unnest($2::bigint[]) d WHERE s.id = $1 ON CONFLICT DO NOTHING`,
    [schedule, dueAt, Math.max(...dueAt)],
  );
}

/** Asks for a night now. False: there is no such schedule. */
export async function askForNight(db: Postgres, namespace: string, name: string): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO tandem.night (schedule, due_at, by_hand, state)
     SELECT id, tandem.now_ms(), true, 'due' FROM tandem.schedule WHERE namespace = $1 AND name = $2 RETURNING 1`,
    [namespace, name],
  );
  return rows.length > 0;
}

/**
 * Takes the latest night of a schedule that waits, or of which nobody has given a sign for `lostAfterMs`; null: there is none,
 * or it is another's. Nights before it are no longer made up for.
 */
export async function takeDueNight(
  db: Postgres,
  { schedule, home, token, lostAfterMs }: { schedule: number; home: string; token: string; lostAfterMs: number },
): Promise<TakenNight | null> {
  return db.transaction(async (within) => {
    // Whoever looks after the same schedule waits here: the next statement sees what this one did.
    const locked = await within.query("SELECT FROM tandem.schedule WHERE id = $1 FOR UPDATE", [schedule]);
    if (locked.length === 0) return null;
    await giveUpOld(within, schedule, lostAfterMs);
    const night = await waitingNight(within, { schedule, home, lostAfterMs });
    if (night === undefined) return null;
    await within.query(
      `UPDATE tandem.night SET state = 'running', token = $3, home = $4, seen_at = tandem.now_ms(),
         started_at = coalesce(started_at, tandem.now_ms()) WHERE schedule = $1 AND due_at = $2`,
      [schedule, night.due, token, home],
    );
    await within.query("UPDATE tandem.schedule SET home = $2 WHERE id = $1", [schedule, home]);
    const stopped = night.instead === null ? [] : await stopBatchesOfOthers(within, schedule, home);
    const missed = await within.query<{ due: string }>(
      `SELECT due_at AS due FROM tandem.night
       WHERE schedule = $1 AND state IN ('missed', 'cut off') AND NOT told AND due_at < $2 ORDER BY due_at`,
      [schedule, night.due],
    );
    return {
      schedule,
      dueAt: Number(night.due),
      token,
      instead: night.instead,
      stopped,
      missed: missed.map(({ due }) => Number(due)),
    };
  });
}

/** Stops what earlier homes of a schedule have at the workers: this night is sent anew, and nobody would bring the other. */
async function stopBatchesOfOthers(db: Queries, schedule: number, home: string): Promise<string[]> {
  const batches = await db.query<{ no: number; name: string }>(
    `SELECT no, name FROM tandem.batch WHERE schedule = $1 AND home <> $2 AND state IN ('uploading', 'running') ORDER BY no`,
    [schedule, home],
  );
  for (const { no } of batches)
    await db.query("SELECT tandem.fail_batch($1, 'another home has taken over the nights of its schedule')", [no]);
  return batches.map(({ name }) => name);
}

/** Gives up nights that another one has followed, and those that waited for too long. */
async function giveUpOld(db: Queries, schedule: number, lostAfterMs: number): Promise<void> {
  await db.query(
    `UPDATE tandem.night n SET state = CASE WHEN n.started_at IS NULL THEN 'missed' ELSE 'cut off' END
     FROM tandem.schedule s
     WHERE n.schedule = $1 AND s.id = $1
       AND (n.state = 'due' OR (n.state = 'running' AND n.seen_at < tandem.now_ms() - $2::bigint))
       AND (n.due_at < tandem.now_ms() - s.made_up_ms
         OR n.due_at < (SELECT max(o.due_at) FROM tandem.night o WHERE o.schedule = $1 AND o.state <> 'missed'))`,
    [schedule, lostAfterMs],
  );
}

interface WaitingNight {
  due: string;
  /** Name of the home that this one replaces. */
  instead: string | null;
}

/** The night of a schedule that waits for this home, while none of it is being spent. */
async function waitingNight(
  db: Queries,
  { schedule, home, lostAfterMs }: { schedule: number; home: string; lostAfterMs: number },
): Promise<WaitingNight | undefined> {
  const [night] = await db.query<WaitingNight>(
    `SELECT n.due_at AS due, CASE WHEN s.home <> $2 THEN coalesce(h.name, '?') END AS instead
     FROM tandem.night n JOIN tandem.schedule s ON s.id = n.schedule LEFT JOIN tandem.night_home h ON h.id = s.home
     WHERE n.schedule = $1 AND n.state IN ('due', 'running')
       AND (s.home IS NULL OR s.home = $2 OR h.seen_at < tandem.now_ms() - s.take_over_ms)
       AND NOT EXISTS (SELECT FROM tandem.night o
         WHERE o.schedule = $1 AND o.state = 'running' AND o.seen_at > tandem.now_ms() - $3::bigint)
     ORDER BY n.due_at DESC LIMIT 1`,
    [schedule, home, lostAfterMs],
  );
  return night;
}

/** A sign of life for a night: it is still this worker's, another one has it, or its schedule was removed. */
export async function keepNightTaken(
  db: Postgres,
  { schedule, dueAt, token }: TakenNight,
): Promise<"kept" | "taken" | "removed"> {
  const rows = await db.query(
    `UPDATE tandem.night SET seen_at = tandem.now_ms()
     WHERE schedule = $1 AND due_at = $2 AND token = $3 AND state = 'running' RETURNING 1`,
    [schedule, dueAt, token],
  );
  if (rows.length > 0) return "kept";
  const there = await db.query("SELECT FROM tandem.schedule WHERE id = $1", [schedule]);
  return there.length > 0 ? "taken" : "removed";
}

/** Puts a night that did not get to its end back: whoever looks next goes on with it. */
export async function putNightBack(db: Postgres, { schedule, dueAt, token }: TakenNight): Promise<void> {
  await db.query(
    "UPDATE tandem.night SET state = 'due', token = NULL WHERE schedule = $1 AND due_at = $2 AND token = $3 AND state = 'running'",
    [schedule, dueAt, token],
  );
}

/** The end of a night. */
export interface NightEnd {
  exitCode: number;
  batch: string | null;
  verdict: string | null;
  /** The verdict in one word; null: nothing was decided. */
  word: string | null;
}

/** Enters the end of a night; what it had to tell of earlier ones is told. */
export async function endNight(
  db: Postgres,
  night: TakenNight,
  { exitCode, batch, verdict, word }: NightEnd,
): Promise<void> {
  const { schedule, dueAt, token, missed } = night;
  await db.query(
    `WITH ended AS (
       UPDATE tandem.night SET state = 'done', ended_at = tandem.now_ms(), exit_code = $4, batch = $5, verdict = $6, word = $8
       WHERE schedule = $1 AND due_at = $2 AND token = $3 AND state = 'running' RETURNING 1)
     UPDATE tandem.night SET told = true WHERE schedule = $1 AND due_at = ANY ($7::bigint[]) AND EXISTS (SELECT FROM ended)`,
    [schedule, dueAt, token, exitCode, batch, verdict, missed, word],
  );
}
