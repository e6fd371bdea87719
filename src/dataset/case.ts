import type { JsonObject } from "../lib/json.ts";

/** One row of a dataset, ready to be planned. */
export interface Case {
  /** Identifies the case from night to night; unique within a dataset. */
  key: string;
  /** The request fields that the row is mapped to, before any target's constants. */
  input: JsonObject;
  /** SHA-256 (hex, first 32 digits) of the canonical JSON of `input`: cases are compared only when it is equal. */
  inputHash: string;
  /** The expected answer, exactly as written; null when the row has none. */
  expected: string | null;
  /** Rows that belong together; a case of its own carries its own key. */
  cluster: string;
  /** 1, 2, 3 ... within a conversation; 1 when the dataset has no turns. */
  turn: number;
  tags: Record<string, string>;
  /** The row itself: header to cell, every cell exactly as written. */
  columns: Record<string, string>;
  /** Checks of the answer to this row, beside the suite's scorers. */
  checks: CaseChecks | null;
  /** Answers that the row holds for targets that are not asked. */
  stored?: StoredAnswer[];
  /** The files that the case sends, data URLs too. */
  files?: SentContent[];
  source: RowPlace;
}

/** A file that a case sends, by its size and type. */
export interface SentContent {
  bytes: number;
  type: string;
}

/** Scorers of one row. */
export interface CaseChecks {
  /** Scorers in the form of the suite file, checked; `name` may be missing. */
  scorers: JsonObject[];
  /** The weighted mean of these from which the row passes, from 0 to 1; null: each must pass. */
  threshold: number | null;
}

/** An answer that was given before, as its cells say; a blank cell is null, but for the answer itself. */
export interface StoredAnswer {
  target: string;
  text: string;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  label: string | null;
  note: string | null;
  /** Only the last reply of the conversation is kept, and this is an earlier turn. */
  isEarlier?: true;
}

/**
 * The place that a case was read from: the file as the user named it, the row's number as a
 * spreadsheet shows it (the header is row 1) and its first line.
 */
export interface RowPlace {
  file: string;
  row: number;
  line: number;
}
