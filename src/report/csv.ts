import { stringify } from "csv-stringify/sync";
import { cellText } from "./spreadsheet.ts";
import type { Cell, SpreadsheetOptions } from "./spreadsheet.ts";
import { type TableView, viewOf } from "./table-view.ts";

/** Rows of one page, at most. */
const pageRows = 200;
/** Characters of one page, unless one row has more. */
const pageCharacters = 256 * 1024;

/** How a table is written, and what of it: without a view all. */
export interface TableOptions extends SpreadsheetOptions {
  view?: TableView;
}

/** The rows of a table as CSV (RFC 4180 with `\n`), page by page; the first row is the header. */
export function* csvText(rows: Iterable<readonly Cell[]>, options: TableOptions): Generator<string> {
  const pages = new CsvPages(options);
  for (const row of options.view === undefined ? rows : viewed(rows, options.view)) {
    pages.add(row);
    if (pages.isFull) yield pages.take();
  }
  yield pages.take();
}

function* viewed(rows: Iterable<readonly Cell[]>, wanted: TableView): Generator<readonly Cell[]> {
  let view: ReturnType<typeof viewOf> | null = null;
  for (const row of rows) {
    if (view === null) {
      view = viewOf(row.map(String), wanted);
      yield view.header;
      continue;
    }
    const seen = view.rowOf(row);
    if (seen !== null) yield seen;
  }
}

/** Collects rows until there are enough to be written. In pages because each row by itself would cost three times as much. */
export class CsvPages {
  readonly #options: SpreadsheetOptions;
  #rows: string[][] = [];
  #characters = 0;
  #isFirst = true;

  constructor(options: SpreadsheetOptions) {
    this.#options = options;
  }

  add(row: readonly Cell[]): void {
    const texts = row.map((cell) => cellText(cell, this.#options));
    for (const text of texts) this.#characters += text.length;
    this.#rows.push(texts);
  }

  get isFull(): boolean {
    return this.#rows.length >= pageRows || this.#characters >= pageCharacters;
  }

  /** The text of the rows since the last page; empty when there are none. */
  take(): string {
    const { excel, delimiter = ",", separatorLine = false } = this.#options;
    const start = this.#isFirst ? `${excel ? "\ufeff" : ""}${separatorLine ? `sep=${delimiter}\n` : ""}` : "";
    if (this.#rows.length === 0 && start === "") return "";
    const text = start + stringify(this.#rows, { delimiter, record_delimiter: "\n", quote_record_delimiter: true });
    this.#rows = [];
    this.#characters = 0;
    this.#isFirst = false;
    return text;
  }
}
