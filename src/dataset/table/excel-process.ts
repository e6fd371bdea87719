import { fstatSync, readSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import { readSheet } from "read-excel-file/universal";
import { SaxesParser } from "saxes";
import { columnLetters } from "../../lib/column-letters.ts";
import { givenDescriptor } from "../../lib/own-worker.ts";
import { showText } from "../../lib/show.ts";
import { mostColumns } from "./header-faults.ts";
import { letteredColumn } from "./lettered-column.ts";
import type { FailedCell, ReadMessage, ReadRequest } from "./excel.ts";
import { shownCells } from "./shown-cells.ts";
import { type SheetColumn, type TableInSheet, tableInSheet } from "./table-in-sheet.ts";

/** Bytes that the parts of a workbook may have when they are unpacked. */
const mostUnpacked = 384 * 1024 * 1024;

/** Rows, and characters in them, of one message. */
const messageRows = 500;
const messageCharacters = 1_000_000;

/** Characters that the cells of a sheet may have together: one long text can be shared by all of them. */
const mostCharacters = 512 * 1024 * 1024;

/** A refusal with what to do. */
interface Refusal extends Omit<Extract<ReadMessage, { fault: string }>, "fault"> {
  fault: string;
}

/** A sheet as it was read: what is to be said of it, and its table. */
interface OpenedSheet {
  said: readonly ReadMessage[];
  texts: readonly (readonly string[])[];
  table: TableInSheet;
  errors: ReadonlySet<string>;
}

/** The workbook of this process: it is unpacked once, and the sheet that was read last is kept. */
class OpenedWorkbook {
  #parts: Parts | null = null;
  #last: { key: string; sheet: OpenedSheet } | null = null;

  async *words(request: ReadRequest): AsyncGenerator<ReadMessage> {
    const parts = (this.#parts ??= unpacked());
    if (request.lists === true) {
      const shown = sheetsOf(parts).filter(({ isHidden }) => !isHidden);
      return yield { sheets: shown.map(({ name, path }) => ({ name, rows: rowsWithContent(parts[path]) })) };
    }
    const key = JSON.stringify(request);
    if (this.#last?.key !== key) {
      const sheet = await openSheet(parts, request);
      if ("fault" in sheet) return yield sheet;
      this.#last = { key, sheet };
    }
    const { said, texts, table, errors } = this.#last.sheet;
    yield* said;
    const before = table.head + 1;
    yield { header: table.columns.map(({ name }) => name), before };
    yield* rowWords(texts, { from: before, columns: table.columns, errors });
  }
}

async function openSheet(parts: Parts, { sheet: wanted, hasHeader }: ReadRequest): Promise<OpenedSheet | Refusal> {
  const sheets = sheetsOf(parts);
  const sheet = chosen(sheets, wanted, parts);
  if ("fault" in sheet) return sheet;
  const xml = new TextDecoder().decode(parts[sheet.path] ?? new Uint8Array());
  const refusal = strangePart(parts) ?? tooFarOff(xml) ?? unstoredResult(xml);
  if (refusal !== null) return refusal;
  const shown = shownCells(xml, new TextDecoder().decode(parts["xl/styles.xml"] ?? new Uint8Array()));
  const read =
    shown.xml === xml
      ? await textsOf(parts, sheet)
      : await textsOf({ ...parts, [sheet.path]: new TextEncoder().encode(shown.xml) }, sheet);
  if ("fault" in read) return read;
  const { texts } = read;
  const first = texts.findIndex((row) => row.some((cell) => cell !== ""));
  const head = texts[first];
  if (head === undefined) return { fault: `the sheet ${showText(sheet.name)} is empty` };
  if (head.length > mostColumns) return { fault: `it has more than ${mostColumns} columns` };
  const table: TableInSheet = hasHeader
    ? tableInSheet(texts, first)
    : { head: first - 1, columns: head.map((_, place) => ({ place, name: letteredColumn(place) })), notices: [] };
  return { said: [...notices(sheets, sheet, wanted, { xml, table })], texts, table, errors: shown.errors };
}

/** The texts of all cells, row by row. */
async function textsOf(parts: Parts, { place }: Sheet): Promise<{ texts: string[][] } | Refusal> {
  try {
    const rows = await readSheet(repacked(parts), place, { trim: false, parseNumber: shownNumber });
    const texts: string[][] = [];
    // Each row goes as it is read: both together would need twice the memory.
    for (const [at, row] of rows.entries()) {
      texts.push(row.map((cell) => cellText(cell)));
      rows[at] = [];
    }
    return { texts };
  } catch (error) {
    const [, row, column] = /at row (\d+), col (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
    if (row === undefined || column === undefined) throw error;
    const fault = `the cell ${columnLetters(Number(column) - 1)}${row} is damaged`;
    return { fault, hint: "Open the workbook in a spreadsheet, look at the cell, and save it anew." };
  }
}

function* rowWords(
  all: readonly (readonly string[])[],
  { from, columns, errors }: { from: number; columns: readonly SheetColumn[]; errors: ReadonlySet<string> },
): Generator<ReadMessage> {
  let rows: string[][] = [];
  let failed: FailedCell[] = [];
  let characters = 0;
  let total = 0;
  for (let at = from; at < all.length; at++) {
    const cells = columns.map(({ place }) => all[at]?.[place] ?? "");
    const length = cells.reduce((sum, cell) => sum + cell.length, 0);
    characters += length;
    total += length;
    if (total > mostCharacters) {
      const fault = `its cells have more than ${mostCharacters / 1024 / 1024} million characters together`;
      return yield { fault, row: at + 1, hint: "Save the sheet as CSV, which is read as it comes." };
    }
    if (errors.size > 0)
      for (const [column, { place }] of columns.entries()) {
        const cell = `${columnLetters(place)}${at + 1}`;
        if (errors.has(cell)) failed.push({ row: rows.length, column, cell });
      }
    rows.push(cells);
    if (rows.length < messageRows && characters < messageCharacters) continue;
    yield { rows, failed };
    rows = [];
    failed = [];
    characters = 0;
  }
  if (rows.length > 0) yield { rows, failed };
}

/** Decisions about the workbook that a person may want to know. */
function* notices(
  sheets: readonly Sheet[],
  sheet: Sheet,
  wanted: string | null,
  { xml, table }: { xml: string; table: TableInSheet },
): Generator<ReadMessage> {
  const others = sheets.filter((each) => each !== sheet).map(({ name }) => showText(name));
  if (wanted === null && others.length > 0) {
    const shown =
      others.length > 5 ? `${others.slice(0, 5).join(", ")} and ${others.length - 5} more` : others.join(", ");
    yield {
      notice: `the sheet ${showText(sheet.name)} is read, not ${shown} (\`--sheet NAME\`, or \`format: { sheet: NAME }\`)`,
    };
  }
  if (sheet.isHidden) yield { notice: `the sheet ${showText(sheet.name)} is hidden in the workbook` };
  for (const notice of table.notices) yield { notice };
  // Those of a title say nothing of the rows.
  const merged = [...xml.matchAll(/<(?:\w+:)?mergeCell\b[^>]*\bref="([A-Z]{1,3}\d+:[A-Z]{1,3}(\d+))"/g)].flatMap(
    ([, ref = "", end]) => (Number(end) > table.head + 1 ? [ref] : []),
  );
  if (merged.length > 0) {
    const more = merged.length > 3 ? ` and ${merged.length - 3} more` : "";
    yield {
      notice: `cells are merged (${merged.slice(0, 3).join(", ")}${more}): the first of them has the text, the others are empty`,
    };
  }
}

interface Sheet {
  name: string;
  /** Its place among all, from 1. */
  place: number;
  isHidden: boolean;
  /** The part of the workbook that holds it. */
  path: string;
}

/** The sheet of that name, else the one with most rows of those that are not hidden. */
function chosen(sheets: readonly Sheet[], wanted: string | null, parts: Parts): Sheet | Refusal {
  const found = wanted === null ? fullest(sheets, parts) : sheets.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = sheets
    .slice(0, 10)
    .map(({ name }) => showText(name))
    .join(", ");
  if (wanted !== null) return { fault: `it has no sheet ${showText(wanted)}`, hint: `Its sheets are ${names}.` };
  const hint = `Name one: --sheet NAME, or format: { sheet: NAME }. Its sheets are ${names}.`;
  return {
    fault: sheets.length === 0 ? "it has no sheet" : "all of its sheets are hidden",
    ...(names !== "" && { hint }),
  };
}

function fullest(sheets: readonly Sheet[], parts: Parts): Sheet | undefined {
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  if (shown.length < 2) return shown[0];
  const rows = new Map(shown.map((sheet) => [sheet, rowsWithContent(parts[sheet.path])]));
  return shown.toSorted((one, other) => (rows.get(other) ?? 0) - (rows.get(one) ?? 0))[0];
}

type Parts = Record<string, Uint8Array>;

/** The parts of the workbook that are XML. Each has no more bytes than it says, and all of them no more than is allowed. */
function unpacked(): Parts {
  const { size } = fstatSync(givenDescriptor);
  const bytes = new Uint8Array(size);
  for (let read = 0; read < size;) {
    const count = readSync(givenDescriptor, bytes, read, size - read, read);
    if (count === 0) throw new Error("it is cut off");
    read += count;
  }
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!/\.(?:xml|rels)$/i.test(name)) return false;
        total += originalSize;
        if (total > mostUnpacked) throw new Error(`unpacked it has more than ${mostUnpacked / 1024 / 1024} MB`);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Error && "code" in error)
      throw new Error("its ZIP archive is damaged or cut off", { cause: error });
    throw error;
  }
}

