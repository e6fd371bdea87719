import { cellText } from "./spreadsheet.ts";
import type { Cell, SpreadsheetOptions } from "./spreadsheet.ts";
import type { TypedColumn, TableEncoder } from "./table.ts";

/** Rows of one page, at most. */
const pageRows = 100;
/** Characters of one page, unless one row has more: longer texts would lie about as large objects until a full collection. */
const pageCharacters = 96 * 1024;

/** The rows of a table as CSV (RFC 4180 with `\n`), page by page; the first row is the header. */
export function* csvText(rows: Iterable<readonly Cell[]>, options: SpreadsheetOptions): Generator<string> {
  const pages = new CsvPages(options);
  for (const row of rows) {
    pages.add(row);
    if (pages.isFull) yield pages.take();
  }
  yield pages.take();
}

/** A table as CSV, as it is written. */
export function csvEncoder(columns: readonly TypedColumn[], options: SpreadsheetOptions): TableEncoder {
  const pages = new CsvPages(options);
  pages.add(columns.map(({ name }) => name));
  return pages;
}

/** A column's name that reads alike with and without quotes. */
const plainName = /^[\w.]+$/;

/** Collects rows until there are enough to be written. */
export class CsvPages implements TableEncoder {
  readonly #options: SpreadsheetOptions;
  readonly #delimiter: string;
  /** Characters that put a cell in quotes; texts below the header stand in them all, as few programs split what is in quotes. */
  readonly #special: RegExp;
  #isHeader = true;
  /** The page so far. */
  #text: string;
  #rows = 0;

  constructor(options: SpreadsheetOptions) {
    const { excel, delimiter = ",", separatorLine = false } = options;
    this.#options = options;
    this.#delimiter = delimiter;
    this.#special = new RegExp(`["\\n\\r]|${delimiter.replaceAll(/[^\w\s]/g, "\\$&")}`);
    this.#text = `${excel ? "\ufeff" : ""}${separatorLine ? `sep=${delimiter}\n` : ""}`;
  }

  add(row: readonly Cell[]): void {
    let line = "";
    for (let place = 0; place < row.length; place++) {
      if (place > 0) line += this.#delimiter;
      const cell = row[place] ?? null;
      const text = cellText(cell, this.#options);
      const isText = typeof cell === "string" && cell !== "" && !(this.#isHeader && plainName.test(cell));
      const isQuoted = (isText && !this.#options.raw) || this.#special.test(text);
      line += isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
    }
    this.#isHeader = false;
    this.#rows += 1;
    this.#text += `${line}\n`;
  }

  get isFull(): boolean {
    return this.#rows >= pageRows || this.#text.length >= pageCharacters;
  }

  /** The text of the rows since the last page; empty when there are none. */
  take(): string {
    const text = this.#text;
    this.#text = "";
    this.#rows = 0;
    return text;
  }

  end(): string {
    return this.take();
  }
}
