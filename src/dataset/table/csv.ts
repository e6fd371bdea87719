import { parse, type CsvError, type Parser } from "csv-parse";
import { placeInText, placeOfCell } from "./cell-place.ts";
import { decimalIn } from "../written-like.ts";
import { letteredColumn } from "./lettered-column.ts";
import type { FileFacts } from "../file-facts.ts";
import type { FindingList, NewFinding } from "../finding.ts";
import { showText } from "../../lib/show.ts";
import { peek } from "../decode/head.ts";
import type { Row, RowBatch } from "../row.ts";

/** The separators that are found by themselves, the likelier first. */
const candidates = [",", ";", "\t", "|"] as const;

/** Number of characters of a text that are looked at. */
const foundBy = 65_536;
const records = 50;

/** Separation of a table: the delimiter, and the length of a first line `sep=;`, which Excel writes to name it. */
interface Separation {
  delimiter: string;
  /** Characters to pass over at the beginning. */
  skip: number;
}

/**
 * The separator of a table, told by its beginning: it splits the header, and the first records into as many cells as the header.
 * `preferred` is taken when several are equally good, or none splits the header.
 */
export function findSeparation(head: string, preferred: string): Separation {
  const [line, said] = /^sep=([^\r\n])\r?(?:\n|$)/.exec(head) ?? [];
  if (line !== undefined && said !== undefined) return { delimiter: said, skip: line.length };
  let best = { delimiter: preferred, like: 0, cells: 1 };
  for (const delimiter of [preferred, ...candidates]) {
    const { like, cells } = fitOf(head, delimiter);
    if (cells < 2) continue;
    const better = like > best.like + 0.001 || (like > best.like - 0.001 && cells > best.cells);
    if (best.cells < 2 || (better && delimiter !== best.delimiter)) best = { delimiter, like, cells };
  }
  return { delimiter: best.delimiter, skip: 0 };
}

/** Counts the cells of the header, and the share of records that have as many. */
function fitOf(text: string, delimiter: string): { like: number; cells: number } {
  const counts = cellCounts(text, delimiter);
  const [cells = 1, ...others] = counts;
  const like = others.filter((count) => count === cells).length;
  return { cells, like: others.length === 0 ? 1 : like / others.length };
}

/** The number of cells of each of the first records that are not empty; one that is cut off is left out. */
function cellCounts(text: string, delimiter: string): number[] {
  const counts: number[] = [];
  let cells = 1;
  let quoted = false;
  let atStart = true;
  let begun = false;
  for (let i = 0; i < text.length && counts.length < records; i++) {
    const character = text[i];
    if (quoted) {
      if (character !== '"') continue;
      if (text[i + 1] === '"') i++;
      else quoted = false;
    } else if (character === "\n" || character === "\r") {
      if (begun) counts.push(cells);
      cells = 1;
      begun = false;
      atStart = true;
    } else if (character === delimiter) {
      cells++;
      begun = true;
      atStart = true;
    } else {
      if (character === '"' && atStart) quoted = true;
      begun = true;
      atStart = false;
    }
  }
  if (begun && !quoted && (counts.length === 0 || text.length < foundBy / 2)) counts.push(cells);
  return counts;
}

/**
 * The ends of lines that separate the records of a table: a carriage return alone only where there are no others. Those inside
 * of quotes do not count: programs that end rows with a carriage return write a line feed inside of cells.
 */
function lineEnds(head: string, delimiter: string): string[] {
  let quoted = false;
  let atStart = true;
  let alone = false;
  for (const character of head) {
    if (quoted) {
      // The second of two quotes, which stand for one, opens again.
      if (character === '"') [quoted, atStart] = [false, true];
      continue;
    }
    if (character === "\n") return ["\r\n", "\n"];
    if (character === "\r") alone = true;
    if (character === '"' && atStart) quoted = true;
    else atStart = character === delimiter || character === "\r";
  }
  return alone ? ["\r"] : ["\r\n", "\n"];
}

/** Options for reading a table of separated values. */
export interface CsvOptions {
  facts: FileFacts;
  /** null: found by the beginning of the text. */
  delimiter: string | null;
  /** The delimiter that is likely by the name of the file. */
  preferred: string;
  /** false: the first row is data, and the columns are called by letters. */
  hasHeader: boolean;
  /** Fills up rows that are too short, and takes quotes inside of cells as they are. */
  lenient: boolean;
  faults: FindingList;
  /** Takes rows without any content (`,,,`), which are left out. Empty lines are left out without a word. */
  onEmpty: (place: { file: string; row: number; line: number }) => void;
}

