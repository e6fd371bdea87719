/** Facts learned about a file while it is read. */
export interface FileFacts {
  /** The name that is shown to people. */
  file: string;
  format: "csv" | "jsonl" | "json" | "excel";
  /** It was unpacked from gzip. */
  compressed: boolean;
  /** Name of the encoding that its text was in. */
  encoding: string;
  /** null for JSON and Excel. */
  delimiter: string | null;
  /** It begins with a byte order mark of UTF-8, as Excel writes it. */
  hasMark: boolean;
  /** The mark in its numbers. */
  decimal: "." | "," | null;
  /** Rows without any content, which are left out. */
  emptyRows: number;
  /** True when there is a NUL somewhere in the text read so far. */
  hasNul: boolean;
}
