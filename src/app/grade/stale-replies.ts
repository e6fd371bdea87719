import type { Connection } from "../../store/connection.ts";
import { hasReplies, judgeChanges } from "../../store/scores/judge-nights.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import type { StoredScorer } from "../../store/scores/stored-scorer.ts";

/** Place of a scorer to the last job whose reply may be of its judge before that changed; a judge that is as it was is left out. */
export type StaleReplies = ReadonlyMap<number, number>;

export function staleReplies(db: Connection, suiteName: string, scorers: readonly StoredScorer[]): StaleReplies {
  const changes = judgeChanges(db, suiteName);
  return new Map(
    scorers.flatMap(({ metric }, place) => {
      const last = changes.findLast(({ scorer }) => scorer === metric.name);
      return last === undefined ? [] : [[place, last.newFrom] as const];
    }),
  );
}

/** True for a scoring that goes by such a reply. */
export function isStale(db: Connection, scoring: Scoring, stale: StaleReplies): boolean {
  return Array.from(stale).some(([scorer, upTo]) =>
    hasReplies(db, { scoringId: scoring.id, scorer }, { after: -1, upTo }),
  );
}
