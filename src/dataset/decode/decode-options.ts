import type { FileFacts } from "../file-facts.ts";
import type { FindingList } from "../finding.ts";

/** Options for decoding a file. */
export interface DecodeOptions {
  /** The encoding to read by; null: told by the bytes. */
  encoding: string | null;
  facts: FileFacts;
  faults: FindingList;
  onNotice: (message: string) => void;
}
