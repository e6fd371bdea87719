import type { OutcomeCounts, ShownOutcome } from "../../api/outcomes.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import type { Lack } from "../../score/contract/scorer.ts";
import { storedJson } from "../../lib/stored-json.ts";
import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { slowedSql } from "../outcome-lists.ts";
import { type PaidTwice, possiblyPaidTwice } from "./paid-twice.ts";
import { selectRows, selectValue } from "../sqlite.ts";
import { storedCase } from "./columns.ts";
import { caseSpan, pagesOf, PageParts, type ResultRows, rowReader, type RowOptions } from "./result-rows.ts";
import { type CaseResult, JobResult, type JobScore } from "./case-result.ts";

/** The cases of a batch with their results, in the order of the dataset. Memory stays flat: it is read page by page. */
export function caseResults(db: Connection, batchId: number): Generator<CaseResult> {
  return resultsIn(db, batchId, { scoringId: null, reasons: false });
}

/** The same with the scores of a scoring. */
export function* resultsIn(db: Connection, batchId: number, options: RowOptions): Generator<CaseResult> {
  const reader = rowReader(db, options);
  const parts = new PageParts();
  for (const page of pagesOf(caseSpan(db, batchId))) {
    for (const part of parts.of(page)) {
      const rows = reader.range({ batchId, ...part }, true);
      parts.learn(part, [rows]);
      yield* resultsOf(rows);
    }
  }
}

/** Reads the results of some cases, given by their ids in ascending order; of any batches. */
export function caseResultReader(db: Connection): (ids: readonly number[]) => CaseResult[] {
  const reader = rowReader(db, { scoringId: null, reasons: false });
  return (ids) => resultsOf(reader.ids(ids));
}

/** The rows of cases as what they mean. */
export function resultsOf({ cases, jobs, scores }: ResultRows): CaseResult[] {
  let [job, score] = [0, 0];
  return cases.map((row) => {
    const [caseId] = row;
    const own: JobResult[] = [];
    // All are in the order of the cases; what belongs to others lies between and is passed over.
    for (let next = jobs[job]; next !== undefined && next[0] <= caseId; next = jobs[++job]) {
      if (next[0] === caseId) own.push(new JobResult(next));
    }
    for (let next = scores[score]; next !== undefined && next[0] <= caseId; next = scores[++score]) {
      const [ofCase, jobId, scorer, value, pass, reason, lack] = next;
      const graded = ofCase === caseId ? own.find((each) => each.jobId === jobId) : undefined;
      if (graded !== undefined) graded.scores[scorer] = storedScore({ value, pass, reason, lack });
    }
    return Object.assign(storedCase(row), { caseId, jobs: own });
  });
}

/** A score as it is stored. */
export function storedScore({ value, pass, reason, lack }: StoredScore): JobScore {
  const score: JobScore = { value, pass: pass === null ? null : pass === 1, reason };
  if (lack !== null) score.lack = lack;
  return score;
}

interface StoredScore {
  value: number | null;
  pass: number | null;
  reason: string | null;
  lack: Lack | null;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Outcomes of the jobs of one target. */
export interface StoredTargetTally {
  targetId: number;
  target: string;
  endpoint: EndpointName;
  /** Planned jobs of kind `case`. */
  jobs: number;
  /** Outcome, and for `ok` the kind of answer, to number of jobs; `unfinished` for those that are not. */
  outcomes: OutcomeCounts;
  attempts: number;
  throttled: number;
  /** Attempts beyond the first that were made although an earlier one may have been charged. */
  possiblyPaidTwice: number;
  /** The same by what became of the earlier ones. */
  possiblyPaid: PaidTwice;
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
}

/** Counts the jobs and attempts of each target of a batch. */
export function targetTallies(db: Connection, batchId: number): StoredTargetTally[] {
  const targets = selectRows<{ targetId: number; target: string; endpoint: EndpointName; stopped: string | null }>(
    db,
    "SELECT id AS targetId, name AS target, endpoint, stopped FROM target WHERE batch_id = ? AND role = 'case' ORDER BY id",
    [batchId],
  );
  const outcomes = selectRows<{ targetId: number; outcome: ShownOutcome; count: number }>(
    db,
    `SELECT target_id AS targetId, CASE WHEN outcome = 'ok' THEN coalesce(answer, 'ok') ELSE coalesce(outcome, 'unfinished') END AS outcome,
     count(*) AS count FROM job WHERE ${ofPlan()} AND kind = 'case' GROUP BY 1, 2 ORDER BY 1, 3 DESC`,
    { batch: batchId },
  );
  const attempts = selectRows<{ targetId: number; attempts: number; throttled: number }>(
    db,
    `SELECT job.target_id AS targetId, count(*) AS attempts, sum(attempt.outcome IN (${slowedSql})) AS throttled
     FROM job CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.number > 0 WHERE ${ofPlan()} GROUP BY 1`,
    { batch: batchId },
  );
  const twice = possiblyPaidTwice(db, batchId);
  return targets.map((target) => {
    const own = outcomes.filter(({ targetId }) => targetId === target.targetId);
    const possiblyPaid = twice.get(target.targetId) ?? { gateway: 0, other: 0 };
    const made = attempts.find(({ targetId }) => targetId === target.targetId);
    return {
      ...target,
      jobs: own.reduce((sum, { count }) => sum + count, 0),
      outcomes: Object.fromEntries(own.map(({ outcome, count }) => [outcome, count])),
      attempts: made?.attempts ?? 0,
      throttled: made?.throttled ?? 0,
      possiblyPaidTwice: possiblyPaid.gateway + possiblyPaid.other,
      possiblyPaid,
    };
  });
}

/** Names of the columns of a batch's dataset, in the order in which they were met. */
export function batchColumns(db: Connection, batchId: number): string[] {
  const row = selectValue<string | null>(db, "SELECT columns FROM batch WHERE id = ?", [batchId]);
  return typeof row === "string" ? storedJson(row, "columns of a dataset", isTexts) : [];
}
