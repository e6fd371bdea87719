import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, onTestFinished } from "vitest";
import { reportFaults } from "../report/report-file.ts";
import { type Begun, beginWarm, type Ended } from "./warm.ts";

export const command = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** The code that one process compiled is not compiled again by the hundreds that the tests start. */
export const cached = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/tandem-tests", import.meta.url)),
};

/** Room in which what a start makes is not collected: a tenth of the time of a short command. */
export const roomy = "--min-semi-space-size=16";

/** Told what to do when somebody is through with a thing. */
type WhenOver = (clean: () => void | Promise<void>) => void;

/** The end of a test file, for what its tests share; to be asked for outside of them. */
export function endOfFile(): WhenOver {
  const cleaning: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const clean of cleaning.toReversed()) await clean();
  });
  return (clean) => void cleaning.push(clean);
}

/** What is wrong with the `report.json` of each batch that was run in a folder. */
function faultsOfReports(folder: string): string[] {
  const results = join(folder, "results");
  if (!existsSync(results)) return [];
  return readdirSync(results, { recursive: true, encoding: "utf8" }).flatMap((name) =>
    basename(name) === "report.json"
      ? reportFaults(JSON.parse(readFileSync(join(results, name), "utf8"))).map((fault) => `${name}: ${fault}`)
      : [],
  );
}

/** A folder with files in which the real binary is run. It goes with the test, if it is not said to stay longer. */
export class Tandem {
  readonly folder: string;
  #env: Record<string, string> = { TANDEM_API_KEY: "sk-test-0123456789" };
  #limits: string | null = null;
  #detached = false;
  #node: readonly string[] = [process.execPath, roomy];
  #line: readonly string[] = [...this.#node, command];
  #isAlone = false;
  readonly #whenOver: WhenOver;

  constructor(whenOver: WhenOver = onTestFinished) {
    if (!existsSync(command)) throw new Error("dist/main.js is missing: npm run build");
    this.folder = mkdtempSync(join(tmpdir(), "tandem-e2e-"));
    this.#whenOver = whenOver;
    whenOver(() => {
      const faults = faultsOfReports(this.folder);
      rmSync(this.folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`report.json is not what its schema says:\n${faults.join("\n")}`);
    });
  }

  file(name: string, text: string | Buffer): this {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
    return this;
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  remove(name: string): this {
    rmSync(join(this.folder, name), { recursive: true, force: true });
    return this;
  }

  text(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  env(variables: Record<string, string>): this {
    this.#env = variables;
    return this;
  }

  /** Runs every command in a process of its own from now on. */
  alone(): this {
    this.#isAlone = true;
    return this;
  }

  /** Runs under limits that a shell sets before it, such as `ulimit -n 64`; null: no longer. */
  under(limits: string | null): this {
    this.#limits = limits;
    return this;
  }

  /** Starts the command by other words than Node and its file. */
  as(...line: string[]): this {
    this.#line = line;
    return this.alone();
  }

  /** Runs every command in processes of another user. */
  ofUser(id: number): this {
    this.#node = ["setpriv", `--reuid=${id}`, `--regid=${id}`, "--clear-groups", process.execPath, roomy];
    this.#line = [...this.#node, command];
    return this;
  }

  /** Starts a group of processes, which can be sent a signal together, as a terminal does. */
  inGroupOfItsOwn(): this {
    this.#detached = true;
    return this.alone();
  }

  /** Starts a process of its own, for a command that is watched or sent signals. */
  start(...args: string[]): Begun {
    const line = [...this.#line, ...args];
    const [program = "", ...rest] =
      this.#limits === null ? line : ["bash", "-c", `${this.#limits}; exec "$0" "$@"`, ...line];
    const child = spawn(program, rest, {
      cwd: this.folder,
      detached: this.#detached,
      env: this.#environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const ended = new Promise<Ended>((resolve) =>
      child.once("close", (code, signal) => resolve({ code, signal, out, err })),
    );
    this.#whenOver(() => void child.kill("SIGKILL"));
    return { child, ended };
  }

  /** Starts a process of its own, and kills it (SIGKILL) as soon as this holds; fails where it comes to its end before. */
  async killWhen(isTime: () => boolean, ...args: string[]): Promise<void> {
    const { child, ended } = this.start(...args);
    // A database that is looked at may not be there yet.
    const isNow = (): boolean => {
      try {
        return isTime();
      } catch {
        return false;
      }
    };
    while (!isNow() && child.exitCode === null) await setTimeout(2);
    child.kill("SIGKILL");
    const { signal, code, err } = await ended;
    if (signal !== "SIGKILL") throw new Error(`it ended with ${code ?? signal} before it was killed: ${err}`);
  }

  /**
   * Begins a command that is looked at while it goes on, in a process that ran others before where nothing asks for one of
   * its own. With the test it is told to end, and has a moment to do so: a process that is killed is of no use to the next.
   */
  begin(...args: string[]): Begun {
    const atStart = Object.keys(this.#env).some((name) => /^(NODE|LD|FAKETIME)_|^TZ$/.test(name));
    if (this.#isAlone || this.#limits !== null || atStart) return this.start(...args);
    const begun = beginWarm(this.#node, { file: command, args, folder: this.folder, env: this.#environment() });
    let isOver = false;
    const over = begun.ended.then(() => (isOver = true));
    this.#whenOver(async () => {
      if (isOver) return;
      begun.child.kill("SIGTERM");
      await Promise.race([over, setTimeout(2_000)]);
      if (!isOver) begun.child.kill("SIGKILL");
    });
    return begun;
  }

  /** Runs a command to its end, in a process that ran others before where nothing asks for one of its own. */
  run(...args: string[]): Promise<Ended> {
    return this.begin(...args).ended;
  }

  #environment(): Record<string, string> {
    const own = { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir(), XDG_CACHE_HOME: join(this.folder, ".cache") };
    return { ...own, ...cached, ...this.#env };
  }

  /** Asks the database of `results/` something. */
  query<Row>(sql: string, ...parameters: unknown[]): Row[] {
    const db = new Database(join(this.folder, "results", "tandem.db"), { readonly: true });
    try {
      return db.prepare<unknown[], Row>(sql).all(...parameters);
    } finally {
      db.close();
    }
  }
}

/**
 * Waits as a person does between two signals: what comes at the same time is one. A second one that is sent to the command
 * alone counts in a group of its own, where nobody above can have passed the first one on.
 */
export const bePatient = (): Promise<void> => setTimeout(200);

/** The only process that this one has started; 0: none. */
export const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));

/** A dataset of `count` prompts. */
export function prompts(count: number): string {
  return `id,input_prompt\n${Array.from({ length: count }, (_, i) => `k${i + 1},prompt ${i + 1}`).join("\n")}\n`;
}

/** The words that ask a bot of each of these services all prompts of p.csv. */
export function runAt(services: Readonly<Record<string, { url: string }>>, ...more: string[]): string[] {
  const to = Object.entries(services).flatMap(([name, { url }]) => ["--deployment", `${name}=${url}`]);
  return ["run", "p.csv", ...to, "--example-id", "a", ...more];
}

/** A text as it was before it was wrapped. */
export const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Number of jobs by their end. */
export function ends(tandem: Tandem): Record<string, number> {
  const rows = tandem.query<{ end: string; jobs: number }>(
    `SELECT coalesce(outcome, 'unfinished') AS "end", count(*) AS jobs FROM job GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ end, jobs }) => [end, jobs]));
}