/** Rules that divide one file into rows. */
interface TableOptions extends CsvOptions {
  delimiter: string;
  lineEnds: string[];
  /** Lines before the header. */
  linesBefore: number;
}

/** A row beyond this many characters is the sign of a quote that is never closed. */
const longestRow = 64_000_000;

/** The rows of a CSV text, in batches as its chunks come. Ragged rows and wrong quotes are noted as faults and left out. */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  const { facts, faults } = options;
  const { head, all, close } = await peek(chunks, foundBy);
  try {
    const beginning = head.subarray(0, foundBy).toString();
    const other = otherFormat(beginning);
    if (other !== null) {
      faults.add({ kind: "format", file: facts.file, row: null, line: 1, ...other });
      return;
    }
    const found = findSeparation(beginning, options.preferred);
    const delimiter = options.delimiter ?? found.delimiter;
    facts.delimiter = delimiter;
    facts.decimal = decimalIn(beginning, delimiter);
    const linesBefore = found.skip > 0 ? 1 : 0;
    const table = new Records({ ...options, delimiter, lineEnds: lineEnds(beginning, delimiter), linesBefore });
    let skip = found.skip;
    for await (const chunk of all) {
      await table.write(skip === 0 ? chunk : chunk.subarray(skip));
      skip = 0;
      if (table.header !== null && table.rows.length > 0) yield { header: table.header, rows: table.takeRows() };
    }
    await table.end();
    if (table.header !== null) yield { header: table.header, rows: table.takeRows() };
    else if (faults.count === 0) faults.add(emptyFile(facts.file));
  } finally {
    await close();
  }
}

/** Recognises a file that plainly is no table, by its beginning. */
function otherFormat(beginning: string): { message: string; hint: string } | null {
  if (/^\s*<(?:!doctype\s+html|html|\?xml)\b/i.test(beginning)) {
    const hint = "A download that needs a login gives one: open it in a browser, then save the sheet as CSV.";
    return { message: "the file is a web page or XML, not a table", hint };
  }
  if (!/^\s*(?:\[\s*(?:\{|$)|\{\s*"[^"]*"\s*:)/.test(beginning)) return null;
  const hint = "Write one object on each line (jq -c '.[]' FILE) into a file whose name ends with .jsonl.";
  return { message: "the file is JSON, not a table", hint };
}

function emptyFile(file: string): NewFinding {
  const message = "the file is empty";
  return { kind: "empty-file", file, row: null, line: 1, message, hint: "It needs a header and rows." };
}

/** The record that csv-parse gives, with its text, which tells the places of its cells. */
interface RecordWithText {
  record: string[];
  raw: string;
}

/** csv-parse, driven chunk by chunk; its records are taken where they would go into its object stream. */
class Records {
  header: readonly string[] | null = null;
  rows: Row[] = [];
  readonly #parser: Parser;
  readonly #options: TableOptions;
  /** Rows that were left out because of wrong quotes. */
  #broken = 0;
  #lastBrokenLine = 0;
  /** The line on which the last row ended. */
  #endLine = 0;
  /** The parser counts a CRLF inside of a cell as two lines. */
  #countedTwice = 0;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#parser = parse({
      delimiter: options.delimiter,
      record_delimiter: options.lineEnds,
      relax_quotes: options.lenient,
      raw: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: longestRow,
      skip_records_with_error: true,
      on_skip: (error) => this.#skip(error),
    });
    this.#parser.on("error", () => undefined);
    // Neither the object stream nor the facts that `on_record` is given for each record, which cost as much as to read it.
    this.#parser.push = (record: RecordWithText | null) => {
      if (record !== null) this.#take(record.record, record.raw);
      return true;
    };
  }

  write(chunk: Buffer): Promise<void> {
    return new Promise((done, fail) => {
      this.#parser.write(chunk, (error) => (error ? fail(error) : done()));
    });
  }

  end(): Promise<void> {
    return new Promise((done, fail) => {
      this.#parser.once("error", fail);
      this.#parser.once("finish", done);
      this.#parser.end();
    });
  }

  takeRows(): Row[] {
    const taken = this.rows;
    this.rows = [];
    return taken;
  }

  #take(cells: string[], text: string): void {
    const { info } = this.#parser;
    let inner = 0;
    for (const cell of cells) {
      if (!cell.includes("\n") && !cell.includes("\r")) continue;
      inner += (cell.match(/\r\n|\r|\n/g) ?? []).length;
      this.#countedTwice += (cell.match(/\r\n/g) ?? []).length;
    }
    const { linesBefore, delimiter } = this.#options;
    this.#endLine = info.lines - this.#countedTwice + linesBefore;
    const line = this.#endLine - inner;
    if (this.header === null) {
      this.header = this.#options.hasHeader ? cells : cells.map((_, at) => letteredColumn(at));
      if (this.#options.hasHeader) return;
    }
    const row = info.records + info.empty_lines + this.#broken;
    const read: Row = { cells, row, line, placeOf: (cell, offset) => placeInText(text, delimiter, cell, offset) };
    if (this.#isWhole(read, this.header.length)) this.rows.push(read);
  }

  /** Notes what is wrong with a row as a whole; fills it up where that is asked for. */
  #isWhole(read: Row, width: number): boolean {
    const { cells, row, line } = read;
    const { facts, faults, onEmpty, lenient, hasHeader } = this.#options;
    const { file } = facts;
    if (cells.length > 1 && cells.every((cell) => cell === "")) {
      facts.emptyRows++;
      onEmpty({ file, row, line });
      return false;
    }
    if (facts.hasNul && cells.some((cell) => cell.includes("\0"))) {
      const at = cells.findIndex((cell) => cell.includes("\0"));
      const column = this.header?.[at] ?? null;
      const place = placeOfCell(read, at, cells[at]?.indexOf("\0"));
      const message = `column ${showText(column ?? "")} holds a NUL character, which is no text`;
      faults.add({ kind: "nul", file, row, ...place, column, message, hint: "Delete it." });
      return false;
    }
    if (lenient && cells.length !== width) {
      while (cells.length < width) cells.push("");
      while (cells.length > width && cells.at(-1) === "") cells.pop();
    }
    if (cells.length === width) return true;
    const missing = this.header?.[cells.length] ?? null;
    const what = missing === null ? "" : `: there is nothing for the column ${showText(missing)}`;
    const message = `the row has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, the ${hasHeader ? "header" : "first row"} ${width}${what}`;
    faults.add({ kind: "ragged-row", file, row, line, column: missing, message, hint: raggedHint(cells, width) });
    return false;
  }

  #skip(error: CsvError | undefined): undefined {
    const { info } = this.#parser;
    const isOpen = neverEnding.has(error?.code ?? "");
    const line = isOpen ? this.#endLine + 1 : info.lines - this.#countedTwice + this.#options.linesBefore;
    if (line === this.#lastBrokenLine) return;
    this.#lastBrokenLine = line;
    this.#broken++;
    const { facts, faults } = this.#options;
    const row = this.header === null ? null : info.records + info.empty_lines + this.#broken;
    const [message, hint] = quoteFaults[error?.code ?? ""] ?? [error?.message ?? "the row cannot be read", null];
    const at: unknown = error?.["column"];
    const column = typeof at === "number" ? (this.header?.[at] ?? null) : null;
    faults.add({ kind: "quote", file: facts.file, row, line, column, message, hint });
    if (error !== undefined && endsReading.has(error.code)) throw faults.error();
  }
}