/** The parts as an archive without compression: one that says less of its parts than it holds would be unpacked to any size. */
function repacked(parts: Parts): ArrayBuffer {
  const archive = zipSync(parts, { level: 0 });
  return archive.buffer.slice(archive.byteOffset, archive.byteOffset + archive.byteLength);
}

/** The sheets of a workbook in its order. */
function sheetsOf(parts: Parts): Sheet[] {
  const targets = new Map<string, string>();
  for (const { Id = "", Target = "" } of elements(parts["xl/_rels/workbook.xml.rels"], "Relationship"))
    targets.set(Id, Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`);
  return elements(parts["xl/workbook.xml"], "sheet").map((about, at) => ({
    name: about["name"] ?? "",
    place: at + 1,
    isHidden: about["state"] !== undefined && about["state"] !== "visible",
    path: targets.get(Object.entries(about).find(([name]) => /(?:^|:)id$/.test(name))?.[1] ?? "") ?? "",
  }));
}

/** Rows of a sheet in which a cell has content, by its tags alone. */
function rowsWithContent(part: Uint8Array | undefined): number {
  const [, ...rows] = new TextDecoder().decode(part ?? new Uint8Array()).split(/<(?:\w+:)?row\b/);
  return rows.filter((row) => /<(?:\w+:)?(?:v|is|f)\b/.test(row)).length;
}

/** The attributes of all elements of that name, whatever prefix it has. */
function elements(part: Uint8Array | undefined, wanted: string): Record<string, string>[] {
  if (part === undefined) throw new Error("it is no workbook of Excel");
  const found: Record<string, string>[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    if (name.replace(/^.*:/, "") === wanted) found.push(attributes);
  });
  parser.on("error", (error) => {
    throw new Error("a part of it is no XML", { cause: error });
  });
  parser.write(new TextDecoder().decode(part)).close();
  return found;
}

/** Bytes of a tag, of a text between two tags, and of a comment: the parser begins such a piece again whenever more of it comes. A cell of Excel holds 32,767 characters. */
const longestPiece = 1_000_000;

/** Refuses XML that no spreadsheet writes, and that takes the parser very long. */
function strangePart(parts: Parts): Refusal | null {
  const hint = "Open it in a spreadsheet and save it anew, or save the sheet as CSV.";
  for (const [name, part] of Object.entries(parts)) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    for (let at = 0; at < bytes.length;) {
      if (bytes[at + 1] === exclamation && /^<!doctype/i.test(bytes.toString("latin1", at, at + 9))) {
        return { fault: `its part ${showText(name)} has a DOCTYPE, which no workbook has`, hint };
      }
      const end = endOfPiece(bytes, at);
      if (end - at > longestPiece) {
        const most = longestPiece.toLocaleString("en-US");
        return { fault: `its part ${showText(name)} has more than ${most} bytes in one piece`, hint };
      }
      at = end;
    }
  }
  return null;
}

/** The end of the tag, the comment or the quoted characters that begin here, else the next tag. */
function endOfPiece(bytes: Buffer, at: number): number {
  if (bytes[at] === tagOpen && bytes[at + 1] === exclamation) {
    for (const [open, close] of [
      ["<!--", "-->"],
      ["<![CDATA[", "]]>"],
    ] as const) {
      if (bytes.toString("latin1", at, at + open.length) !== open) continue;
      const end = bytes.indexOf(close, at + open.length);
      return end === -1 ? bytes.length : end + close.length;
    }
  }
  const isTag = bytes[at] === tagOpen;
  const next = bytes.indexOf(isTag ? tagClose : tagOpen, at);
  if (next === -1) return bytes.length;
  return isTag ? next + 1 : next;
}

const [tagOpen, tagClose, exclamation] = [0x3c, 0x3e, 0x21];

/** The last row and column that Excel knows, and cells that a sheet may reach over: the parser makes each one between. */
const lastRow = 1_048_576;
const lastColumn = 16_384;
const mostCells = 20_000_000;

/** Refuses a sheet whose rows or cells stand so far off that the cells between do not fit into memory. */
function tooFarOff(xml: string): Refusal | null {
  let [rows, columns] = [1, 1];
  for (const [, name = "", place = "", rest = ""] of xml.matchAll(
    /<(?:\w+:)?(row|c)\b[^<>]*?\sr=["']([^"'<>]*)["']([^<>]*)>/g,
  )) {
    const [, letters = "", digits = ""] = /^([A-Z]{0,3})0*(\d{1,7})$/.exec(place) ?? [];
    const [row, column] = [Number(digits), name === "row" ? 1 : columnNumber(letters)];
    if (row < 1 || row > lastRow || column < 1 || column > lastColumn) {
      const fault = `${name === "row" ? "a row" : "a cell"} stands at ${showText(place)}, which is no place in a sheet`;
      return { fault, hint: "Open it in a spreadsheet and save it anew." };
    }
    // Cells that only have a style are often written down to the last row.
    if (name === "row" || rest.endsWith("/")) continue;
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
  }
  if (rows * columns <= mostCells) return null;
  const reach = `${rows.toLocaleString("en-US")} rows by ${columns.toLocaleString("en-US")} columns`;
  const most = mostCells.toLocaleString("en-US");
  return {
    fault: `the sheet reaches over ${reach}, and at most ${most} cells can be read`,
    hint: "Delete what stands far off from the table, or save the sheet as CSV.",
  };
}

/** 1 for A, 27 for AA; 0 for no letters. */
const columnNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/** Refuses a sheet with a formula whose result was never stored. */
function unstoredResult(xml: string): Refusal | null {
  // No part of it looks beyond the next tag, so that its time grows with the length of the sheet alone.
  const formulas =
    /<((?:\w+:)?)c\b([^<>]*)>\s*<\1f\b[^<>]*(?:\/>|>[^<]*<\/\1f>)\s*(?:<\1v\s*\/>\s*|(<\1v>\s*<\/\1v>)\s*)?<\/\1c>/g;
  for (const [, , attributes = "", blank] of xml.matchAll(formulas)) {
    const address = /\br="([A-Z]{1,3}\d{1,7})"/.exec(attributes)?.[1];
    // Excel itself writes an empty result of a text, and of nothing else.
    if (address === undefined || (blank !== undefined && /\bt="str"/.test(attributes))) continue;
    const fault = `the formula in cell ${address} has no stored result`;
    return { fault, hint: "Open the workbook in a spreadsheet and save it, which stores what its formulas say." };
  }
  return null;
}

/**
 * Excel keeps 15 digits of a number, and shows no more: 0.1 + 0.2 is 0.3. A whole number of more digits, as other programs write
 * ids, stays as it is stored: two of them would become one.
 */
function shownNumber(stored: string): string {
  if (/^-?\d{16,}$/.test(stored)) return stored;
  const value = Number(stored);
  if (!Number.isFinite(value)) return stored;
  const shown = Number(value.toPrecision(15));
  return Number.isInteger(shown) && Math.abs(shown) < 1e21 ? String(BigInt(shown)) : String(shown);
}

/** A value as the cell of a sheet: a day as a day, a time without a zone, which Excel knows none of, and hours without a day. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "string") return value;
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return "";
  // Excel counts days: a second is a number without an end.
  const seconds = Math.round(value.getTime() / 1000);
  if (seconds >= noDay && seconds < firstDay) return hours(seconds - noDay);
  const [day = "", time = ""] = new Date(seconds * 1000).toISOString().split("T");
  return time.startsWith("00:00:00") ? day : `${day}T${time.slice(0, 8)}`;
}

/** The number 0 of Excel, by which times without a day are counted, and its first day. */
const noDay = Date.UTC(1899, 11, 30) / 1000;
const firstDay = Date.UTC(1900, 0, 1) / 1000;

/** Such as `11:00`, and `26:30` for a day and two and a half hours. */
function hours(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}${rest === 0 ? "" : `:${twoDigits(rest)}`}`;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

function post(message: ReadMessage): void {
  process.send?.(message);
}

/** Hands over the next message whenever it is asked for. */
function serveReads(): void {
  const workbook = new OpenedWorkbook();
  let all: AsyncGenerator<ReadMessage> | null = null;
  process.on("message", ({ request }: { request: ReadRequest | null }) => {
    if (request !== null) all = workbook.words(request);
    all?.next().then(
      ({ value, done }) => post(done === true ? { isEnd: true } : value),
      (error: unknown) => post({ fault: error instanceof Error ? error.message : String(error) }),
    );
  });
  // An interrupt is for who started it.
  process.on("SIGINT", () => {});
}

serveReads();
