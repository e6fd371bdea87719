import type { Endpoint } from "../api/api.ts";
import type { CaseMapping, DatasetFormat } from "../suite/suite.ts";
import type { CheckReader } from "./import/check-reader.ts";
import type { StoredSource } from "./cases/stored.ts";

/** What to read, and how its columns become cases. */
export interface ReadDatasetOptions {
  /**
   * Paths; `-` is standard input. The ending decides: `.jsonl` and `.ndjson` are JSON Lines, anything else is a table;
   * each may be packed with gzip.
   */
  files: readonly string[];
  mapping: CaseMapping;
  /** How the files are written; what it does not say is found. */
  format?: DatasetFormat | undefined;
  /** Endpoints of the targets: they decide what a blank case is and what maps itself. */
  endpoints: readonly Endpoint[];
  /** Targets whose answers are columns of the dataset. */
  stored?: readonly StoredSource[];
  /** Reads the checks of a row (promptfoo's, or those of `mapping.scorers`); without it they are not looked at. */
  checks?: CheckReader;
  /** Leaves out blank cases instead of refusing the dataset. Default: false. */
  skipInvalid?: boolean;
  /** Told of every row that is left out: a blank case, or a row without any content. */
  onSkipped?: (message: string) => void;
  /** Told of what was decided for a file and may not be what was meant: its encoding, a column, what is not looked at. */
  onNotice?: (message: string) => void;
  /** What `-` reads. */
  standardInput?: AsyncIterable<Uint8Array>;
  /** Paths inside of this folder are shown relative to it. */
  folder?: string | null;
}
