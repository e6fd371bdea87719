import { readFileSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { storedVersion } from "../../lib/stored-version.ts";
import type { Postgres } from "./connection.ts";
import { postgresCode } from "./failure.ts";
import { makeQueueTables } from "./queue.ts";

/** The version of workers.sql; a change raises it, and migrates nothing. */
const schemaVersion = 105;

const schemaText = (): string => readFileSync(new URL("./workers.sql", import.meta.url), "utf8");

/** Name of the lock of those who set a database up. */
const setUpLock = 7_463_201_918;

/**
 * Makes the tables of tandem and of pg-boss where they are missing. Throws WORKERS_SCHEMA for a database of another version,
 * and WORKERS_REFUSED with the statement that this role may not run. `db` has two connections at least.
 */
export async function setUp(db: Postgres): Promise<void> {
  await db.transaction(async (within) => {
    await within.query("SELECT pg_advisory_xact_lock($1)", [setUpLock]);
    const found = await versionsOf(db);
    if (found !== null) refuseOther(db, found);
    await orName(db, "CREATE SCHEMA pgboss, and the tables of pg-boss in it", () => makeQueueTables(db));
    if (found !== null) return;
    await orName(db, "CREATE SCHEMA tandem, and its tables", async () => {
      await within.query(schemaText());
      await within.query("INSERT INTO tandem.meta (version, stored) VALUES ($1, $2)", [schemaVersion, storedVersion]);
    });
  });
}

/** Says which statement a role has no right to. */
async function orName(db: Postgres, statement: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isRefused =
      postgresCode(error) === "42501" || (error instanceof AppError && error.code === "WORKERS_REFUSED");
    if (!isRefused) throw error;
    throw new AppError("WORKERS_REFUSED", `This role may not run in ${db.shown}: ${statement}.`, {
      hint: "It needs the right to create schemas there: CREATE DATABASE tandem OWNER ROLE, for a role that is no superuser, or GRANT CREATE ON DATABASE.",
    });
  }
}

interface Versions {
  version: number;
  stored: number;
  id: string;
}

/** Throws WORKERS_SCHEMA unless the tables are those of this version. Returns the id of the database. */
export async function checkSchema(db: Postgres): Promise<string> {
  const found = await versionsOf(db);
  if (found !== null) {
    refuseOther(db, found);
    return found.id;
  }
  throw new AppError("WORKERS_SCHEMA", `${db.shown} has no tables of tandem yet.`, {
    hint: "Make them once, as the role that workers and submitters connect as: tandem workers setup",
  });
}

/** Null: there are no tables of tandem. */
async function versionsOf(db: Postgres): Promise<Versions | null> {
  const [{ exists } = { exists: false }] = await db.query<{ exists: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'tandem' AND tablename = 'meta') AS exists",
  );
  if (!exists) return null;
  const [columns] = await db.query<{ count: number }>(
    "SELECT count(*)::integer FROM pg_attribute WHERE attrelid = to_regclass('tandem.meta') AND attname IN ('version', 'stored', 'id')",
  );
  if (columns?.count !== 3) return { version: 0, stored: 0, id: "" };
  const [row] = await db.query<Versions>("SELECT version, stored, id FROM tandem.meta");
  return row ?? { version: 0, stored: 0, id: "" };
}

function refuseOther({ shown }: Postgres, { version, stored }: Versions): void {
  if (version === schemaVersion && stored === storedVersion) return;
  const isNewer = version > schemaVersion || stored > storedVersion;
  throw new AppError(
    "WORKERS_SCHEMA",
    `The tables in ${shown} are of ${isNewer ? "a newer tandem" : "an unreleased tandem"} (version ${version}, rows ${stored}; this one has ${schemaVersion}, rows ${storedVersion}).`,
    {
      hint: isNewer
        ? "Install the tandem that the others have."
        : "Bring what is left there with the tandem that made it; then DROP SCHEMA tandem, pgboss CASCADE, and run tandem workers setup.",
    },
  );
}
