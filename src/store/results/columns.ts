import { type AnswerKind, soundness } from "../../api/answer-kind.ts";
import type { JobOutcome } from "../../api/outcomes.ts";
import type { CaseChecks } from "../../dataset/case.ts";
import type { ColumnType } from "../../lib/column-type.ts";
import { isJsonObject } from "../../lib/json.ts";
import { notOurs, storedJson } from "../../lib/stored-json.ts";
import type { Connection } from "../connection.ts";
import { storedText } from "../stored-text.ts";
import { selectValue } from "../sqlite.ts";

/** A value as SQLite gives it. */
export type Value = string | number | null;

/** A case or a job as SQLite gives it: the id of the case, then the columns of its list in their order. */
export type StoredRow = [caseId: number, ...values: Value[]];
export type CaseRow = [caseId: number, key: string, ...values: Value[]];

/** A column of the rows that are read. Everything that reads rows asks the list: the statement, the check, the object. */
interface Column {
  sql: string;
  /** Lets the values pass that tandem stores. */
  is: (value: Value) => boolean;
  /** Makes what the object holds of what is stored; left out: it is the same. */
  as?(this: void, value: Value): unknown;
  /** It is of the run record, which is not always read. */
  record?: true;
  /** The meaning of its member in report.json and of its column in runs.csv, for their references. */
  about?: string;
  /** It is a member of a run in the page, and in report.json too; left out: in neither. */
  in?: "page" | "json";
  /** Its column in runs.csv and the other tables of runs. */
  csv?: CsvColumn;
}

/** A column of a table of runs. */
export interface CsvColumn {
  /** Its place from 1, which stays: programs read tables by places too. */
  at: number;
  name: string;
  type: ColumnType;
  /** Every value that it can have beside none. */
  values?: readonly string[];
}

type ColumnList = Readonly<Record<string, Column>>;

/** The object that is made of a row: its members are the columns. */
type MembersOf<Columns> = { -readonly [Name in keyof Columns]: MemberOf<Columns[Name]> };

type MemberOf<One> = One extends { as: (value: never) => infer Made }
  ? Made
  : One extends { is: (value: Value) => value is infer Stored extends Value }
    ? Stored
    : never;

export const isNumber = (value: Value): value is number => typeof value === "number";
const isText = (value: Value): value is string => typeof value === "string";
export const isMaybeNumber = (value: Value): value is number | null => value === null || typeof value === "number";
export const isMaybeText = (value: Value): value is string | null => value === null || typeof value === "string";
// Words are those of the version that wrote them.
const isMaybeOutcome = (value: Value): value is JobOutcome | null => isMaybeText(value);
const isMaybeAnswer = (value: Value): value is AnswerKind | null => isMaybeText(value);

/** The columns of a case. */
export const caseColumns = {
  key: { sql: "key", is: isText },
  inputHash: { sql: "input_hash", is: isText },
  /** JSON text of the mapped input. */
  input: { sql: "input", is: isText },
  expected: { sql: "expected", is: isMaybeText },
  cluster: { sql: "cluster", is: isText },
  turn: { sql: "turn", is: isNumber },
  tags: { sql: "tags", is: isMaybeText, as: storedTags },
  /** Header to cell, as written. */
  columns: {
    sql: "columns",
    is: isText,
    as: (json: string) => storedJson(json, "columns of a case", isTextByName),
  },
  /** Checks of the row itself; null: none. */
  checks: {
    sql: "checks",
    is: isMaybeText,
    as: (json: string | null) => (json === null ? null : storedJson(json, "checks of a case", isChecks)),
  },
  /** Its row as a spreadsheet shows it (the header is row 1); null where it is of no file. */
  row: { sql: "CASE WHEN file <> '' THEN row END", is: isMaybeNumber },
} as const satisfies ColumnList;

/** Most jobs have one attempt, or none where their answers were stored before: only the others are worth another look-up. */
const ofAttempts = (one: string, several: string): string =>
  `CASE WHEN attempt.number <= 1 THEN ${one} ELSE ${several} END`;

/** Where the service tells how long a run took, that is its time: it waited before, and was asked for now and then. */
const unlessTimed = (own: string, timed: string): string =>
  `CASE WHEN attempt.run_ms IS NULL THEN ${own} ELSE ${timed} END`;

