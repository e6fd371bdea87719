import type { LeftOutRow } from "./left-out.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import type { CaseMapping, DatasetFormat, FileSettings } from "../suite/suite.ts";
import type { CheckReader } from "./import/check-reader.ts";
import type { FileFacts } from "./file-facts.ts";
import type { StoredSource } from "./cases/stored.ts";
import type { Sheets } from "./sheets.ts";

/** Sheets to read, and the mapping of their columns to cases. */
export interface ReadDatasetOptions {
  /**
   * Paths; `-` is standard input. The ending decides: `.jsonl` and `.ndjson` are JSON Lines, `.json` is a list, `.xlsx` is Excel, anything else is a table;
   * each may be packed with gzip.
   */
  files: readonly string[];
  sheets: Sheets;
  mapping: CaseMapping;
  /** Format of the files; anything that it leaves out is found. */
  format?: DatasetFormat | undefined;
  /** Where files are that cells name, and how large they may be. */
  fileSettings?: FileSettings | undefined;
  /** Endpoints of the targets: they decide what a blank case is and what maps itself. */
  endpoints: readonly EndpointName[];
  /** Fields that targets set themselves, so that no column needs to. */
  constants?: readonly string[];
  /** Every target asks something itself, by a prompt with places for columns: a case that asks nothing is not blank. */
  asksItself?: boolean | undefined;
  /** Targets whose answers are columns of the dataset. */
  stored?: readonly StoredSource[];
  /** Names of columns that are read beside those of the mapping, by scorers and in requests: their cells must show no error of a formula. */
  named?: readonly string[];
  /** Reads the checks of a row (promptfoo's, or those of `mapping.scorers`); without it they are not looked at. */
  checks?: CheckReader;
  /** Leaves out blank cases instead of refusing the dataset. Default: false. */
  skipInvalid?: boolean;
  /** Takes every row that is left out: a blank case, or a row without any content. */
  onSkipped?: (left: LeftOutRow) => void;
  /**
   * Takes the decisions for a file that may not be the ones that were meant: its encoding, a column, parts that are not
   * looked at.
   */
  onNotice?: (message: string) => void;
  /** Takes what was learned of a file, once it is read. */
  onFile?: (facts: FileFacts) => void;
  /** Takes the columns of a file that are used, in their order, with what for: `case.key`, `case.input.input_prompt` ... */
  onColumns?: (file: string, columns: { column: string; uses: readonly string[] }[]) => void;
}
