import { readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { readFeedback } from "../../dataset/import/feedback.ts";
import { findSeparation } from "../../dataset/table/csv.ts";
import { showText } from "../../lib/show.ts";
import { readWindows1252 } from "../../lib/windows-1252.ts";

/** The grades of a sheet: by the key of a row and the name of a target, or by the id of a run. */
export interface FileGrades {
  /** Columns of grades, but for a sheet by runs. */
  targets: readonly string[];
  /** Key or id of a run to its grades, by the column; those of a run have one. */
  rows: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** A fault of a file of grades, in a sentence that begins with its place; `hint`: what to do. */
export interface GradesFault {
  message: string;
  hint: string;
}

export interface GradesOptions {
  file: string;
  key: string;
  run?: string | undefined;
  grade: string;
  scale: { min: number; max: number } | "unbounded";
}

const mostBytes = 20_000_000;

interface Cell {
  line: number;
  column: number;
}

/** Reads a file of grades; `path`: where it is. */
export function readGrades(path: string, options: GradesOptions): FileGrades | GradesFault {
  const { file } = options;
  if (/\.(?:xlsx?|xlsm|xlsb|ods)$/i.test(file))
    return { message: `${showText(file)} is a workbook`, hint: "Save the sheet of grades as CSV, and name that." };
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return { message: `there is no file ${path}`, hint: "Check the path: it is relative to the suite." };
  }
  if (bytes.length > mostBytes)
    return { message: `${file} has more than 20 MB`, hint: "Keep the columns of keys and grades, and no others." };
  return gradesIn(textOf(bytes), options);
}

/** A spreadsheet that does not write UTF-8 writes Windows' own. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return readWindows1252(bytes).text;
  }
}

/** The grades in the text of a file. */
function gradesIn(text: string, options: GradesOptions): FileGrades | GradesFault {
  const { file } = options;
  const { delimiter, skip } = findSeparation(text.slice(0, 65_536), ",");
  let records: Line[];
  try {
    records = linesOf(text.slice(skip), delimiter);
  } catch (error) {
    const line = error instanceof CsvError && typeof error["lines"] === "number" ? `:${error["lines"]}` : "";
    return { message: `${file}${line} is no CSV`, hint: "A quote that was opened is probably not closed." };
  }
  const [head, ...rows] = records;
  if (head === undefined) return { message: `${file} is empty`, hint: "Write a header, and a line for each row." };
  const header = head.record.map((name) => name.trim());
  const by = options.run ?? options.key;
  const wanted = options.run === undefined ? [by] : [by, options.grade];
  const missing = wanted.find((name) => !header.includes(name));
  if (missing !== undefined)
    return {
      message: `${file}:1:1 has no column ${showText(missing)}`,
      hint: `It has: ${header.map((name) => showText(name)).join(", ")}. Name one with \`${missing === by && options.run === undefined ? "key" : missing === by ? "run" : "grade"}\`.`,
    };
  const twice = header.find((name, place) => name !== "" && header.indexOf(name) !== place);
  if (twice !== undefined)
    return { message: `${file}:1:1 has the column ${showText(twice)} twice`, hint: "Keep one of them." };
  const targets = options.run === undefined ? header.filter((name) => name !== by && name !== "") : [];
  return rowsOf(rows, { header, by, columns: options.run === undefined ? targets : [options.grade], targets, options });
}

/** A line of a file with its cells. */
interface Line {
  record: string[];
  line: number;
}

function linesOf(text: string, delimiter: string): Line[] {
  const found: Line[] = [];
  parse(text, {
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    bom: true,
    onRecord: (record: string[], { lines }) => void found.push({ record, line: lines }),
  });
  return found;
}

interface Reading {
  header: readonly string[];
  by: string;
  columns: readonly string[];
  targets: readonly string[];
  options: GradesOptions;
}

function rowsOf(rows: readonly Line[], { header, by, columns, targets, options }: Reading): FileGrades | GradesFault {
  const found = new Map<string, ReadonlyMap<string, number>>();
  const lines = new Map<string, number>();
  for (const { record, line } of rows) {
    const cell = (name: string): string => (record[header.indexOf(name)] ?? "").trim();
    const place = (name: string): Cell => ({ line, column: characterOf(record, header.indexOf(name)) });
    const key = cell(by);
    const filled = columns.filter((name) => cell(name) !== "");
    if (key === "" && filled.length === 0) continue;
    if (key === "")
      return faultAt(options, place(by), `has grades and no ${showText(by)}`, "Write whose grades they are.");
    const before = lines.get(key);
    if (before !== undefined)
      return faultAt(
        options,
        place(by),
        `has ${showText(key)} a second time; the first is in line ${before}`,
        "Keep one of them.",
      );
    lines.set(key, line);
    if (record.slice(header.length).some((text) => text.trim() !== ""))
      return faultAt(
        options,
        { line, column: characterOf(record, header.length) },
        `has more cells than the header`,
        'Quote a grade that is written with a comma, as in "0,5".',
      );
    const own = new Map<string, number>();
    for (const name of filled) {
      const value = gradeOf(cell(name), options.scale);
      if (value === null)
        return faultAt(
          options,
          place(name),
          `has ${showText(cell(name))} in ${showText(name)}, which is no grade`,
          gradeHint(options),
        );
      own.set(name, value);
    }
    if (own.size > 0) found.set(key, own);
  }
  if (found.size === 0)
    return { message: `${options.file} has no grade`, hint: "Write grades below the header, or leave the scorer out." };
  return { targets, rows: found };
}

/** Place of a cell in a line without quotes, in characters from 1. */
function characterOf(record: readonly string[], place: number): number {
  return record.slice(0, Math.max(0, place)).reduce((sum, cell) => sum + cell.length + 1, 1);
}

const faultAt = ({ file }: GradesOptions, { line, column }: Cell, message: string, hint: string): GradesFault => ({
  message: `${file}:${line}:${column} ${message}`,
  hint,
});

/** A number of the scale, with a point or a comma; good and bad are its ends. Null: it is neither. */
function gradeOf(cell: string, scale: GradesOptions["scale"]): number | null {
  const isNumber = /^[+-]?\d+(?:[.,]\d+)?$/.test(cell);
  if (!isNumber) {
    const read = readFeedback(cell);
    if (read === null || scale === "unbounded") return null;
    return read.value === 1 ? scale.max : scale.min;
  }
  const value = Number(cell.replace(",", "."));
  return scale === "unbounded" || (value >= scale.min && value <= scale.max) ? value : null;
}

function gradeHint({ scale }: GradesOptions): string {
  if (scale === "unbounded") return "Write a number.";
  return `Write a number from ${scale.min} to ${scale.max}, or good or bad; \`scale\` sets other ends.`;
}
