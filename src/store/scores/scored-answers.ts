import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import { storedScore } from "../results/results.ts";
import { scorePages } from "./scores.ts";
import type { JobScore } from "../results/case-result.ts";

/** The scores of one answer, with what they are counted by. */
interface ScoredAnswer {
  caseId: number;
  jobId: number;
  targetId: number;
  /** JSON object; null: none. */
  tags: string | null;
  /** JSON text of the mapped input. */
  input: string;
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
  const cases = sqlite(db)
    .prepare<[number, number], [id: number, tags: string | null, input: string]>(
      'SELECT id, tags, input FROM "case" WHERE id BETWEEN ? AND ?',
    )
    .raw();
  /** The answer whose scores are being gathered; nothing before the first. */
  let open: ScoredAnswer[] = [];
  for (const rows of scorePages(db, scoringId, false)) {
    const [first, last] = [rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0];
    const targetOf = new Map(jobs.all(first, last));
    const caseOf = new Map(cases.all(first, last).map(([id, ...row]) => [id, row]));
    for (const [caseId, jobId, scorer, value, pass, reason, applies] of rows) {
      let [answer] = open;
      if (answer?.jobId !== jobId) {
        yield* open;
        const [tags = null, input = "{}"] = caseOf.get(caseId) ?? [];
        answer = { caseId, jobId, targetId: targetOf.get(jobId) ?? 0, tags, input, scores: [] };
        open = [answer];
      }
      answer.scores[scorer] = storedScore({ value, pass, reason, applies });
    }
  }
  yield* open;
}