/** The columns of a job, and of the attempt that decided it. */
export const jobColumns = {
  jobId: { sql: "job.id", is: isNumber, in: "page" },
  targetId: { sql: "job.target_id", is: isNumber },
  /** @asType integer */
  repeat: {
    about: "Number of the run of the case, from 1.",
    sql: "job.repeat",
    is: isNumber,
    in: "json",
    csv: { at: 4, name: "repeat", type: "integer" },
  },
  /** null: not finished. */
  outcome: { sql: "job.outcome", is: isMaybeOutcome },
  answer: {
    about: "Kind of the answer.",
    sql: "job.answer",
    is: isMaybeAnswer,
    csv: { at: 6, name: "answer_kind", type: "text", values: Object.keys(soundness) },
  },
  error: {
    about: "The reason why there is no answer.",
    sql: "coalesce(attempt.error, job.error)",
    is: isMaybeText,
    in: "json",
    csv: { at: 13, name: "error", type: "text" },
  },
  status: { sql: "attempt.status", is: isMaybeNumber, in: "page" },
  attempts: {
    about: "Number of requests that were made for it.",
    sql: ofAttempts(
      "attempt.number",
      "coalesce((SELECT max(number) FROM attempt AS every WHERE every.job_id = job.id), 0)",
    ),
    is: isNumber,
    in: "page",
    csv: { at: 12, name: "attempts", type: "integer" },
  },
  possiblyPaid: {
    sql: ofAttempts(
      "attempt.possibly_paid",
      "EXISTS (SELECT 1 FROM attempt AS every WHERE every.job_id = job.id AND every.possibly_paid = 1)",
    ),
    is: isNumber,
    as: (paid: number) => paid === 1,
    in: "page",
  },
  /** Milliseconds since 1970; null where it did not happen. */
  sentAt: { sql: unlessTimed("attempt.sent_at", "attempt.done_at - attempt.run_ms"), is: isMaybeNumber },
  doneAt: { sql: "attempt.done_at", is: isMaybeNumber },
  /** When the first piece of the reply came: of a stream its first event. */
  firstAt: { sql: unlessTimed("attempt.first_byte_at", "NULL"), is: isMaybeNumber },
  /** Tokens that the answer took; null: not told. See `usageOf`. */
  tokensIn: { sql: "attempt.tokens_in", is: isMaybeNumber },
  tokensOut: { sql: "attempt.tokens_out", is: isMaybeNumber },
  tokensCached: { sql: "attempt.tokens_cached", is: isMaybeNumber },
  runId: {
    about: "Id of the run record.",
    sql: "run_record.id",
    is: isMaybeText,
    record: true,
    in: "json",
    csv: { at: 7, name: "run_id", type: "text" },
  },
  url: {
    about: "Page of the run.",
    sql: "run_record.url",
    is: isMaybeText,
    record: true,
    in: "json",
    csv: { at: 8, name: "url", type: "link" },
  },
  createdAt: {
    about: "Time of the run record, as the service wrote it.",
    sql: "run_record.created_at",
    is: isMaybeText,
    record: true,
    in: "json",
    csv: { at: 9, name: "created_at", type: "time" },
  },
  /** The text of the response body; null without a record. */
  body: { sql: storedText, is: isMaybeText, record: true },
} as const satisfies ColumnList;

export type JobColumnName = keyof typeof jobColumns;

/** The members of a job that a report shows as they are stored. */
export type ShownMembers = MembersIn<typeof jobColumns, "page" | "json">;
/** Those of them that are in report.json. */
export type JsonMembers = MembersIn<typeof jobColumns, "json">;

// By `keyof`, a member keeps the place and the comment of its row, which the schema of report.json is made of.
type MembersIn<Columns, Places extends string> = {
  -readonly [Name in keyof Columns as Columns[Name] extends { in: Places } ? Name : never]: MemberOf<Columns[Name]>;
};

export type StoredCase = MembersOf<typeof caseColumns>;

/** The columns as SQL, some of them read in another way; without records those of a record are null. */
export function sqlOf<Columns extends ColumnList>(
  columns: Columns,
  { others = {}, records = true }: { others?: Partial<Record<keyof Columns, string>>; records?: boolean } = {},
): string {
  const all = Object.entries<Column>(columns).map(([name, { sql, record }]) =>
    record === true && !records ? "NULL" : (others[name] ?? sql),
  );
  return all.join(", ");
}

/** Place of a column in a row. */
export function columnPlace<Columns extends ColumnList>(columns: Columns, name: keyof Columns & string): number {
  return 1 + Object.keys(columns).indexOf(name);
}

/** Lets rows pass whose values are of the types that tandem stores. Throws DATABASE_INVALID. */
export function checkOf<Checked extends readonly Value[]>(
  checks: readonly ((value: Value) => boolean)[],
): (rows: Checked[]) => Checked[] {
  const mayBeNull = checks.map((check) => check(null));
  const types = checks.map((check) => (check("") ? "string" : "number"));
  return (rows) => {
    for (const row of rows) {
      // An iterator for each of millions of rows would be felt, and a call for each value.
      for (let place = 0; place < types.length; place++) {
        const value = row[place] ?? null;
        if (value === null ? mayBeNull[place] !== true : typeof value !== types[place])
          throw notOurs("a value", String(value));
      }
    }
    return rows;
  };
}

