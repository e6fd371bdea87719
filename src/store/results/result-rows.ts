import type { Lack } from "../../score/contract/scorer.ts";
import type { Connection } from "../connection.ts";
import { selectRow, sqlite } from "../sqlite.ts";
import {
  caseColumns,
  type CaseRow,
  checkedCases,
  checkedJobs,
  checkOf,
  isMaybeNumber,
  isMaybeText,
  isNumber,
  jobColumns,
  columnPlace,
  type StoredRow,
  sqlOf,
} from "./columns.ts";

/**
 * Cases with their jobs and scores as SQLite gives them, each in the order of the cases: as lists, which cost half of
 * what objects do, and pass to another thread as they are; their places are those of `columns.ts`. Jobs of cases that are not in the list may lie between.
 */
export interface ResultRows {
  cases: CaseRow[];
  jobs: StoredRow[];
  scores: ScoreRow[];
}

export type ScoreRow = [
  caseId: number,
  jobId: number,
  scorer: number,
  value: number | null,
  pass: number | null,
  reason: string | null,
  lack: Lack | null,
];

const isScore = [isNumber, isNumber, isNumber, isMaybeNumber, isMaybeNumber, isMaybeText, isMaybeText];
const checkedScores = checkOf<ScoreRow>(isScore);

/** The scores that are read, and the amount of everything. */
export interface RowOptions extends CaseSelection {
  /** True to read all reasons; without it only those of scores that have no value, which is faster. */
  reasons: boolean;
}

/** Reads the rows of a connection. */
export interface RowReader {
  /** Cases of a batch with ids in a range. `bodies` false: those of cases that expect nothing are null, which is faster. */
  range: (range: { batchId: number; from: number; to: number }, bodies: boolean) => ResultRows;
  /** Cases by their ids, of any batches. */
  ids: (ids: readonly number[]) => ResultRows;
}

/** Number of cases in a page. */
const pageSize = 64;
/** Characters that the rows read together may have, as far as those before them tell: an answer may have a megabyte. */
const readTogether = 8 * 1024 * 1024;

const jobSelect = (records: boolean): string =>
  `SELECT job.case_id, ${sqlOf(jobColumns, { records })} FROM job
   LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
   ${records ? "LEFT JOIN run_record ON run_record.record = attempt.record" : ""}`;

const withRecord = jobSelect(true);
const withoutRecord = jobSelect(false);

const jobOrder = "AND job.kind = 'case' ORDER BY job.case_id, job.target_id, job.repeat";
const scoreOrder = "ORDER BY case_id, job_id, scorer";

export function rowReader(db: Connection, options: RowOptions): RowReader {
  const { scoringId, reasons } = options;
  const cases = caseSelectOf(db, options);
  const sql = sqlite(db);
  const scoreSelect = `SELECT case_id, job_id, scorer, value, pass, ${reasons ? "reason" : "CASE WHEN value IS NULL THEN reason END"}, lack FROM score WHERE scoring_id = ?`;
  const between = {
    cases: sql
      .prepare<[number, number, number], CaseRow>(`${cases} WHERE id BETWEEN ? AND ? AND +batch_id = ? ORDER BY id`)
      .raw(),
    jobs: sql.prepare<[number, number], StoredRow>(`${withRecord} WHERE job.case_id BETWEEN ? AND ? ${jobOrder}`).raw(),
    light: sql
      .prepare<[number, number], StoredRow>(`${withoutRecord} WHERE job.case_id BETWEEN ? AND ? ${jobOrder}`)
      .raw(),
    scores: sql
      .prepare<[number, number, number], ScoreRow>(`${scoreSelect} AND case_id BETWEEN ? AND ? ${scoreOrder}`)
      .raw(),
  };
  const listed = "(SELECT value FROM json_each(?))";
  const among = {
    cases: sql.prepare<[string], CaseRow>(`${cases} WHERE id IN ${listed} ORDER BY id`).raw(),
    jobs: sql.prepare<[string], StoredRow>(`${withRecord} WHERE job.case_id IN ${listed} ${jobOrder}`).raw(),
    scores: sql.prepare<[number, string], ScoreRow>(`${scoreSelect} AND case_id IN ${listed} ${scoreOrder}`).raw(),
  };
  return {
    range({ batchId, from, to }, bodies) {
      const found = checkedCases(between.cases.all(from, to, batchId));
      if (found.length === 0) return { cases: found, jobs: [], scores: [] };
      const jobs = bodies || found.some(expects) ? between.jobs : between.light;
      const scores = scoringId === null ? [] : checkedScores(between.scores.all(scoringId, from, to));
      return { cases: found, jobs: checkedJobs(jobs.all(from, to)), scores };
    },
    ids(ids) {
      const list = JSON.stringify(ids);
      const scores = scoringId === null ? [] : checkedScores(among.scores.all(scoringId, list));
      return { cases: checkedCases(among.cases.all(list)), jobs: checkedJobs(among.jobs.all(list)), scores };
    },
  };
}

