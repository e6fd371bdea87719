import { columnLetters } from "../../../lib/column-letters.ts";
import { AppError } from "../../../errors.ts";
import { number } from "../../say/quantity.ts";
import { xmlAttribute, xmlText } from "../../text/xml-text.ts";
import { displayWidth } from "../../text/width.ts";
import { beginsLikeFormula, type Cell, cutForExcel, mostOfExcel } from "../spreadsheet.ts";
import type { TypedColumn } from "../table.ts";
import { type StyleName, styleNumber } from "./cell-styles.ts";
import type { ZipParts } from "./zip-parts.ts";

/** A sheet as the list of a workbook names it. */
export interface WrittenSheet {
  name: string;
  /** Its part of the archive. */
  path: string;
  /** Its filter, such as `$A$1:$C$12`; null: it has none. */
  filter: string | null;
}

/** Options for the sheet of a table. */
export interface TableSheetOptions {
  name: string;
  /** Columns at its side that stay in sight. */
  frozen: number;
  /** Rows of one sheet, with its head. */
  most?: number;
}

/** Rows of a sheet of Excel. */
const mostRows = 1_048_576;
const mostColumns = 16_384;
/** Bytes of a sheet that is not packed, below the 4 GB that an archive can tell of a part. */
const mostBytes = 3 * 1024 ** 3;
/** Links of a sheet: Excel repairs a file with more, and removes them all. */
const mostLinks = 65_530;
const mostLinkCharacters = 2_079;

/** Rows and characters that are looked at before the widths of columns are chosen. */
const sampleRows = 200;
const sampleCharacters = 2_000_000;
/** Characters of the narrowest and of the widest column. */
const [leastWidth, mostWidth] = [9, 60];
/** Lines of text that a row shows; the cell holds all of it. */
const mostLines = 8;
export const lineHeight = 15;

/** The place of a cell, such as `AB12`; columns are counted from 0, rows from 1. */
export function cellPlace(column: number, row: number): string {
  return `${columnLetters(column)}${row}`;
}

/**
 * The rows of a table as a sheet, written while they come: a head that stays and filters, and values with their types. A text
 * stays one, whatever it begins with. Rows that do not fit into one sheet go on in the next, `Rows 2`.
 */
export class TableSheet {
  readonly sheets: WrittenSheet[] = [];
  readonly #columns: readonly TypedColumn[];
  readonly #about: TableSheetOptions;
  readonly #parts: ZipParts;
  /** Numbers of the styles and letters of the columns. */
  readonly #letters: string[];
  readonly #styles: number[];
  #sample: (readonly Cell[])[] | null = [];
  #sampled = 0;
  #widths: number[] = [];
  /** Rows of the sheet that is written, with its head. */
  #rows = 0;
  #links: { place: string; address: string }[] = [];

  constructor(parts: ZipParts, columns: readonly TypedColumn[], about: TableSheetOptions) {
    if (columns.length > mostColumns) {
      const message = `The table has ${number(columns.length)} columns, and a sheet of Excel at most ${number(mostColumns)}.`;
      throw new AppError("USAGE", message, { hint: "Choose some with `tandem export --columns`, or write CSV." });
    }
    this.#parts = parts;
    this.#columns = columns;
    this.#about = about;
    this.#letters = columns.map((_, place) => columnLetters(place));
    this.#styles = columns.map(({ type }) => styleNumber(styleOf[type]));
  }

