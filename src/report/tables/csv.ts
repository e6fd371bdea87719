import { stringify } from "csv-stringify/sync";
import { cellText } from "./spreadsheet.ts";
import type { Cell, SpreadsheetOptions } from "./spreadsheet.ts";
import type { TypedColumn, TableEncoder } from "./table.ts";

/** Rows of one page, at most. */
const pageRows = 200;
/** Characters of one page, unless one row has more. */
const pageCharacters = 256 * 1024;

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

/** Collects rows until there are enough to be written. */
export class CsvPages implements TableEncoder {
  readonly #options: SpreadsheetOptions;
  readonly #delimiter: string;
  /** Characters that put a cell in quotes. */
  readonly #special: RegExp;
  /** The page so far, without the rows that wait. */
  #text: string;
  /** Rows with quotes in them, for csv-stringify: together, because each by itself would cost three times as much. */
  #waiting: string[][] = [];
  #rows = 0;
  #characters = 0;

  constructor(options: SpreadsheetOptions) {
    const { excel, delimiter = ",", separatorLine = false } = options;
    this.#options = options;
    this.#delimiter = delimiter;
    this.#special = new RegExp(`["\\n\\r]|${delimiter.replaceAll(/[^\w\s]/g, "\\$&")}`);
    this.#text = `${excel ? "\ufeff" : ""}${separatorLine ? `sep=${delimiter}\n` : ""}`;
  }

  add(row: readonly Cell[]): void {
    this.#rows += 1;
    const texts = row.map((cell) => cellText(cell, this.#options));
    const line = this.#plainLine(texts);
    if (line === null) this.#waiting.push(texts);
    else {
      this.#settle();
      this.#text += line;
    }
    for (const text of texts) this.#characters += text.length;
  }

  /** The same as csv-stringify makes of a row, at a fifth of the cost; null where quotes are to be doubled. */
  #plainLine(texts: readonly string[]): string | null {
    let line = "";
    for (let place = 0; place < texts.length; place++) {
      const text = texts[place] ?? "";
      if (place > 0) line += this.#delimiter;
      if (!this.#special.test(text)) line += text;
      else if (text.includes('"')) return null;
      else line += `"${text}"`;
    }
    return `${line}\n`;
  }

  get isFull(): boolean {
    return this.#rows >= pageRows || this.#characters >= pageCharacters;
  }

  /** The text of the rows since the last page; empty when there are none. */
  take(): string {
    this.#settle();
    const text = this.#text;
    this.#text = "";
    this.#rows = 0;
    this.#characters = 0;
    return text;
  }

  end(): string {
    return this.take();
  }

  #settle(): void {
    if (this.#waiting.length === 0) return;
    const options = { delimiter: this.#delimiter, record_delimiter: "\n", quote_record_delimiter: true };
    this.#text += stringify(this.#waiting, options);
    this.#waiting = [];
  }
}