const expectedPlace = columnPlace(caseColumns, "expected");
const expects = (row: StoredRow): boolean => row[expectedPlace] !== null;

/** Ids of the first and the last case of a batch; none lies between them that is not its own. */
export interface CaseSpan {
  from: number;
  to: number;
}

/** The span of a batch; while it has no case, one that holds none. */
export function caseSpan(db: Connection, batchId: number): CaseSpan {
  const row = selectRow<{ from: number | null; to: number | null }>(
    db,
    'SELECT first_case AS "from", last_case AS "to" FROM batch WHERE id = ?',
    [batchId],
  );
  return { from: row?.from ?? 1, to: row?.to ?? 0 };
}

/** The pages of a span, in order. */
export function* pagesOf({ from: first, to: last }: CaseSpan): Generator<CaseSpan> {
  for (let from = first; from <= last; from += pageSize) yield { from, to: Math.min(last, from + pageSize - 1) };
}

/** Reads a page in parts, fewer cases together the longer the rows before them were, so that memory does not grow with them. */
export class PageParts {
  #cases = 1;

  *of<Page extends { from: number; to: number }>(page: Page): Generator<Page> {
    for (let { from } = page; from <= page.to;) {
      const to = Math.min(page.to, from + this.#cases - 1);
      yield { ...page, from, to };
      from = to + 1;
    }
  }

  /** Takes note of the rows that were read of a part. */
  learn({ from, to }: { from: number; to: number }, rows: readonly ResultRows[]): void {
    const cases = to - from + 1;
    const length = rows.reduce((sum, each) => sum + lengthOf(each.cases) + lengthOf(each.jobs), 0);
    const fitting = Math.floor((readTogether * cases) / Math.max(1, length));
    this.#cases = Math.max(1, Math.min(pageSize, 4 * cases, fitting));
  }
}

function lengthOf(rows: readonly StoredRow[]): number {
  let length = 0;
  for (const row of rows) for (const value of row) if (typeof value === "string") length += value.length;
  return length;
}

/** The parts of cases that are read. */
interface CaseSelection {
  /** null: no scores. */
  scoringId: number | null;
  /** Expected texts are those of the plan, and not those by which the scoring graded. */
  asPlanned?: boolean;
  /** The columns of the dataset that are read; default: all. To read a few takes a quarter of the time. */
  columns?: readonly string[] | "all";
}

const caseSelect = (others: { expected?: string; columns?: string }): string =>
  `SELECT id, ${sqlOf(caseColumns, { others })} FROM "case"`;

/** The object of some columns alone. A text that is no JSON is read as it is, and refused. */
function someColumns(names: readonly string[]): string {
  const listed = names.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
  const some = `SELECT json_group_object(key, value) FROM json_each(columns) WHERE key IN (${listed})`;
  return `CASE WHEN json_valid(columns) THEN (${some}) ELSE columns END`;
}

/** The statement that reads cases, as far as `FROM`. Where a scoring graded by other expected texts than those of the plan, these are what was expected. */
function caseSelectOf(db: Connection, { scoringId, asPlanned = false, columns = "all" }: CaseSelection): string {
  const cells = columns === "all" ? {} : { columns: someColumns(columns) };
  const isOther =
    scoringId !== null &&
    !asPlanned &&
    selectRow(db, "SELECT 1 FROM graded_by WHERE scoring_id = ? LIMIT 1", [scoringId]) !== undefined;
  if (!isOther) return caseSelect(cells);
  const own = `graded_by WHERE scoring_id = ${scoringId} AND case_id = "case".id`;
  const expected = `CASE WHEN EXISTS (SELECT 1 FROM ${own}) THEN (SELECT graded_by.expected FROM ${own}) ELSE expected END`;
  return caseSelect({ ...cells, expected });
}
