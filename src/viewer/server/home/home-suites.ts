import type { SuiteStanding } from "../../../report/shape/standing.ts";
import type { KnownSuites } from "../../api.ts";
import type { NightsReader } from "./nights-reader.ts";
import type { SuiteMarks } from "./suite-marks.ts";

/** A run that was killed changes nothing in the database: what goes on is looked at again after so long. */
const staleMs = 60_000;

interface KnownSuite {
  mark: string;
  at: number;
  /** Null: its nights cannot be read. */
  standing: SuiteStanding | null;
  failure: string | null;
}

/**
 * The suites of a home page. The nights of a suite are read once for each change of it, one suite after the other. A list
 * tells what is known, and how many are still to come.
 */
export class HomeSuites {
  readonly #marks: SuiteMarks;
  readonly #nights: NightsReader;
  readonly #known = new Map<string, KnownSuite>();
  #open: [string, string][] = [];
  #isReading = false;

  constructor(marks: SuiteMarks, nights: NightsReader) {
    this.#marks = marks;
    this.#nights = nights;
  }

  list(): KnownSuites {
    this.#look();
    const all = [...this.#known.values()];
    return {
      open: this.#open.length,
      suites: all.flatMap(({ standing }) => standing ?? []),
      failures: all.flatMap(({ failure }) => failure ?? []),
    };
  }

  /** Finds the suites that are others than they were. */
  #look(): void {
    const [marks, now] = [this.#marks.now(), performance.now()];
    for (const suite of this.#known.keys()) if (!marks.has(suite)) this.#known.delete(suite);
    this.#open = [...marks].filter(([suite, mark]) => {
      const own = this.#known.get(suite);
      return own === undefined || own.mark !== mark || now - own.at > staleMs;
    });
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (let next = this.#open[0]; next !== undefined; next = this.#open[0]) {
      const [suite, mark] = next;
      this.#known.set(suite, await this.#read(suite, mark));
      this.#open = this.#open.filter(([name]) => name !== suite);
    }
    this.#isReading = false;
  }

  async #read(suite: string, mark: string): Promise<KnownSuite> {
    const at = performance.now();
    try {
      // The thread beside this one is the same program.
      const standing: SuiteStanding = JSON.parse(await this.#nights.read("standing", suite));
      return { mark, at, standing, failure: null };
    } catch (error) {
      const failure = `${suite}: ${error instanceof Error ? error.message : String(error)}`;
      return { mark, at, standing: null, failure };
    }
  }

  close(): void {
    this.#open = [];
  }
}
