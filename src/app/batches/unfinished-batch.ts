import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, listBatches } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import { suiteReports } from "../report/suite-reports.ts";

/** Jobs are left, or the grading was broken off. */
function isUnfinished(db: Connection, { id, state, suite }: Batch): boolean {
  if (state === "finished") return suite.scorers.length > 0 && latestScoring(db, id)?.complete !== true;
  return state !== "reading";
}

/** The latest of these batches that is not finished; else the last one, when its process died while it wrote the reports. */
export function unfinishedOf(db: Connection, batches: readonly Batch[], out: string): Batch | undefined {
  return (
    batches.findLast((each) => isUnfinished(db, each)) ?? batches.slice(-1).find((each) => lacksReports(each, out))
  );
}

/** The folder of the reports is there, and not all that the suite asks for is in it. */
function lacksReports({ name, suite }: Batch, out: string): boolean {
  const folder = join(out, name);
  return existsSync(folder) && suiteReports(suite, { folder, out, isOwn: true }).some(({ path }) => !existsSync(path));
}

/** The batch that a resume without a name means. Throws BATCH_NOT_FOUND when every batch is finished. */
export function latestUnfinished(out: string): Batch {
  using db = openDatabase(databasePath(out), { reading: true });
  const batches = listBatches(db);
  const batch = unfinishedOf(db, batches, out);
  if (batch !== undefined) return batch;
  // The last that was begun is the one that is meant.
  for (const latest of batches.slice(-1)) checkRead(db, latest);
  throw new AppError("BATCH_NOT_FOUND", `Every batch in ${databasePath(out)} is finished.`, {
    hint: "Name a batch to look for jobs held back, or start a new one with `tandem run`.",
  });
}
