import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { canWrite } from "./read-only-folder.ts";
import { Sqlite } from "./sqlite.ts";

/** The names in a database that people type, the latest first. */
export interface KnownNames {
  batches: string[];
  suites: string[];
  pins: string[];
  /** Targets of each of the batches, by the name of the batch. */
  targets: Map<string, string[]>;
}

/** So many batches are offered at the most. */
const mostBatches = 200;

/**
 * The names in a database, for completion. Nothing in it is changed, and it is never waited for. null where there is none,
 * where it is of another version or busy, and where SQLite could not leave its folder as it was.
 */
export function knownNames(path: string): KnownNames | null {
  // To read, SQLite makes files beside the database, and removes them only where it may write both.
  if (!existsSync(path) || !canWrite(path) || !canWrite(dirname(path))) return null;
  try {
    using db = new Sqlite(path, { fileMustExist: true, timeout: 100 });
    db.pragma("query_only = ON");
    return read(db);
  } catch {
    return null;
  }
}

function read(db: Sqlite): KnownNames {
  const rows = db
    .prepare<[number], { id: number; name: string; suite: string }>(
      "SELECT id, name, suite_name AS suite FROM batch ORDER BY id DESC LIMIT ?",
    )
    .all(mostBatches);
  const named = db
    .prepare<[number], { batch: string; name: string }>(
      `SELECT batch.name AS batch, target.name FROM target JOIN batch ON batch.id = batch_id
       WHERE role = 'case' AND batch_id >= ? ORDER BY target.id`,
    )
    .all(rows.at(-1)?.id ?? 0);
  const targets = new Map<string, string[]>();
  for (const { batch, name } of named) targets.set(batch, [...(targets.get(batch) ?? []), name]);
  return {
    batches: rows.map(({ name }) => name),
    suites: [...new Set(rows.map(({ suite }) => suite))],
    pins: db.prepare<[], string>("SELECT name FROM pin ORDER BY id DESC").pluck().all(),
    targets,
  };
}
