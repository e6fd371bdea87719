import type { JsonObject, JsonValue } from "../../lib/json.ts";

/** A check of a promptfoo sheet as a scorer of ours; or its kind and why it is none: null where `init` makes a scorer of it. */
export type ReadCheck = { scorer: JsonObject } | { without: string; why: string | null };

/** Reads an expectation as promptfoo writes it in a cell; `threshold` is that of the cell's own configuration. */
export type ExpectationReader = (text: string, threshold?: number) => ReadCheck;

/** Reads the checks of a row. It is handed in: what a scorer is, a dataset does not know. */
export interface CheckReader {
  /** Loads what reads the expectations of a promptfoo sheet; other sheets do without. */
  expectations: () => Promise<ExpectationReader>;
  /** A scorer as it stands in a cell: checked like one of the suite. */
  scorer: (value: JsonValue) => { ok: true; scorer: JsonObject } | { ok: false; fault: string };
  /** The columns that such a scorer reads by their names. */
  columnsOf: (scorer: JsonObject) => readonly string[];
}
