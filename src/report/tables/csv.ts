import { type Options, stringify } from "csv-stringify/sync";
import { cellText, type Cell, type SpreadsheetOptions } from "./spreadsheet.ts";
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

/** Anything but a column's name that reads alike with and without quotes, and nothing. */
const unusualName = /^(?![\w.]*$)/;

/** Collects rows until there are enough to be written. */
export class CsvPages implements TableEncoder {
  readonly #options: Options;
  readonly #headerOptions: Options;
  /** The beginning of the file with its header, until it is taken. */
  #start: string;
  #isHeader = true;
  #rows: (readonly Cell[])[] = [];
  #characters = 0;

  constructor(options: SpreadsheetOptions) {
    const { excel, raw, delimiter = "," } = options;
    const text = (cell: Cell): string => cellText(cell, options);
    const form: Options = {
      delimiter,
      record_delimiter: "\n",
      quote_record_delimiter: true,
      quoted_empty: false,
      cast: { string: text, number: text, boolean: text },
    };
    // Texts below the header stand in quotes: few programs split what is in quotes.
    this.#options = { ...form, quoted_string: !raw };
    this.#headerOptions = raw ? form : { ...form, quoted_match: unusualName };
    this.#start = excel ? "\ufeff" : "";
  }

  add(row: readonly Cell[]): void {
    if (this.#isHeader) this.#start += stringify([row], this.#headerOptions);
    else this.#rows.push(row);
    this.#isHeader = false;
    for (const cell of row) this.#characters += typeof cell === "string" ? cell.length : 4;
  }

  get isFull(): boolean {
    return this.#rows.length >= pageRows || this.#characters >= pageCharacters;
  }

  /** The text of the rows since the last page; empty when there are none. */
  take(): string {
    const text = this.#start + stringify(this.#rows, this.#options);
    this.#start = "";
    this.#rows = [];
    this.#characters = 0;
    return text;
  }

  end(): string {
    return this.take();
  }
}
