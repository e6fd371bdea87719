import { isPassRule, type PassRule } from "../../score/contract/case-pass.ts";
import type { Lack } from "../../score/contract/scorer.ts";
import { storedJson } from "../../lib/stored-json.ts";
import { lastPlanned, ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { isScorers, type StoredScorer } from "./stored-scorer.ts";
import { execute, inTransaction, selectRow, selectRows, selectValue, sqlite } from "../sqlite.ts";
import { LongWrite } from "../long-write.ts";
import type { RowOptions, ScoreRow } from "../results/result-rows.ts";
import { resultsIn, storedScore } from "../results/results.ts";
import type { JobScore, CaseResult } from "../results/case-result.ts";

/** Grading a batch once. */
export interface Scoring {
  id: number;
  batchId: number;
  /** Hash over the scorers, the things they ask and load, and the rule by which a case passes. */
  suiteHash: string;
  /** A score names its place in this list. */
  scorers: StoredScorer[];
  /** When an answer as a whole passes. */
  rule: PassRule;
  version: string;
  /** Finished jobs of the batch when it began. */
  answers: number;
  /** Questions to judges with a greater job id are its own, or those of the scoring that it continues. */
  askedFrom: number;
  /** True when nothing was left to be answered or asked then. */
  complete: boolean;
  createdAt: number;
  /** null: it was broken off, and does not count. */
  finishedAt: number | null;
}

/** A score and what it is of. */
interface NewScore extends JobScore {
  caseId: number;
  jobId: number;
  /** Its place in the scoring's list. */
  scorer: number;
}

const scoringColumns = `id, batch_id AS batchId, suite_hash AS suiteHash, scorers, rule, version, answers, asked_from AS askedFrom, complete,
  created_at AS createdAt, finished_at AS finishedAt`;

type ScoringRow = Omit<Scoring, "scorers" | "rule" | "complete"> & {
  scorers: string;
  rule: string;
  complete: number;
};

function scoringOf(row: ScoringRow): Scoring {
  const scorers = storedJson(row.scorers, "scorers", isScorers);
  const rule = storedJson(row.rule, "a rule for what passes", isPassRule);
  return { ...row, scorers, rule, complete: row.complete === 1 };
}

/** Every scoring of a batch, the latest last; also those that were broken off. */
export function listScorings(db: Connection, batchId: number): Scoring[] {
  return selectRows<ScoringRow>(db, `SELECT ${scoringColumns} FROM scoring WHERE batch_id = ? ORDER BY id`, [
    batchId,
  ]).map(scoringOf);
}

/** The scoring of a batch that counts: the latest that is finished; null when there is none. */
export function latestScoring(db: Connection, batchId: number): Scoring | null {
  const row = selectRow<ScoringRow>(
    db,
    `SELECT ${scoringColumns} FROM scoring WHERE batch_id = ? AND finished_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
    [batchId],
  );
  return row === undefined ? null : scoringOf(row);
}

/**
 * Enters a scoring that begins now; one that was broken off before it is forgotten. With the same scorers it continues
 * the one before it, when that was broken off or had not everything to grade: questions that it asked are not asked
 * again. Only for the holder of the batch's lock.
 */
export function beginScoring(
  db: Connection,
  given: Pick<Scoring, "batchId" | "suiteHash" | "scorers" | "rule" | "version" | "answers">,
): Scoring {
  return inTransaction(db, () => {
    const askedFrom = firstQuestion(db, given.batchId, given.suiteHash);
    execute(db, "DELETE FROM scoring WHERE batch_id = ? AND finished_at IS NULL", [given.batchId]);
    const createdAt = Date.now();
    const { lastInsertRowid } = execute(
      db,
      `INSERT INTO scoring (batch_id, suite_hash, scorers, rule, version, answers, asked_from, created_at)
       VALUES (@batchId, @suiteHash, @scorers, @rule, @version, @answers, @askedFrom, @createdAt)`,
      {
        ...given,
        scorers: JSON.stringify(given.scorers),
        rule: JSON.stringify(given.rule),
        askedFrom,
        createdAt,
      },
    );
    return { ...given, id: Number(lastInsertRowid), askedFrom, complete: false, createdAt, finishedAt: null };
  });
}

function firstQuestion(db: Connection, batchId: number, suiteHash: string): number {
  const before = listScorings(db, batchId).at(-1);
  if (before !== undefined)
    return !before.complete && before.suiteHash === suiteHash ? before.askedFrom : lastPlanned(db);
  // Judges that were asked before there were answers were asked for the first scoring.
  const first = selectValue<number | null>(db, "SELECT min(id) FROM job WHERE batch_id = ? AND kind = 'judge'", [
    batchId,
  ]);
  return first === null || first === undefined ? lastPlanned(db) : first - 1;
}

/** Notes what was found of its scorers while they graded. */
export function noteScorers(db: Connection, { id }: Pick<Scoring, "id">, scorers: readonly StoredScorer[]): void {
  execute(db, "UPDATE scoring SET scorers = ? WHERE id = ?", [JSON.stringify(scorers), id]);
}

/**
 * Makes this scoring the one that counts. Earlier ones of the batch in which something was left to be answered are
 * deleted.
 */
export function finishScoring(db: Connection, { id, batchId }: Scoring, complete: boolean): void {
  inTransaction(db, () => {
    execute(db, "DELETE FROM scoring WHERE batch_id = ? AND id < ? AND complete = 0", [batchId, id]);
    execute(db, "UPDATE scoring SET finished_at = ?, complete = ? WHERE id = ?", [Date.now(), complete ? 1 : 0, id]);
  });
}

/** Writes many scores; best in the order of the cases. Nothing else may write meanwhile. */
export interface ScoreWriter {
  add: (row: NewScore) => void;
  /** Writes something else of the scoring, to be committed with its scores. */
  also: (write: () => void) => void;
  /** Commits what was added. */
  end: () => void;
  /** Takes back what was added since the last commit. */
  undo: () => void;
}

export function scoreWriter(db: Connection, scoringId: number): ScoreWriter {
  const insert = sqlite(db).prepare(
    "INSERT OR REPLACE INTO score (scoring_id, case_id, job_id, scorer, value, pass, reason, lack) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const writing = new LongWrite(db);
  return {
    add({ caseId, jobId, scorer, value, pass, reason, lack }) {
      writing.begin();
      const passes = pass === null ? null : pass ? 1 : 0;
      insert.run(scoringId, caseId, jobId, scorer, value, passes, reason, lack ?? null);
      writing.wrote(1);
    },
    also(write) {
      writing.begin();
      write();
      writing.wrote(1);
    },
    end: () => writing.end(),
    undo: () => writing.undo(),
  };
}

const pageSize = 4_096;

/**
 * The cases of a batch with their results and the scores of a scoring (null: none), in the order of the dataset. Without
 * `reasons` these are null, which is faster.
 */
export function scoredResults(
  db: Connection,
  batchId: number,
  scoringId: number | null,
  given: Omit<RowOptions, "scoringId">,
): Generator<CaseResult> {
  return resultsIn(db, batchId, { scoringId, ...given });
}

/** The scores of a scoring in the order of the cases, page by page; without `reasons` these are null. */
export function* scorePages(db: Connection, scoringId: number, reasons: boolean): Generator<ScoreRow[], undefined> {
  const page = sqlite(db)
    .prepare<[number, number, number, number], ScoreRow>(
      `SELECT case_id, job_id, scorer, value, pass, ${reasons ? "reason" : "NULL"}, lack FROM score
       WHERE scoring_id = ? AND (case_id, job_id, scorer) > (?, ?, ?) ORDER BY case_id, job_id, scorer LIMIT ${pageSize}`,
    )
    .raw();
  let after: [number, number, number] = [-1, -1, -1];
  for (;;) {
    const rows = page.all(scoringId, ...after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < pageSize) return;
    after = [last[0], last[1], last[2]];
  }
}

/** Finished jobs of a batch's cases, without those that were spared. */
export function finishedAnswers(db: Connection, batchId: number): number {
  return (
    selectValue<number>(db, `SELECT count(*) FROM job WHERE ${ofPlan()} AND outcome <> 'spared' AND kind = 'case'`, {
      batch: batchId,
    }) ?? 0
  );
}

/** True for a batch some of whose cases bring checks of their own. */
export function hasChecks(db: Connection, batchId: number): boolean {
  const found = selectValue<number>(db, 'SELECT 1 FROM "case" WHERE batch_id = ? AND checks IS NOT NULL LIMIT 1', [
    batchId,
  ]);
  return found !== undefined;
}

interface ScoreOfScorer {
  scorer: number;
  value: number | null;
  pass: number | null;
  reason: string;
  lack: Lack | null;
}

/** The scores of one answer, by the place of the scorer. */
export function jobScores(
  db: Connection,
  scoringId: number,
  { caseId, jobId }: { caseId: number; jobId: number },
): (JobScore | undefined)[] {
  const rows = selectRows<ScoreOfScorer>(
    db,
    "SELECT scorer, value, pass, reason, lack FROM score WHERE scoring_id = ? AND case_id = ? AND job_id = ?",
    [scoringId, caseId, jobId],
  );
  const scores: (JobScore | undefined)[] = [];
  for (const { scorer, ...score } of rows) scores[scorer] = storedScore(score);
  return scores;
}
