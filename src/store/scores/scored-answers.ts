import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import { storedScore } from "../results/results.ts";
import { scorePages } from "./scores.ts";
import type { JobScore } from "../results/case-result.ts";

/** The scores of one answer. */
interface ScoredAnswer {
  jobId: number;
  targetId: number;
  /** Scores by the place of the scorer, without reasons; undefined for one that was not graded. */
  scores: (JobScore | undefined)[];
}

/** The scores of a scoring by answer, in the order of the cases, without reading any record; memory stays flat. */
export function* scoredAnswers(db: Connection, scoringId: number): Generator<ScoredAnswer> {
  const jobs = sqlite(db)
    .prepare<[number, number], [id: number, targetId: number]>(
      "SELECT id, target_id FROM job WHERE case_id BETWEEN ? AND ? AND kind = 'case'",
    )
    .raw();
  /** The answer whose scores are being gathered; nothing before the first. */
  let open: ScoredAnswer[] = [];
  for (const rows of scorePages(db, scoringId, false)) {
    const [first, last] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0];
    const targetOf = new Map(jobs.all(first, last));
    for (const [, jobId, scorer, value, pass, reason, lack] of rows) {
      let [answer] = open;
      if (answer?.jobId !== jobId) {
        yield* open;
        answer = { jobId, targetId: targetOf.get(jobId) ?? 0, scores: [] };
        open = [answer];
      }
      answer.scores[scorer] = storedScore({ value, pass, reason, lack });
    }
  }
  yield* open;
}
