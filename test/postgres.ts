import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { lowUser, type OwnPostgres, startServer, until } from "./own-postgres.ts";
import { openPostgres, type Postgres } from "../src/workers/postgres/connection.ts";
import { setUp } from "../src/workers/postgres/schema.ts";

interface OwnServerOptions {
  /** Text of pg_hba.conf; left out: everybody is trusted. */
  access?: string;
  /** Called with the user that the server runs as, before it starts. */
  prepare?: (user: { uid?: number; gid?: number }) => void;
}

/** A server of one test alone, which it may crash. It has the migrated database `tandem`. */
export async function ownServer(more: string[] = [], { access, prepare }: OwnServerOptions = {}): Promise<OwnPostgres> {
  prepare?.(lowUser());
  const folder = await mkdtemp(join(tmpdir(), "tandem-postgres-own-"));
  const server = await startServer(folder, { more, ...(access !== undefined && { access }) });
  onTestFinished(() => server.stop());
  await createDatabase(server.socket("postgres"), "tandem", "template1");
  await setUpDatabase(server.socket("tandem"));
  return server;
}

/** Makes all tables and roles, as the owner does with `tandem workers setup`. */
async function setUpDatabase(url: string): Promise<void> {
  const db = await openPostgres(url, { most: 2, applicationName: "tests" });
  await setUp(db);
  await db.close();
}

const template = "tandem_template";

/** Address of the server that all tests of this run share; the first who asks starts it. */
async function sharedUrl(): Promise<(database: string) => string> {
  const folder = process.env["TANDEM_TEST_POSTGRES"] ?? join(tmpdir(), `tandem-postgres-${process.pid}`);
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  const note = join(folder, "port");
  if (isFirst) {
    // The name of the folder ends with the process that the run began with.
    const server = await startServer(folder, { owner: Number(/\d+$/.exec(basename(folder))?.[0]) });
    await createDatabase(server.url("postgres"), template, "template1");
    // Its tables take a second to make, and every other test would make them.
    await setUpDatabase(server.url(template));
    await writeFile(`${note}.new`, String(server.port));
    await rename(`${note}.new`, note);
  }
  let port = "";
  await until(async () => (port = await readFile(note, "utf8").catch(() => "")) !== "");
  return (database) => `postgres://tandem@127.0.0.1:${port}/${database}`;
}

const copyOf = (from: string, database: string): string =>
  `CREATE DATABASE ${database} TEMPLATE ${from} STRATEGY FILE_COPY`;

async function createDatabase(server: string, database: string, from: string): Promise<void> {
  const db = await openPostgres(server, { most: 1, applicationName: "tests" });
  try {
    await db.query(copyOf(from, database));
  } finally {
    await db.close();
  }
}

/** Connection by which this process makes and drops databases: to open one costs the server more than either. */
let maker: Promise<Postgres> | null = null;

/** Gives a copy of a database an id of its own, as `setup` does. */
async function renew(url: string): Promise<void> {
  const db = await openPostgres(url, { most: 1, applicationName: "tests" });
  await db.query("UPDATE tandem.meta SET id = gen_random_uuid()");
  await db.close();
}

/** Makes a database, with all tables or empty. Whoever asks drops it. */
export async function newDatabase(isEmpty: boolean): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = await sharedUrl();
  const database = `t_${randomBytes(6).toString("hex")}`;
  maker ??= openPostgres(url("postgres"), { most: 1, applicationName: "tests" });
  const db = await maker;
  await db.query(copyOf(isEmpty ? "template1" : template, database));
  if (!isEmpty) await renew(url(database));
  const drop = async (): Promise<void> => {
    await db.query(`DROP DATABASE ${database} WITH (FORCE)`);
  };
  return { url: url(database), drop };
}

/** Connection string of a database of this test alone, with all tables, or empty. It goes with the test. */
export async function testDatabase({ isEmpty = false } = {}): Promise<string> {
  const { url, drop } = await newDatabase(isEmpty);
  onTestFinished(drop);
  return url;
}

/** Connections to one database that the tests of a file share: each has batches and services of its own in it. */
export function fileDatabase(most = 4): () => Postgres {
  let db: Postgres | undefined;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const made = await newDatabase(false);
    drop = made.drop;
    db = await openPostgres(made.url, { most, applicationName: "tests" });
  });
  afterAll(async () => {
    await db?.close();
    await drop?.();
  });
  return () => {
    if (db === undefined) throw new Error("the database is there while tests run");
    return db;
  };
}

/** Connections to a database, which are closed with the test. */
export async function openTest(url: string, most = 4): Promise<Postgres> {
  const db = await openPostgres(url, { most, applicationName: `test-${randomUUID().slice(0, 8)}` });
  onTestFinished(() => db.close());
  return db;
}