const checksOf = (columns: ColumnList) => [isNumber, ...Object.values(columns).map(({ is }) => is)];
export const checkedCases = checkOf<CaseRow>(checksOf(caseColumns));
export const checkedJobs = checkOf<StoredRow>(checksOf(jobColumns));

/** Makes the object of a row that was checked. */
function objectOf<Columns extends ColumnList>(columns: Columns): (row: StoredRow) => MembersOf<Columns>;
function objectOf(columns: ColumnList): (row: StoredRow) => Record<string, unknown> {
  const all = Object.entries(columns);
  return (row) => {
    const made: Record<string, unknown> = {};
    let place = 1;
    for (const [name, { as }] of all) {
      const value = row[place++] ?? null;
      made[name] = as === undefined ? value : as(value);
    }
    return made;
  };
}

/**
 * Makes a class whose members read a row that was checked: an object with members of its own would cost seven times as
 * much, for each of millions. A copy by spread has none of them.
 */
function viewOf<Columns extends ColumnList>(
  columns: Columns,
): new (row: StoredRow) => Readonly<MembersOf<Columns>> & { readonly row?: StoredRow };
function viewOf(columns: ColumnList): new (row: StoredRow) => object {
  class View {
    readonly row: StoredRow;
    constructor(row: StoredRow) {
      this.row = row;
    }
  }
  for (const [index, [name, { as }]] of Object.entries(columns).entries()) {
    const place = index + 1;
    const plain = function (this: View): Value {
      return this.row[place] ?? null;
    };
    const made = function (this: View): unknown {
      return as?.(this.row[place] ?? null);
    };
    Object.defineProperty(View.prototype, name, { get: as === undefined ? plain : made });
  }
  return View;
}

export const storedCase = objectOf(caseColumns);
export const StoredJob = viewOf(jobColumns);

type JobValue = Value | boolean;

/** The columns of a job one after the other. */
export const jobColumnList = Object.keys(jobColumns)
  .filter((name): name is JobColumnName => Object.hasOwn(jobColumns, name))
  .map((name, index) => ({ name, column: columnOf(name), of: readerOf(name, index + 1) }));

const shownColumns = jobColumnList.filter(({ column }) => column.in !== undefined);
const jsonColumns = shownColumns.filter(({ column }) => column.in === "json");

/** Reads the members of a job that a report shows. */
export function shownMembers(job: InstanceType<typeof StoredJob>): ShownMembers;
export function shownMembers(job: InstanceType<typeof StoredJob>): Record<string, JobValue> {
  const members: Record<string, JobValue> = {};
  for (const { name, of } of shownColumns) members[name] = of(job);
  return members;
}

/** The members of a run that are in report.json, without the others. */
export function jsonMembers(run: ShownMembers): JsonMembers;
export function jsonMembers(run: Readonly<Record<string, JobValue>>): Record<string, JobValue> {
  return Object.fromEntries(jsonColumns.map(({ name }) => [name, run[name] ?? null]));
}

function columnOf(name: JobColumnName): Column {
  return jobColumns[name];
}

/** Reads a column out of the row, where there is one: a getter that is looked up by its name costs ten times as much. */
function readerOf(name: JobColumnName, place: number): (job: InstanceType<typeof StoredJob>) => JobValue {
  if (columnOf(name).as !== undefined) return (job) => job[name];
  return (job) => (job.row === undefined ? job[name] : (job.row[place] ?? null));
}

/** The tags of a case, as they are stored. */
function storedTags(json: string | null): Record<string, string> {
  return json === null ? {} : storedJson(json, "tags of a case", isTextByName);
}

function isTextByName(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
}

/** The checks that the row of a case brings itself; null: none. */
export function checksOfCase(db: Connection, caseId: number): CaseChecks | null {
  const { sql, as } = caseColumns.checks;
  const checks = selectValue<string | null>(db, `SELECT ${sql} FROM "case" WHERE id = ?`, [caseId]);
  return as(checks ?? null);
}

function isChecks(value: unknown): value is CaseChecks {
  if (!isJsonObject(value)) return false;
  const { scorers, threshold } = value;
  const isThreshold = threshold === null || typeof threshold === "number";
  return Array.isArray(scorers) && scorers.every(isJsonObject) && isThreshold;
}
