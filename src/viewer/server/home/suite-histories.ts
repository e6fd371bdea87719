import { hashText } from "../../../lib/hash.ts";
import type { NightsReader } from "./nights-reader.ts";
import type { SuiteMarks } from "./suite-marks.ts";

/** A run that was killed changes nothing in the database: what goes on is looked at again after so long. */
const staleMs = 60_000;

/** A history as it was read last, by what it was read of. */
interface ReadHistory {
  mark: string;
  at: number;
  version: string;
}

/** The nights of suites for pages that stay open: one who has the latest is sent nothing, and nothing is read for him. */
export class SuiteHistories {
  readonly #marks: SuiteMarks;
  readonly #nights: NightsReader;
  readonly #read = new Map<string, ReadHistory>();

  constructor(marks: SuiteMarks, nights: NightsReader) {
    this.#marks = marks;
    this.#nights = nights;
  }

  /** JSON of a `Versioned<SuiteNights>`; `known`: the version that the asker has already. */
  async answer(suite: string, known: string): Promise<string> {
    const [mark, at] = [this.#marks.now().get(suite) ?? "", performance.now()];
    const before = this.#read.get(suite);
    if (before?.version === known && before.mark === mark && at - before.at < staleMs) return unchanged(known);
    const text = await this.#nights.read("history", suite);
    this.#read.set(suite, { mark, at, version: hashText(text) });
    return versioned(text, known);
  }
}

const unchanged = (version: string): string => JSON.stringify({ version, value: null });

/** A value, given as JSON, as JSON of its `Versioned`; `known`: the version that the asker has already. */
export function versioned(text: string, known: string): string {
  const version = hashText(text);
  return version === known ? unchanged(known) : `{"version":${JSON.stringify(version)},"value":${text}}`;
}
