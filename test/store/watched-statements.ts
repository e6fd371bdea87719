import Database from "better-sqlite3";
import type { Sqlite } from "../../src/store/sqlite.ts";

/** A statement that a file of the store ran. */
export interface SeenStatement {
  text: string;
  /** File and line of the call that prepared it, such as `journal/unfinished.ts:12`. */
  site: string;
  /** What it was run with at first. */
  given: unknown[];
  /** References were looked up then, which is a part of its plan. */
  looksUp: boolean;
  /** How often it was run within one piece of work, at the most. */
  most: number;
}

/** Notes every statement that the store runs in this process. */
interface StatementWatch {
  seen(): SeenStatement[];
  /** Statements that were prepared and run since the piece of work began. */
  counts(): { prepared: number; run: number };
  /** Begins a piece of work, such as a command: runs are counted within it. */
  begin(): void;
  end(): void;
}

type Run = (...given: unknown[]) => unknown;
type Statement = Record<"run" | "get" | "all" | "iterate", Run>;
interface Watched {
  prepare: (this: Sqlite, text: string) => Statement;
  exec: (this: Sqlite, text: string) => unknown;
}

/** File and line of the store from where this is called, beyond the helpers that prepare statements for others. */
const siteOf = (): string | undefined =>
  /src\/store\/(?!sqlite\.ts)([^\s)]+?\.ts:\d+)/.exec(new Error("where").stack ?? "")?.[1];

/** Takes the place of the functions by which SQLite is given statements, until it is ended. */
export function watchStatements(): StatementWatch {
  const statements = new Map<string, SeenStatement>();
  let runs = new Map<SeenStatement, number>();
  let prepared = 0;
  const prototype: Watched = Database.prototype as unknown as Watched;
  const { prepare, exec } = prototype;
  const note = (db: Sqlite, site: string, text: string, given: unknown[]): void => {
    const key = `${site} ${text}`;
    const looksUp = (): boolean => db.pragma("foreign_keys", { simple: true }) === 1;
    const known = statements.get(key) ?? { text, site, given, looksUp: looksUp(), most: 0 };
    statements.set(key, known);
    const count = (runs.get(known) ?? 0) + 1;
    runs.set(known, count);
    known.most = Math.max(known.most, count);
  };
  prototype.prepare = function watched(text) {
    const statement = prepare.call(this, text);
    const site = siteOf();
    if (site === undefined) return statement;
    prepared += 1;
    for (const way of ["run", "get", "all", "iterate"] as const) {
      const own = statement[way];
      statement[way] = (...given) => {
        note(this, site, text, given);
        return own.apply(statement, given);
      };
    }
    return statement;
  };
  prototype.exec = function watched(text) {
    const site = siteOf();
    const made = site === undefined ? [] : text.matchAll(/CREATE TEMP TABLE [^;]*/g);
    for (const [table] of made) note(this, site ?? "", table, []);
    return exec.call(this, text);
  };
  return {
    seen: () => [...statements.values()],
    counts: () => ({ prepared, run: [...runs.values()].reduce((sum, count) => sum + count, 0) }),
    begin() {
      runs = new Map();
      prepared = 0;
    },
    end: () => void Object.assign(prototype, { prepare, exec }),
  };
}
