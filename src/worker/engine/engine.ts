import type * as Boss from "pg-boss";
import { AppError } from "../../errors.ts";
import type { Postgres } from "../postgres/connection.ts";
import { engineSchema, engineVersion } from "../postgres/strangers.ts";

/** The engine of the queues of slices (pg-boss), for the owner of the database alone: who works with its tables calls functions of ours. */
export interface Engine {
  /** Everything that it writes into a database: the texts of its functions are among it. */
  texts: string[];
  /** Makes its tables where they are missing, or brings them up to date. */
  makeTables: (db: Postgres) => Promise<void>;
}

/** The package of the engine, which only those install who use several machines. Throws WORKERS_PACKAGE without it. */
export async function loadEngine(): Promise<Engine> {
  try {
    const boss = await import("pg-boss");
    return { texts: textsOf(boss), makeTables: (db) => makeTables(boss, db) };
  } catch (cause) {
    throw new AppError("WORKERS_PACKAGE", "Workers need the packages pg and pg-boss, which are not installed.", {
      hint: "Install them beside tandem: npm install pg@8.23.1 pg-boss@12.38.0",
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
        hint: "Install the pg-boss that this tandem asks for: npm install pg-boss@12.38.0",
      },
    );
  }
}
