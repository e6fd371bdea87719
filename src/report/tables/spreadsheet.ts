import { number } from "../words/quantity.ts";
import { visibleControls } from "../text/visible.ts";

/** One cell: a text, a number, a truth value, or nothing. */
export type Cell = string | number | boolean | null;

/** Options for a CSV file, by the needs of its readers. */
export interface SpreadsheetOptions {
  /** Begin with a byte order mark, by which Excel knows UTF-8, and cut cells that are longer than Excel can hold. */
  excel: boolean;
  /** Write every cell exactly as it is, for programs that read it back; a spreadsheet may then run what a bot said. */
  raw: boolean;
  /** Mark between cells; default a comma. */
  delimiter?: string;
  /** Decimal mark in numbers that tandem counted; default a point. Texts stay as they are. */
  decimal?: "." | ",";
  /** Begin with a line such as `sep=;`, by which Excel knows the delimiter; the bytes must then be UTF-16. */
  separatorLine?: boolean;
  /** Name of the table where it is a sheet of a workbook. */
  name?: string;
}

type CellOptions = Pick<SpreadsheetOptions, "raw" | "decimal"> & { excel?: boolean };

/**
 * The text of a cell. Unless raw, a text that a spreadsheet would take for a formula gets a leading apostrophe, which
 * makes it text, also after a semicolon in it, where other programs split; control characters but tab and line breaks become their pictures; numbers, negative ones and texts
 * that are numbers too, stay as they are.
 */
export function cellText(cell: Cell, { raw, decimal, excel = false }: CellOptions): string {
  if (cell === null) return "";
  if (typeof cell === "number" && decimal === ",") return String(cell).replace(".", ",");
  if (typeof cell !== "string") return String(cell);
  if (raw || (cell.length <= mostOfExcel && ordinary.test(cell))) return cell;
  const text = visibleControls(withinText(`${beginsLikeFormula(cell) ? "'" : ""}${cell}`));
  return excel && text.length > mostOfExcel ? cutForExcel(text) : text;
}

/** UTF-16 units of a cell. Text beyond goes to rows of its own in Excel, and moves all that follow. */
export const mostOfExcel = 32_767;

/** A text that fits, with the number of characters that do not. */
export function cutForExcel(text: string): string {
  const kept = text.slice(0, mostOfExcel - 100).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}… (${number(text.length - kept.length)} more characters do not fit into a cell of Excel)`;
}

/** Begins like no formula and holds no control character, which is seen at once of most texts. */
const ordinary = /^[A-Za-z0-9][ -:<-~]*$/;

/** A formula after a semicolon or a tab: a program that splits there, whatever the quotes say, makes it a cell. */
const split = /([;\t]["\s\p{Cc}\p{Cf}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

const withinText = (text: string): string => text.replaceAll(split, "$1'");

const splitBefore = /([;\t]["\s\p{Cc}\p{Cf}]*)'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/** A cell as it was before it was protected: what a person sends back may hold the apostrophes that `cellText` wrote. */
export function cellFromSheet(text: string): string {
  const whole = text.replaceAll(splitBefore, "$1");
  return whole.startsWith("'") && beginsLikeFormula(whole.slice(1)) ? whole.slice(1) : whole;
}

/** True for a text that begins, after spaces and characters that are not seen, like a formula, and is no number. */
export function beginsLikeFormula(text: string): boolean {
  if (/^[\t\r]/.test(text)) return true;
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text) && !numberPattern.test(text);
}

const numberPattern = /^ *[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:[.,]\d+)?(?<=\d)(?:e[-+]?\d+)?(?: ?%)? *$/i;
