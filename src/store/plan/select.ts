import { notDueSql } from "../outcome-lists.ts";
import { unsoundKinds } from "../../api/answer-kind.ts";
import type { Case } from "../../dataset/case.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectValue, selectValues, sqlite } from "../sqlite.ts";

/** Narrows the clusters that are wanted at all; `null` leaves them as they are. */
interface Narrowing {
  /** Number of clusters, by rank. */
  sample: number | null;
  /** Number of clusters, by their first wanted row. */
  limit: number | null;
  /** Called for each cluster that is left then. */
  keepCluster: ((cluster: string) => boolean) | null;
}

/**
 * Part of a wanted cluster that is needed: all of it, the turns up to the last wanted one, or only the wanted cases.
 */
type Extent = "cluster" | "earlier-turns" | "case";

/** The cases of a table that are kept. */
export interface Choice extends Narrowing {
  /** True when `noteWanted` was used; without it every case is wanted. */
  filtered: boolean;
  extent: Extent;
}

/** A table of cases with the columns key, cluster, turn and rank. */
export interface CaseTable {
  name: string;
  /** Column with the case's number, in the order of the dataset. */
  order: string;
  /** A condition for the rows that are meant. */
  where: string;
}

/** The stored cases of a batch. */
export const casesOf = (batchId: number): CaseTable => ({
  name: '"case"',
  order: "id",
  where: `batch_id = ${batchId}`,
});

/** Hands cases on as they come and notes the keys of those that are wanted, in a table of this connection. */
export async function* noteWanted(
  db: Connection,
  pages: AsyncIterable<Case[]>,
  isWanted: (one: Case) => boolean,
): AsyncGenerator<Case[], void, undefined> {
  const sql = sqlite(db);
  sql.exec(`DROP TABLE IF EXISTS temp.wanted; CREATE TEMP TABLE wanted (key TEXT PRIMARY KEY) WITHOUT ROWID`);
  const insert = sql.prepare("INSERT OR IGNORE INTO temp.wanted (key) VALUES (?)");
  const note = sql.transaction((keys: string[]) => {
    for (const key of keys) insert.run(key);
  });
  for await (const page of pages) {
    const keys = page.filter(isWanted).map(({ key }) => key);
    if (keys.length > 0) note(keys);
    yield page;
  }
}

/** Cases that a choice leaves. */
export interface KeptCases {
  cases: number;
  /** Those that it leaves before `keepCluster` is asked; null where that is not. */
  whole: number | null;
}

/** Forgets every case that is not chosen, before jobs are planned. Returns how many are left. */
export function keepChosen(db: Connection, table: CaseTable, choice: Choice): KeptCases {
  const sql = sqlite(db);
  const { name, where } = table;
  const count = sql.prepare<[], number>(`SELECT count(*) FROM ${name} WHERE ${where}`).pluck();
  const { filtered, extent, sample, limit, keepCluster } = choice;
  if (!filtered && sample === null && limit === null && keepCluster === null) {
    return { cases: count.get() ?? 0, whole: null };
  }
  return inTransaction(db, () => {
    chooseClusters(db, table, choice);
    const isNeeded = {
      cluster: "cluster IN (SELECT cluster FROM temp.chosen)",
      "earlier-turns":
        "EXISTS (SELECT 1 FROM temp.chosen WHERE chosen.cluster = one.cluster AND one.turn <= chosen.last)",
      case: "cluster IN (SELECT cluster FROM temp.chosen) AND key IN (SELECT key FROM temp.wanted)",
    }[filtered ? extent : "cluster"];
    const whole =
      keepCluster === null
        ? null
        : (selectValue<number>(db, `SELECT count(*) FROM ${name} AS one WHERE ${where} AND (${isNeeded})`) ?? 0);
    if (keepCluster !== null) dropClusters(db, keepCluster);
    execute(db, `DELETE FROM ${name} AS one WHERE ${where} AND NOT (${isNeeded})`);
    sql.exec("DROP TABLE temp.chosen; DROP TABLE IF EXISTS temp.wanted");
    return { cases: count.get() ?? 0, whole };
  });
}

