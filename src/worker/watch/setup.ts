import type { Postgres } from "../postgres/connection.ts";
import { grantRoles, makeRoles, takeEngineRights, type Users, usersOf } from "../postgres/roles.ts";
import { migratePostgres, oneAtATime } from "../postgres/schema.ts";
import { checkOwner, refuseStrangers, engineSchema, engineVersion } from "../postgres/strangers.ts";
import type * as Boss from "pg-boss";
import { AppError } from "../../errors.ts";
import { installAdvice } from "../../lib/peer-package.ts";

/**
 * Makes the tables of tandem and of its engine, or brings them up to date, and the roles of workers and submitters: the one
 * place where anything is run with the owner's rights. `db` has two connections at least. Returns who may use it.
 */
export async function setUp(db: Postgres): Promise<Users> {
  const engine = await loadEngine();
  await oneAtATime(db, async () => {
    await makeRoles(db);
    await checkOwner(db);
    // From here on nobody else can write what is looked at and then run.
    await takeEngineRights(db);
    await refuseStrangers(db, engine.texts);
    await engine.makeTables(db);
    await migratePostgres(db);
    await grantRoles(db);
  });
  return usersOf(db);
}

/** The engine of the queues of chunks (pg-boss), for the owner of the database alone: who works with its tables calls functions of ours. */
interface Engine {
  /** Everything that it writes into a database: the texts of its functions are among it. */
  texts: string[];
  /** Makes its tables where they are missing, or brings them up to date. */
  makeTables: (db: Postgres) => Promise<void>;
}

/** The package of the engine, which only those install who use several machines. Throws WORKERS_PACKAGE without it. */
async function loadEngine(): Promise<Engine> {
  try {
    const boss = await import("pg-boss");
    return { texts: textsOf(boss), makeTables: (db) => makeTables(boss, db) };
  } catch (cause) {
    throw new AppError("WORKERS_PACKAGE", "Workers need the packages pg and pg-boss, which are not installed.", {
      hint: installAdvice("pg", "pg-boss"),
      cause,
    });
  }
}

/** The texts of the tables as they are made, and of all that brought older ones up to date. */
function textsOf({ getConstructionPlans, getMigrationPlans }: typeof Boss): string[] {
  return [getConstructionPlans(engineSchema), getMigrationPlans(engineSchema, 0)];
}

/**
 * Runs the texts that the engine gives for this, and never the engine itself: started with the right to change its tables it
 * would run whatever stands among the commands that it keeps there.
 */
async function makeTables({ getConstructionPlans, getMigrationPlans }: typeof Boss, db: Postgres): Promise<void> {
  const made = getConstructionPlans(engineSchema);
  const latest = Number(/\.version\(version\) VALUES \('(\d+)'\)/.exec(made)?.[1]);
  const version = await engineVersion(db);
  if (version === null) {
    await db.query(made);
  } else if (version < latest) {
    // Its indexes need not be built beside work that goes on: that would wait for every transaction, and the tables are small.
    await db.query(getMigrationPlans(engineSchema, version).replaceAll("INDEX CONCURRENTLY", "INDEX"));
  } else if (version !== latest) {
    throw new AppError(
      "WORKERS_SCHEMA",
      `The queues of ${db.shown} are of version ${version} of pg-boss's tables; this one makes ${latest}.`,
      {
        hint: installAdvice("pg-boss"),
      },
    );
  }
}