  add(row: readonly Cell[]): void {
    if (this.#sample === null) return this.#write(row);
    this.#sample.push(row);
    for (const cell of row) if (typeof cell === "string") this.#sampled += cell.length;
    if (this.#sample.length >= sampleRows || this.#sampled >= sampleCharacters) this.#writeSample();
  }

  end(): void {
    this.#writeSample();
    this.#endSheet();
  }

  #writeSample(): void {
    if (this.#sample === null) return;
    const rows = this.#sample;
    this.#sample = null;
    this.#widths = this.#columns.map((column, place) =>
      widthOf(
        column,
        rows.map((row) => row[place] ?? null),
      ),
    );
    this.#beginSheet();
    for (const row of rows) this.#write(row);
  }

  #beginSheet(): void {
    const [first] = this.sheets;
    const count = this.sheets.length + 1;
    const name = first === undefined ? this.#about.name : `${first.name} ${count}`;
    const path = `xl/worksheets/${this.#about.name.toLowerCase()}${count}.xml`;
    this.sheets.push({ name, path, filter: null });
    this.#parts.begin(path);
    this.#parts.write(sheetStart(this.#widths, { head: 1, side: this.#about.frozen }));
    const heads = this.#columns.map((column, place) =>
      textXml(`${this.#letters[place] ?? ""}1`, headOf(column), styleNumber("head")),
    );
    this.#parts.write(`<row r="1">${heads.join("")}</row>`);
    this.#rows = 1;
  }

  #write(row: readonly Cell[]): void {
    if (this.#rows >= (this.#about.most ?? mostRows) || this.#parts.partBytes >= mostBytes) {
      this.#endSheet();
      this.#beginSheet();
    }
    this.#rows += 1;
    let cells = "";
    let lines = 1;
    for (let place = 0; place < this.#columns.length; place++) {
      const cell = row[place] ?? null;
      if (cell === null || cell === "") continue;
      cells += this.#cell(cell, place);
      if (lines < mostLines && typeof cell === "string")
        lines = Math.max(lines, linesOf(cell, this.#widths[place] ?? mostWidth));
    }
    const height = lines === 1 ? "" : ` ht="${Math.min(lines, mostLines) * lineHeight}" customHeight="1"`;
    this.#parts.write(`<row r="${this.#rows}"${height}>${cells}</row>`);
  }

  #cell(cell: Cell, column: number): string {
    const place = `${this.#letters[column] ?? ""}${this.#rows}`;
    const { type, tones } = this.#columns[column] ?? { type: "text" };
    const style = this.#styles[column] ?? 0;
    if (type === "time" && typeof cell === "string") {
      const microseconds = microsecondsOf(cell);
      const day = microseconds === null ? null : dayOf(Number(microseconds) / 1000);
      return day === null ? textXml(place, cell) : `<c r="${place}" s="${style}"><v>${day}</v></c>`;
    }
    if (type === "link" && typeof cell === "string") {
      const address = this.#links.length < mostLinks ? addressOf(cell) : null;
      if (address === null) return textXml(place, cell);
      this.#links.push({ place, address });
      return textXml(place, cell, style);
    }
    const tone = typeof cell === "string" ? tones?.[cell] : undefined;
    return cellXml(place, cell, tone === undefined ? style : styleNumber(tone));
  }

  #endSheet(): void {
    const sheet = this.sheets.at(-1);
    if (sheet === undefined) return;
    const last = cellPlace(Math.max(0, this.#columns.length - 1), this.#rows);
    const cells = `A1:${last}`;
    sheet.filter = `$A$1:${last.replace(/^([A-Z]+)/, "$$$1$$")}`;
    const links = this.#links;
    this.#links = [];
    this.#parts.write(`</sheetData><autoFilter ref="${cells}"/>`);
    if (links.length > 0) {
      this.#parts.write("<hyperlinks>");
      for (const [at, { place, address }] of links.entries())
        this.#parts.write(`<hyperlink ref="${place}" r:id="rId${at + 1}"${fragmentOf(address)}/>`);
      this.#parts.write("</hyperlinks>");
    }
    this.#parts.write(
      sheetEnd(`<ignoredErrors><ignoredError sqref="${cells}" numberStoredAsText="1"/></ignoredErrors>`),
    );
    this.#parts.end();
    if (links.length === 0) return;
    this.#parts.begin(sheet.path.replace(/([^/]+)$/, "_rels/$1.rels"));
    this.#parts.write(`${xmlStart}<Relationships xmlns="${packageRelations}">`);
    for (const [at, { address }] of links.entries())
      this.#parts.write(
        `<Relationship Id="rId${at + 1}" Type="${officeRelations}/hyperlink" Target="${xmlAttribute(address.replace(/#.*/s, ""))}" TargetMode="External"/>`,
      );
    this.#parts.write("</Relationships>");
    this.#parts.end();
  }
}

export const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
export const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";

/** The start of a sheet: rows at its head and columns at its side that stay in sight, and the widths of its columns. */
export function sheetStart(widths: readonly number[], { head, side }: { head: number; side: number }): string {
  const corner = side > 0 ? "bottomRight" : "bottomLeft";
  const split = `${side > 0 ? ` xSplit="${side}"` : ""} ySplit="${head}" topLeftCell="${cellPlace(side, head + 1)}"`;
  const pane = head === 0 ? "" : `<pane${split} activePane="${corner}" state="frozen"/><selection pane="${corner}"/>`;
  const columns = widths.map(
    (width, place) => `<col min="${place + 1}" max="${place + 1}" width="${width}" customWidth="1"/>`,
  );
  return (
    `${xmlStart}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelations}">` +
    `<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="${lineHeight}"/>${columns.length === 0 ? "" : `<cols>${columns.join("")}</cols>`}<sheetData>`
  );
}