/** Makes the table of the clusters that are chosen, but for `keepCluster`. */
function chooseClusters(db: Connection, { name, order, where }: CaseTable, choice: Choice): void {
  const sql = sqlite(db);
  const { filtered, sample, limit } = choice;
  sql.exec(`DROP TABLE IF EXISTS temp.chosen;
    CREATE TEMP TABLE chosen (cluster TEXT PRIMARY KEY, rank INTEGER, first INTEGER, last INTEGER) WITHOUT ROWID`);
  const wanted = filtered ? "AND key IN (SELECT key FROM temp.wanted)" : "";
  execute(
    db,
    `INSERT INTO temp.chosen (cluster, rank, first, last)
     SELECT cluster, min(rank), min(${order}), max(turn) FROM ${name} WHERE ${where} ${wanted} GROUP BY cluster`,
  );
  const keepFirst = (by: string, most: number): void => {
    execute(
      db,
      `DELETE FROM temp.chosen WHERE cluster NOT IN (SELECT cluster FROM temp.chosen ORDER BY ${by} LIMIT ?)`,
      [most],
    );
  };
  if (sample !== null) keepFirst("rank, cluster", sample);
  if (limit !== null) keepFirst("first", limit);
}

function dropClusters(db: Connection, keepCluster: (cluster: string) => boolean): void {
  const sql = sqlite(db);
  const clusters = sql.prepare<[], string>("SELECT cluster FROM temp.chosen").pluck();
  const drop = sql.prepare("DELETE FROM temp.chosen WHERE cluster = ?");
  for (const cluster of clusters.all()) if (!keepCluster(cluster)) drop.run(cluster);
}

/** Tells whether a case of this key got no sound answer in a batch: a job failed, was never finished, or answered nothing. */
export function failedIn(db: Connection, batchId: number): (key: string) => boolean {
  const failed = sqlite(db)
    .prepare<[number, string, string], number>(
      `SELECT 1 FROM "case" JOIN job ON job.case_id = "case".id JOIN target ON target.id = job.target_id
       WHERE "case".batch_id = ? AND "case".key = ? AND job.kind = 'case' AND target.deployment <> ''
         AND (job.outcome IS NULL OR job.outcome NOT IN ('ok', ${notDueSql}) OR job.answer IN (SELECT value FROM json_each(?))) LIMIT 1`,
    )
    .pluck();
  const unsound = JSON.stringify(unsoundKinds);
  return (key) => failed.get(batchId, key, unsound) !== undefined;
}

/** Tells whether a case was not in a batch, or asked something else there. */
export function changedSince(db: Connection, batchId: number): (one: Case) => boolean {
  const same = sqlite(db)
    .prepare<[number, string, string, string, number], number>(
      `SELECT 1 FROM "case" WHERE batch_id = ? AND key = ? AND input_hash = ? AND cluster = ? AND turn = ?`,
    )
    .pluck();
  return ({ key, inputHash, cluster, turn }) => same.get(batchId, key, inputHash, cluster, turn) === undefined;
}

/** The keys that no case of the table has. */
export function missingKeys(db: Connection, { name, where }: CaseTable, keys: readonly string[]): string[] {
  const found = sqlite(db).prepare<[string], number>(`SELECT 1 FROM ${name} WHERE ${where} AND key = ?`).pluck();
  return keys.filter((key) => found.get(key) === undefined);
}

/** Keys of the first cases of a table, to look for what was meant. */
export function someKeys(db: Connection, { name, where, order }: CaseTable): string[] {
  return selectValues<string>(db, `SELECT key FROM ${name} WHERE ${where} ORDER BY ${order} LIMIT 5000`);
}
