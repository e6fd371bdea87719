import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** The parts of cases that are read. */
export interface CaseSelection {
  /** null: no scores. */
  scoringId: number | null;
  /** Expected texts are those of the plan, and not those by which the scoring graded. */
  asPlanned?: boolean;
  /** The columns of the dataset that are read; default: all. To read a few takes a quarter of the time. */
  columns?: readonly string[] | "all";
}

const caseSelect = (expected: string, columns: string): string =>
  `SELECT id, key, input_hash, input, ${expected}, cluster, turn, tags, ${columns}, checks,
     CASE WHEN file <> '' THEN row END FROM "case"`;

/** The object of some columns alone. A text that is no JSON is read as it is, and refused. */
function someColumns(names: readonly string[]): string {
  const listed = names.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
  const some = `SELECT json_group_object(key, value) FROM json_each(columns) WHERE key IN (${listed})`;
  return `CASE WHEN json_valid(columns) THEN (${some}) ELSE columns END`;
}

/** The statement that reads cases, as far as `FROM`. Where a scoring graded by other expected texts than those of the plan, these are what was expected. */
export function caseSelectOf(db: Connection, { scoringId, asPlanned = false, columns = "all" }: CaseSelection): string {
  const cells = columns === "all" ? "columns" : someColumns(columns);
  const isOther =
    scoringId !== null &&
    !asPlanned &&
    sqlite(db).prepare<[number]>("SELECT 1 FROM graded_by WHERE scoring_id = ? LIMIT 1").get(scoringId) !== undefined;
  if (!isOther) return caseSelect("expected", cells);
  const own = `graded_by WHERE scoring_id = ${scoringId} AND case_id = "case".id`;
  return caseSelect(
    `CASE WHEN EXISTS (SELECT 1 FROM ${own}) THEN (SELECT graded_by.expected FROM ${own}) ELSE expected END`,
    cells,
  );
}