/** The end of a sheet behind its rows, its filter and its links; it is printed as wide as the paper. */
export function sheetEnd(ignored = ""): string {
  return `<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>${ignored}</worksheet>`;
}

const styleOf: Record<TypedColumn["type"], StyleName> = {
  text: "text",
  json: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  time: "time",
  link: "link",
};

/** A value of its type; a number that Excel would round is a text. */
export function cellXml(place: string, cell: Cell, style: number): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "boolean") return `<c r="${place}" s="${style}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === "string") return textXml(place, cell, style);
  return Number.isFinite(cell) && Math.abs(cell) < 1e15
    ? `<c r="${place}" s="${style}"><v>${cell}</v></c>`
    : textXml(place, String(cell));
}

/** A text as it is, which Excel calculates with in no case: not even when a person edits the cell. */
function textXml(place: string, text: string, style = styleNumber("text")): string {
  const isPlain = style === styleNumber("text");
  const own = isPlain && beginsLikeFormula(text) ? styleNumber("quoted") : style;
  return `<c r="${place}" s="${own}" t="inlineStr"><is><t xml:space="preserve">${sheetText(text)}</t></is></c>`;
}

/** Holds nothing that XML or Excel would take for something else, which is seen at once of most texts. */
const ordinary = /^[ !#-%'-;=?-^`-~\n]*$/;

/** A text of a cell. `_x0041_` is a letter in Excel, unless its first sign is written in that way itself. */
function sheetText(text: string): string {
  if (text.length <= mostOfExcel && ordinary.test(text)) return text;
  const cut = text.length > mostOfExcel ? cutForExcel(text) : text;
  return xmlText(cut.replaceAll(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")).replaceAll("\r", "_x000D_");
}

/** The number of days since 1899 with which Excel counts a time, in UTC; null where it is before its first days. */
export function dayOf(milliseconds: number): number | null {
  const day = milliseconds / 86_400_000 + 25_569;
  return day >= 61 && day < 2_958_466 ? day : null;
}

/** The address of a page as a link of a workbook; null: it is none that may be opened. */
function addressOf(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || text.length > mostLinkCharacters || !URL.canParse(text)) return null;
  const { href } = new URL(text);
  const address = href.replaceAll(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/gi, encodeURIComponent);
  return address.length > mostLinkCharacters ? null : address;
}

/** The part of an address behind `#`, which a workbook keeps beside it. */
function fragmentOf(address: string): string {
  const at = address.indexOf("#");
  return at === -1 ? "" : ` location="${xmlAttribute(address.slice(at + 1))}"`;
}

/** Excel knows no time zone: the head of the column says it. */
const headOf = ({ name, type }: TypedColumn): string => (type === "time" ? `${name} (UTC)` : name);

function widthOf(column: TypedColumn, cells: readonly Cell[]): number {
  if (column.type === "time") return 20;
  // The head is wrapped, and has room for the sign of the filter.
  let width = Math.min(headOf(column).length, 20) + 3;
  for (const cell of cells) {
    const longest = Math.max(
      ...String(cell ?? "")
        .slice(0, 2_000)
        .split("\n")
        .map(displayWidth),
    );
    width = Math.max(width, longest + 1);
    if (width >= mostWidth) return mostWidth;
  }
  return Math.max(width, leastWidth);
}

/** Lines that a text takes in a column, up to those that are shown. */
function linesOf(text: string, width: number): number {
  if (text.length < width && !text.includes("\n")) return 1;
  let lines = 0;
  for (const line of text.slice(0, mostLines * width).split("\n", mostLines))
    lines += Math.max(1, Math.ceil(line.length / width));
  return lines;
}

const timeForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))? ?(?:(Z)|([+-]\d\d):?(\d\d)?)?$/i;

/** A time in ISO 8601 as microseconds since 1970; without a zone it is UTC. Null for another text. */
export function microsecondsOf(text: string): bigint | null {
  const found = timeForm.exec(text.trim());
  if (found === null) return null;
  const [, date = "", minutes = "", seconds = ":00", fraction = "", , hours, rest = "00"] = found;
  const zone = hours === undefined ? "Z" : `${hours}:${rest}`;
  const milliseconds = Date.parse(`${date}T${minutes}${seconds}${zone}`);
  if (Number.isNaN(milliseconds)) return null;
  return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
