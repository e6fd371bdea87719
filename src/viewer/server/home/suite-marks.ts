import type { Connection } from "../../../store/connection.ts";
import { dataVersion, suiteMarks } from "../../../store/nights/suite-marks.ts";

/** Tells the suites that are others than they were; nothing is read while nobody has written. */
export class SuiteMarks {
  readonly #db: Connection;
  #seen = -1;
  #marks = new Map<string, string>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Suite to a text that is another one when its nights are others; the latest first. */
  now(): ReadonlyMap<string, string> {
    const seen = dataVersion(this.#db);
    if (seen !== this.#seen) this.#marks = suiteMarks(this.#db);
    this.#seen = seen;
    return this.#marks;
  }
}
