import { escapedControls, wholeCharacters } from "../../lib/json.ts";
import type { Cell } from "./spreadsheet.ts";
import { distinctColumns, type TypedColumn, type TableEncoder } from "./table.ts";

/** Characters of one page. */
const pageCharacters = 256 * 1024;

/** JSON Lines: an object for each row, with the columns in their order. */
export function jsonLines(columns: readonly TypedColumn[]): TableEncoder {
  return new JsonRows(columns);
}

class JsonRows implements TableEncoder {
  /** The member of each column up to its value. */
  readonly #members: { start: string; isJson: boolean }[];
  #text = "";

  constructor(columns: readonly TypedColumn[]) {
    this.#members = distinctColumns(columns).map(({ name, type }, place) => ({
      start: `${place === 0 ? "" : ","}${valueText(name)}:`,
      isJson: type === "json",
    }));
  }

  add(row: readonly Cell[]): void {
    let text = "{";
    this.#members.forEach(({ start, isJson }, place) => {
      const cell = row[place] ?? null;
      text += start;
      // A JSON value is there as its text, which is a member like any other.
      text += isJson && typeof cell === "string" ? cleanText(cell) : valueText(cell);
    });
    this.#text += `${text}}\n`;
  }

  get isFull(): boolean {
    return this.#text.length >= pageCharacters;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  end(): string {
    return this.take();
  }
}

/** A number that is none in JSON (infinite) is null. */
function valueText(cell: Cell): string {
  return typeof cell === "string" ? cleanText(JSON.stringify(cell)) : JSON.stringify(cell);
}

/** JSON text that every parser reads and no terminal obeys. */
const cleanText = (json: string): string => escapedControls(wholeCharacters(json));
