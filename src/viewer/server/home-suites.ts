import { suiteStanding } from "../../app/history/suite-standing.ts";
import type { SuiteStanding } from "../../report/shape/standing.ts";
import type { Connection } from "../../store/connection.ts";
import { dataVersion, suiteMarks } from "../../store/nights/suite-marks.ts";
import type { HomeSuitesAnswer } from "../api.ts";

/** A run that was killed changes nothing in the database: what goes on is looked at again after so long. */
const staleMs = 60_000;

interface KnownSuite {
  mark: string;
  at: number;
  standing: SuiteStanding | null;
  /** Why its nights cannot be read. */
  failure: string | null;
}

/**
 * The suites of a home page. Reading the nights of a suite takes time, and is done once for each change of it: one suite
 * at a turn, so that others are answered between them. A list tells what is known, and how many are still to come.
 */
export class HomeSuites {
  readonly #db: Connection;
  readonly #known = new Map<string, KnownSuite>();
  #version = 0;
  #seen = -1;
  #looked = 0;
  #open: [string, string][] = [];
  #timer: NodeJS.Immediate | null = null;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** `known`: the version that the asker has already. */
  list(known: number): HomeSuitesAnswer {
    this.#look();
    const all = [...this.#known.values()];
    const isSame = known === this.#version;
    return {
      version: this.#version,
      open: this.#open.length,
      suites: isSame ? null : all.flatMap(({ standing }) => standing ?? []),
      failures: all.flatMap(({ failure }) => failure ?? []),
    };
  }

  /** Finds the suites that are others than they were. */
  #look(): void {
    const [seen, now] = [dataVersion(this.#db), performance.now()];
    if (seen === this.#seen && now - this.#looked < staleMs) return;
    this.#seen = seen;
    this.#looked = now;
    const marks = suiteMarks(this.#db);
    for (const suite of this.#known.keys()) {
      if (marks.has(suite)) continue;
      this.#known.delete(suite);
      this.#version += 1;
    }
    this.#open = [...marks].filter(([suite, mark]) => {
      const own = this.#known.get(suite);
      return own === undefined || own.mark !== mark || now - own.at > staleMs;
    });
    this.#next();
  }

  #next(): void {
    if (this.#timer !== null || this.#open.length === 0) return;
    this.#timer = setImmediate(() => {
      this.#timer = null;
      const [next] = this.#open;
      if (next === undefined) return;
      this.#read(...next);
      this.#open.shift();
      this.#next();
    });
  }

  #read(suite: string, mark: string): void {
    const own: KnownSuite = { mark, at: performance.now(), standing: null, failure: null };
    try {
      own.standing = suiteStanding(this.#db, suite);
    } catch (error) {
      own.failure = `${suite}: ${error instanceof Error ? error.message : String(error)}`;
    }
    const before = this.#known.get(suite);
    this.#known.set(suite, own);
    if (JSON.stringify(before?.standing) !== JSON.stringify(own.standing)) this.#version += 1;
  }

  close(): void {
    if (this.#timer !== null) clearImmediate(this.#timer);
    this.#open = [];
  }
}
