import type { Connection } from "../connection.ts";
import { selectValues, sqlite } from "../sqlite.ts";
import { latestScoring } from "./scores.ts";

/** Further back a suite may have asked something else. */
const mostBatches = 5;
const mostScores = 2_000;

/** The share of runs that a scorer passed in the latest graded batch of a suite; null where it said pass or fail in none. */
export function latestPassShare(
  db: Connection,
  suiteName: string,
  { name, type }: { name: string; type: string },
): number | null {
  const sql = sqlite(db);
  const batches = selectValues<number>(db, "SELECT id FROM batch WHERE suite_name = ? ORDER BY id DESC LIMIT ?", [
    suiteName,
    mostBatches,
  ]);
  const share = sql
    .prepare<[number, number, number], number | null>(
      "SELECT avg(pass) FROM (SELECT pass FROM score WHERE scoring_id = ? AND scorer = ? AND pass IS NOT NULL LIMIT ?)",
    )
    .pluck();
  for (const batchId of batches) {
    const scoring = latestScoring(db, batchId);
    const place = scoring?.scorers.findIndex(({ spec }) => spec.name === name && spec.type === type) ?? -1;
    if (scoring === null || place === -1) continue;
    return share.get(scoring.id, place, mostScores) ?? null;
  }
  return null;
}
