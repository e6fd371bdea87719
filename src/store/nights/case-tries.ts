import type { JobOutcome } from "../../api/outcomes.ts";
import type { AnswerKind } from "../../api/answer-kind.ts";
import { oneCaseReader } from "../compared/one-case.ts";
import type { Connection } from "../connection.ts";
import { caseSpan } from "../results/result-rows.ts";
import { selectValue, selectValues, sqlite } from "../sqlite.ts";

/** A try of a case, with its grade by one scorer. */
export interface CaseTry {
  key: string;
  outcome: JobOutcome | null;
  answer: AnswerKind | null;
  value: number | null;
  pass: boolean | null;
}

/** The tries of the cases of a target in one batch. */
export interface NightAsked {
  batchId: number;
  target: string;
  scoringId: number | null;
  /** Place of the scorer among those of the scoring. */
  scorer: number;
  /** Later tries do not count; null: all do. */
  tries: number | null;
}

/** Cases that are read at once: others wait for no longer than that. */
const pageCases = 4000;

const select = `SELECT "case".id AS caseId, "case".key, job.outcome, job.answer, score.value, score.pass
  FROM "case"
  CROSS JOIN job ON job.case_id = "case".id AND job.kind = 'case' AND job.target_id = @target AND job.repeat <= @tries
  LEFT JOIN score ON score.scoring_id = @scoring AND score.case_id = "case".id AND score.job_id = job.id AND score.scorer = @scorer
  WHERE "case".batch_id = @batch AND`;

interface TryRow extends Omit<CaseTry, "pass"> {
  caseId: number;
  pass: 0 | 1 | null;
}

/** The tries of one case, or of all in pages in their order: without a plan of the comparison, which costs many times as much. */
export function caseTries(
  db: Connection,
  asked: NightAsked,
): { of: (key: string) => CaseTry[]; pages: () => Generator<CaseTry[]> } {
  const sql = sqlite(db);
  const target = selectValue<number>(db, "SELECT id FROM target WHERE batch_id = ? AND name = ? AND role = 'case'", [
    asked.batchId,
    asked.target,
  ]);
  const given = {
    batch: asked.batchId,
    target: target ?? -1,
    scoring: asked.scoringId ?? -1,
    scorer: asked.scorer,
    tries: asked.tries ?? Number.MAX_SAFE_INTEGER,
  };
  const one = sql.prepare<object, TryRow>(`${select} "case".key = @key ORDER BY job.repeat`);
  const some = sql.prepare<object, TryRow>(
    `${select} "case".id > @after AND "case".id <= @last ORDER BY "case".id, job.repeat`,
  );
  const edited = editedTries(db, asked, target ?? -1);
  return {
    of: (key) => edited(key) ?? one.all({ ...given, key }).map(tryOf),
    *pages() {
      const { from: first, to: end } = caseSpan(db, asked.batchId);
      for (let after = first - 1; after < end; after += pageCases) {
        const rows = some.all({ ...given, after, last: Math.min(end, after + pageCases) });
        yield rows.flatMap((row, place) => {
          const own = edited(row.key);
          if (own === null) return [tryOf(row)];
          return rows[place - 1]?.key === row.key ? [] : own;
        });
      }
    },
  };
}

const tryOf = ({ key, outcome, answer, value, pass }: TryRow): CaseTry => ({
  key,
  outcome,
  answer,
  value,
  pass: pass === null ? null : pass === 1,
});

/** Cases of which somebody edited a score are few, and read with all that an edit may change. */
function editedTries(
  db: Connection,
  { batchId, scoringId, scorer, tries }: NightAsked,
  target: number,
): (key: string) => CaseTry[] | null {
  const keys = selectValues<string>(
    db,
    `SELECT DISTINCT "case".key FROM label CROSS JOIN job ON job.id = label.job_id CROSS JOIN "case" ON "case".id = job.case_id
     WHERE label.edits = 1 AND job.batch_id = @batch
       AND label.job_id BETWEEN (SELECT first_job FROM batch WHERE id = @batch) AND (SELECT last_job FROM batch WHERE id = @batch)`,
    { batch: batchId },
  );
  if (keys.length === 0) return () => null;
  const read = oneCaseReader(db, [{ batchId, scoringId }]);
  const known = new Set(keys);
  return (key) => {
    if (!known.has(key)) return null;
    const own =
      read(key)?.jobs.filter(({ targetId, repeat }) => targetId === target && repeat <= (tries ?? repeat)) ?? [];
    return own.map(({ outcome, answer, scores }) => {
      const { value = null, pass = null } = scores[scorer] ?? {};
      return { key, outcome, answer, value, pass };
    });
  };
}
