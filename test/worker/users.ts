import { randomUUID } from "node:crypto";
import pg from "pg";
import { onTestFinished } from "vitest";
import { setUp } from "../../src/worker/watch/setup.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { openTest, testDatabase } from "../postgres.ts";

/** A database whose owner is no superuser, set up by that owner, and a user of each role. */
export interface Users {
  /** The superuser of the server. */
  root: Postgres;
  /** Name of the database. */
  database: string;
  owner: Postgres;
  worker: Postgres;
  submitter: Postgres;
  nameOf: (who: Who) => string;
  urlOf: (who: Who) => string;
}

type Who = "owner" | "worker" | "submitter" | "stranger";

export async function databaseWithUsers(): Promise<Users> {
  const url = await testDatabase({ isEmpty: true });
  const database = new URL(url).pathname.slice(1);
  const root = await openTest(url, 1);
  const mark = randomUUID().slice(0, 8);
  const nameOf = (who: Who): string => `${who}_${mark}`;
  const urlOf = (who: Who): string => url.replace("//tandem@", `//${nameOf(who)}@`);
  await root.query(`CREATE ROLE ${nameOf("owner")} LOGIN`);
  await root.query(`ALTER DATABASE ${database} OWNER TO ${nameOf("owner")}`);
  await root.query(`CREATE ROLE ${nameOf("stranger")} LOGIN`);
  const owner = await openTest(urlOf("owner"), 2);
  // Roles are of the whole server: the template of other tests has made them.
  await setUp(owner);
  for (const role of ["worker", "submitter"] as const)
    await root.query(`CREATE ROLE ${nameOf(role)} LOGIN IN ROLE tandem_${role}`);
  const [worker, submitter] = [await openTest(urlOf("worker"), 2), await openTest(urlOf("submitter"), 2)];
  return { root, database, owner, worker, submitter, nameOf, urlOf };
}

/** A connection as anybody may open one, with the settings of the server. */
export async function plainClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
