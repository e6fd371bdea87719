import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { AppError } from "../../errors.ts";
import type { Postgres, Queries } from "./connection.ts";
import { postgresCode } from "./failure.ts";

/** The numbered migrations. */
const migrationFolder = new URL("./postgres-migrations/", import.meta.url);
/**
 * Functions that have changed since they were made, each as it is now: they are made anew after every migration, so that none
 * has to repeat them. A changed function comes with a new migration, and its text with a line in `postgres-functions/bodies.txt`.
 */
const functionFolder = new URL("./postgres-functions/", import.meta.url);
/** Name of the lock that holds two migrations apart. */
const lock = 7_463_201_917;

const textsIn = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), "utf8"));

const migrations = (): string[] => textsIn(migrationFolder);
const functions = (): string[] => textsIn(functionFolder);

/** Everything that tandem writes into its schema. */
export const schemaTexts = (): string[] => [...migrations(), ...functions()];

/** Spaces differ between the text of a function as it is made and as it was made anew. */
export const collapsed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

export const bodyHash = (body: string): string => createHash("sha256").update(collapsed(body)).digest("hex");

/** Hashes of the bodies that functions have had, by which a database is known that an earlier tandem has set up. */
export function knownBodies(): Set<string> {
  const lines = readFileSync(new URL("bodies.txt", functionFolder), "utf8").split("\n");
  return new Set(lines.flatMap((line) => line.split(" ")[2] ?? []));
}

/**
 * Brings all functions to what holds for each, whichever migration made them. PostgreSQL lets everybody call a new function:
 * only those who are named may. Those that act with their owner's rights are called by sessions whose settings are not ours:
 * they compile nothing (with JIT, the default, a `take` takes a thousand times as long), and are planned anew for each call
 * unless a migration says otherwise.
 */
const functionsSql = `
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tandem FROM PUBLIC;
DO $$ DECLARE f record; BEGIN
  FOR f IN SELECT oid::regprocedure AS name, array_to_string(proconfig, ' ') LIKE '%plan_cache_mode=%' AS is_planned
    FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND prosecdef
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET jit = off', f.name);
    IF f.is_planned IS NOT TRUE THEN EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_custom_plan', f.name); END IF;
  END LOOP;
END $$;`;

/** Name of the lock of those who set a database up. */
const setUpLock = 7_463_201_918;

/** Does something on other connections while nobody else does the same in this database. */
export async function oneAtATime(db: Postgres, work: () => Promise<void>): Promise<void> {
  await db.transaction(async (within) => {
    await within.query("SELECT pg_advisory_xact_lock($1)", [setUpLock]);
    await work();
  });
}

/** Makes the tables of this version, or brings older ones to it: all or nothing, one process at a time. */
export async function migratePostgres(db: Postgres): Promise<void> {
  const texts = migrations();
  if ((await versionOf(db)) === texts.length) return;
  try {
    await db.transaction(async (within) => {
      await within.query("SELECT pg_advisory_xact_lock($1)", [lock]);
      // Another process may have migrated while we waited.
      const version = await versionOf(within);
      refuseNewer(db, version, texts.length);
      for (const text of [...texts.slice(version), ...functions()]) await within.query(text);
      await within.query("UPDATE tandem.meta SET version = $1", [texts.length]);
      await within.query(functionsSql);
    });
  } catch (error) {
    if (postgresCode(error) !== "42501" && !(error instanceof AppError && error.code === "WORKERS_REFUSED"))
      throw error;
    throw older(db, { version: await versionOf(db), latest: texts.length }, ", and this user may not make them");
  }
}

/** Throws WORKERS_SCHEMA unless the tables are those of this version. */
export async function checkSchema(db: Postgres): Promise<void> {
  const version = await versionOf(db);
  const latest = migrations().length;
  refuseNewer(db, version, latest);
  if (version < latest) throw older(db, { version, latest });
}

/** Version of the tables; 0: there are none. */
async function versionOf(db: Queries): Promise<number> {
  const [{ exists } = { exists: false }] = await db.query<{ exists: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'tandem' AND tablename = 'meta') AS exists",
  );
  if (!exists) return 0;
  const [row] = await db.query<{ version: number }>("SELECT version FROM tandem.meta");
  return row?.version ?? 0;
}

function refuseNewer({ shown }: Postgres, version: number, latest: number): void {
  if (version <= latest) return;
  throw new AppError("WORKERS_SCHEMA", `${shown} has schema version ${version}; this tandem knows up to ${latest}.`, {
    hint: "Install the tandem that the others have.",
  });
}

function older({ shown }: Postgres, { version, latest }: { version: number; latest: number }, more = ""): AppError {
  const state = version === 0 ? "has no tables of tandem yet" : `has schema version ${version}, and needs ${latest}`;
  return new AppError("WORKERS_SCHEMA", `${shown} ${state}${more}.`, {
    hint: "Let the database's owner run `tandem workers setup` once.",
  });
}