/** Advice for a row that has not as many cells as the header. */
function raggedHint(cells: readonly string[], width: number): string {
  if (cells.some((cell) => /\r(?!\n)/.test(cell))) {
    return "It holds a carriage return alone: save the file with one kind of line end, or put quotes around the cell.";
  }
  if (cells.length < width) {
    return "Add the missing cells, delete the row if it is a note, or fill such rows up with --lenient (format.lenient).";
  }
  if (cells.slice(width).every((cell) => cell === "")) {
    return "Take the separator at its end away, or drop empty cells beyond the header with --lenient (format.lenient).";
  }
  return "Put quotes around cells that hold the separator, or name another one with --delimiter (format.delimiter).";
}

/** Errors that are placed at the start of the row, not at the point where the reading has stopped. */
const neverEnding = new Set(["CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE"]);

/** Errors after which the start of the next row cannot be told: reading on would find faults that are none. */
const endsReading = new Set(["CSV_INVALID_CLOSING_QUOTE", "CSV_MAX_RECORD_SIZE"]);

const quoteFaults: Record<string, [message: string, hint: string]> = {
  CSV_QUOTE_NOT_CLOSED: ["a quote is opened and never closed: the file ends inside of a cell", 'Close it with ".'],
  CSV_INVALID_CLOSING_QUOTE: [
    "there is text after the closing quote of a cell",
    'Double the quotes inside of a cell: "" stands for one. The rows after this one were not looked at.',
  ],
  INVALID_OPENING_QUOTE: [
    "there is a quote inside of a cell that does not begin with one",
    'Put the whole cell in quotes and double those inside ("" stands for one), or take quotes as they are with --lenient (format.lenient).',
  ],
  CSV_MAX_RECORD_SIZE: [
    "a row is longer than 64 million characters",
    "Look for a quote that is opened on this line or soon behind it, and never closed.",
  ],
};
