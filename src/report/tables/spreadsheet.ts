import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { CsvSettings } from "../../suite/schema/csv-schema.ts";
import { number } from "../say/quantity.ts";
import { shownIn } from "../../lib/hidden-characters.ts";

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
  /** Name of the table where it is a sheet of a workbook. */
  name?: string;
}

/** The form of CSV files that a suite asks for. */
export function csvOptions({ separator, decimal = ".", bom = false }: CsvSettings = {}): SpreadsheetOptions {
  return { excel: bom, raw: false, delimiter: separator ?? (decimal === "," ? ";" : ","), decimal };
}

/** The marks with which the spreadsheets of a country separate cells and write decimals. */
export interface SpreadsheetLocale {
  delimiter: "," | ";";
  decimal: "." | ",";
}

/**
 * Finds the marks of a locale: if decimals have a comma, it cannot separate cells, and spreadsheets expect semicolons.
 * `name` is a locale such as `de`, `de-DE` or `de_DE.UTF-8`; `C`, `POSIX` and an empty name are like English. Throws
 * USAGE.
 */
export function spreadsheetLocale(name: string): SpreadsheetLocale {
  const tag = (name.split(/[.@:]/)[0] ?? "").replaceAll("_", "-");
  if (tag === "" || tag === "C" || tag === "POSIX") return { delimiter: ",", decimal: "." };
  try {
    const [, sign] = /1(\D)5/u.exec(new Intl.NumberFormat(tag, { numberingSystem: "latn" }).format(1.5)) ?? [];
    return sign === "," ? { delimiter: ";", decimal: "," } : { delimiter: ",", decimal: "." };
  } catch (cause) {
    throw new AppError("USAGE", `${showText(name)} is no locale.`, {
      hint: "Name a language or a language and a country, such as de, fr-CH or en-IN.",
      cause,
    });
  }
}

/** The locale of the person at the keyboard, as the environment names it. */
export function environmentLocale(env: Readonly<Record<string, string | undefined>>): string {
  return [env["LC_ALL"], env["LC_NUMERIC"], env["LANG"]].find((name) => name !== undefined && name !== "") ?? "";
}

type CellOptions = Pick<SpreadsheetOptions, "raw" | "decimal"> & { excel?: boolean };

/**
 * The text of a cell. Unless raw, an apostrophe makes text of what a program would take for a formula, be it the whole cell or
 * a part of it for a program that splits at another mark; control characters but tabs and line breaks become their pictures.
 * Numbers, negative ones and texts that are numbers too, stay as they are.
 */
export function cellText(cell: Cell, { raw, decimal, excel = false }: CellOptions): string {
  if (cell === null) return "";
  if (typeof cell === "number" && decimal === ",") return String(cell).replace(".", ",");
  if (typeof cell !== "string") return String(cell);
  if (raw || (cell.length <= mostOfExcel && ordinary.test(cell))) return cell;
  const text = shownIn("cell", cell.replaceAll(formula, "$<before>'"));
  return excel && text.length > mostOfExcel ? cutForExcel(text) : text;
}

/** UTF-16 units of a cell. Text beyond goes to rows of its own in Excel, and moves all that follow. */
export const mostOfExcel = 32_767;

/** A text that fits, with the number of characters that do not. */
export function cutForExcel(text: string): string {
  const kept = text.slice(0, mostOfExcel - 100).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}… (${number(text.length - kept.length)} more characters do not fit into a cell of Excel)`;
}

/** Holds nothing that begins a formula, and no control character, which is seen at once of most texts. */
const ordinary = /^[ !#-*./0-9:<>?A-~]*$/;

/** Where a cell begins: at the start, and for some program behind a comma, a semicolon, a bar, a tab or a line break. */
const cellStart = String.raw`(?<before>(?:^|[,;|\t\r\n])(?:"|[^\S\t\r\n])*)`;

/** A number, also as the last one of a JSON list, with which no program calculates: it ends where a cell may end. */
const wholeNumber = String.raw`[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:[.,]\d+)?(?<=\d)(?:e[-+]?\d+)?(?: ?%)?[\]}]*[^\S\t\r\n]*(?![^,;|\t\r\n])`;

/** Before what a program would take for a formula, and before apostrophes that would look like ours. */
const formula = new RegExp(String.raw`${cellStart}(?='*[=+\-@])(?!${wholeNumber})`, "giu");

/** Behind where `cellText` may have written an apostrophe. */
const protectedFormula = new RegExp(String.raw`${cellStart}'(?='*[=+\-@])`, "gu");

/** A cell as it was before it was protected: what a person sends back may hold the apostrophes that `cellText` wrote. */
export function cellFromSheet(text: string): string {
  return text.replaceAll(protectedFormula, "$<before>");
}

/** True for a text that a person who edits the cell would make a formula of. */
export function beginsLikeFormula(text: string): boolean {
  return editedFormula.test(text);
}

const editedFormula = new RegExp(String.raw`^\s*(?!${wholeNumber})[=+\-@]`, "iu");
