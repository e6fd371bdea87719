import type { PairedRows } from "../../store/compared/paired-results.ts";
import {
  caseColumns,
  type CaseRow,
  jobColumns,
  longPlaces,
  type StoredRow,
  type Value,
} from "../../store/results/columns.ts";
import type { ResultRows, ScoreRow } from "../../store/results/result-rows.ts";

/**
 * A page of stored rows on its way to another thread, by columns: a few large values pass between threads at a third of
 * the cost of many small ones, packing included.
 */
export interface PackedPage {
  own: PackedResults;
  later: PackedResults[];
}

interface PackedResults {
  cases: PackedRows<CaseRow>;
  jobs: PackedRows<StoredRow>;
  scores: PackedRows<ScoreRow>;
}

export function packPage({ own, later }: PairedRows): PackedPage {
  return { own: packResults(own), later: later.map(packResults) };
}

export function unpackPage({ own, later }: PackedPage): PairedRows {
  return { own: unpackResults(own), later: later.map(unpackResults) };
}

/** Characters of the answers on a page, and of other long texts. */
export function longCharacters({ own, later }: PackedPage): number {
  return [own, ...later].reduce((sum, { cases, jobs }) => sum + cases.long.length + jobs.long.length, 0);
}

const longOfCase = longPlaces(caseColumns);
const longOfJob = longPlaces(jobColumns);

function packResults({ cases, jobs, scores }: ResultRows): PackedResults {
  return { cases: packRows(cases, longOfCase), jobs: packRows(jobs, longOfJob), scores: packRows(scores, []) };
}

function unpackResults({ cases, jobs, scores }: PackedResults): ResultRows {
  return { cases: unpackRows(cases), jobs: unpackRows(jobs), scores: unpackRows(scores) };
}

type AnyRow = readonly Value[];

/** Rows of one width. */
interface PackedRows<R extends AnyRow> {
  count: number;
  /** One for each place of a row. */
  columns: { [Place in keyof R]: PackedColumn };
  /** Values of the columns of numbers one after the other, and lengths of the long texts; NaN for null. */
  numbers: Float64Array;
  /** Values of the columns of texts. */
  texts: (string | null)[];
  /** All long texts, without anything between them. */
  long: string;
}

/** Content of a column: the same value in every row, or the place of its values. */
type PackedColumn = { same: Value } | "numbers" | "texts" | "long";

/** Packs rows; the columns at the places `long` hold texts that are parsed and not kept. */
function packRows<R extends AnyRow>(rows: readonly R[], long: readonly number[]): PackedRows<R>;
function packRows(rows: readonly AnyRow[], long: readonly number[]): PackedRows<AnyRow> {
  const columns = Array.from(rows[0] ?? [], (_, place) => columnOf(rows, place, long.includes(place)));
  const numbers: number[] = [];
  const texts: (string | null)[] = [];
  const pieces: string[] = [];
  for (const [place, column] of columns.entries()) {
    if (typeof column === "object") continue;
    for (const row of rows) {
      const cell = row[place] ?? null;
      if (typeof cell === "number") numbers.push(cell);
      else if (column === "texts") texts.push(cell);
      else {
        numbers.push(cell === null ? Number.NaN : cell.length);
        if (cell !== null) pieces.push(cell);
      }
    }
  }
  return { count: rows.length, columns, numbers: Float64Array.from(numbers), texts, long: pieces.join("") };
}

function columnOf(rows: readonly AnyRow[], place: number, long: boolean): PackedColumn {
  const same = rows[0]?.[place] ?? null;
  let [differs, hasText, hasNumber] = [false, false, false];
  for (const row of rows) {
    const cell = row[place] ?? null;
    if (cell !== same) differs = true;
    if (typeof cell === "string") hasText = true;
    else if (typeof cell === "number") hasNumber = true;
  }
  if (!differs) return { same };
  // SQLite's tables are strict: a column has numbers or texts.
  if (hasText && hasNumber) throw new TypeError(`Column ${place} holds numbers and texts.`);
  if (!hasText) return "numbers";
  return long ? "long" : "texts";
}

/** The rows as they were packed. */
function unpackRows<R extends AnyRow>(packed: PackedRows<R>): R[];
function unpackRows({ count, columns, numbers, texts, long }: PackedRows<AnyRow>): AnyRow[] {
  const alike = columns.map((column) => (typeof column === "object" ? column.same : null));
  const rows = Array.from({ length: count }, () => alike.slice());
  let [number, text, from] = [0, 0, 0];
  for (const [place, column] of columns.entries()) {
    if (column === "numbers") {
      for (const row of rows) row[place] = orNull(numbers[number++]);
    } else if (column === "texts") {
      for (const row of rows) row[place] = texts[text++] ?? null;
    } else if (column === "long") {
      for (const row of rows) {
        const length = orNull(numbers[number++]);
        row[place] = length === null ? null : long.slice(from, from + length);
        from += length ?? 0;
      }
    }
  }
  return rows;
}

function orNull(number: number | undefined): number | null {
  return number === undefined || Number.isNaN(number) ? null : number;
}
