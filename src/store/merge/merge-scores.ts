import type { Connection } from "../connection.ts";
import { execute } from "../sqlite.ts";
import type { BatchPart } from "./batch-part.ts";
import { beginScoring, finishedAnswers, latestScoring, type Scoring } from "../scores/scores.ts";
import { withLaxityOf, withoutLaxity } from "../scores/stored-scorer.ts";
import { MovedRows } from "./moved-rows.ts";

/**
 * Puts the scores of all parts together into one scoring, when each part is wholly graded with the same scorers. Scores
 * by judges, modules and commands stay as they are. Without such scores the merged batch has none.
 */
export function copyScores(db: Connection, batchId: number, parts: readonly BatchPart[], askedFrom: number): void {
  const scorings = parts.flatMap(({ db: from, batch }) => latestScoring(from, batch.id) ?? []);
  const [first] = scorings;
  if (first === undefined || scorings.length < parts.length || !scorings.every((each) => isSame(each, first))) return;
  const { suiteHash, rule, version } = first;
  const scorers = withLaxityOf(scorings.map((each) => each.scorers));
  const merged = beginScoring(db, {
    batchId,
    suiteHash,
    scorers,
    rule,
    version,
    answers: finishedAnswers(db, batchId),
  });
  for (const [index, part] of parts.entries()) {
    const rows = new MovedRows(db, index, part);
    const old = scorings[index]?.id ?? 0;
    rows.note("scoring", old, merged.id);
    // A reply that was known from another batch is not among what this part brings.
    for (const table of ["score", "graded_by", "asked"]) rows.copy(table, `scoring_id = ${old}`);
  }
  const [began, ended] = [
    scorings.map(({ createdAt }) => createdAt),
    scorings.map(({ finishedAt }) => finishedAt ?? 0),
  ];
  execute(db, "UPDATE scoring SET created_at = ?, finished_at = ?, asked_from = ?, complete = 1 WHERE id = ?", [
    Math.min(...began),
    Math.max(...ended),
    askedFrom,
    merged.id,
  ]);
}

const isSame = (one: Scoring, other: Scoring): boolean =>
  one.complete &&
  one.suiteHash === other.suiteHash &&
  JSON.stringify(withoutLaxity(one.scorers)) === JSON.stringify(withoutLaxity(other.scorers));
