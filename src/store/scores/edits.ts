import type { JobOutcome } from "../../api/outcomes.ts";
import type { CaseChecks } from "../../dataset/case.ts";
import { storedComposites } from "../../score/checks/composite.ts";
import type { CombinedAnswer, Score } from "../../score/contract/scorer.ts";
import { inPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { selectRow, selectRows, selectValue } from "../sqlite.ts";
import type { LabelEntry } from "./labels.ts";
import { storedJson } from "../../lib/stored-json.ts";
import { isScorers, type StoredScorer } from "./stored-scorer.ts";
import { type JobScore, jobScoreOf, type ScoreEdit, scoreOf } from "../results/case-result.ts";

/** Puts the edits of an answer in the place of its scores; those that are made of edited ones are made again. */
export type ApplyEdits = (job: Edited, checks: CaseChecks | null) => void;

interface Edited {
  jobId: number;
  outcome: JobOutcome | null;
  scores: (JobScore | undefined)[];
}

interface EditRow extends Omit<LabelEntry, "edits"> {
  id: number;
  target: string;
}

const editSelect = `SELECT label.id, job_id AS jobId, scorer, label, value, note, author, at, target.name AS target
  FROM label CROSS JOIN job ON job.id = label.job_id CROSS JOIN target ON target.id = job.target_id
  WHERE label.edits = 1 AND ${inPlan("label.job_id")} AND job.batch_id = @batch ORDER BY at, label.id`;

/** Edits of the scores of a scoring; the latest edit of a score counts, whoever made it. Null: none. */
export function scoreEdits(
  db: Connection,
  { batchId, scoringId }: { batchId: number; scoringId: number | null },
): ApplyEdits | null {
  const rows = scoringId === null ? [] : selectRows<EditRow>(db, editSelect, { batch: batchId });
  if (rows.length === 0) return null;
  const scorers = scorersOf(db, scoringId ?? 0);
  const byJob = new Map<number, Map<string, EditRow>>();
  for (const row of rows) {
    const own = byJob.get(row.jobId) ?? new Map<string, EditRow>();
    byJob.set(row.jobId, own);
    own.set(row.scorer, row);
  }
  const follow = followers(scorers);
  return (job, checks) => {
    const own = byJob.get(job.jobId);
    if (own === undefined) return;
    for (const [place, scorer] of scorers.entries()) {
      const edit = own.get(scorer.metric.name);
      if (edit !== undefined) job.scores[place] = edited(edit, job.scores[place], scorer);
    }
    const [edit] = own.values();
    if (edit !== undefined) follow(job, { checks, target: edit.target });
  };
}

/** Makes composites of edited scores again; one that was edited itself stays as people want it. */
function followers(scorers: readonly StoredScorer[]): (job: Edited, answer: CombinedAnswer) => void {
  const composites = storedComposites(scorers.map(({ spec }) => spec));
  return ({ outcome, scores }, answer) => {
    for (const { place, of, combine } of composites) {
      const edits = of.flatMap((part) => {
        const edit = scores[part]?.edit;
        return edit === undefined ? [] : [{ from: [scorers[part]?.metric.name ?? ""], ...edit }];
      });
      const last = edits.toSorted((a, b) => a.at - b.at).at(-1);
      const before = scores[place];
      if (last === undefined || before?.edit !== undefined) continue;
      if (before === undefined && !mayBegin(scorers[place], outcome)) continue;
      const from = Array.from(new Set(edits.flatMap((edit) => edit.from)));
      const partOf = (part: number): Score | null => (scores[part] === undefined ? null : scoreOf(scores[part]));
      const edit = { author: last.author, at: last.at, was: saidBefore(before), from };
      scores[place] = {
        ...jobScoreOf(combine(of.map(partOf), answer)),
        edit,
      };
    }
  };
}

/** None of its parts had said anything of the answer. */
function mayBegin(scorer: StoredScorer | undefined, outcome: JobOutcome | null): boolean {
  return scorer !== undefined && scorer.graded !== "missing" && scorer.spec.when === null && outcome === "ok";
}

function saidBefore(before: JobScore | undefined): ScoreEdit["was"] {
  return { value: before?.value ?? null, pass: before?.pass ?? null, reason: before?.reason ?? null };
}

/** The edits of the scores of a batch. */
export interface BatchEdits {
  /** Number of scores that are edited now. */
  editedScores: number;
  /** When one of them was edited last; null: none is. */
  editedAt: number | null;
}

const editsIn = (what: string, batch: string): string =>
  `(SELECT ${what} FROM label CROSS JOIN job ON job.id = label.job_id AND job.batch_id = ${batch}.id
    WHERE label.edits = 1 AND label.job_id BETWEEN ${batch}.first_job AND ${batch}.last_job)`;

/** The columns of `BatchEdits`, as SQL; `batch`: the name of its table. */
export const batchEditsSql = (batch: string): string =>
  `${editsIn("count(DISTINCT job_id || ' ' || scorer)", batch)} AS editedScores, ${editsIn("max(at)", batch)} AS editedAt`;

/** The edits of the scores of a batch, by its id. */
export function batchEdits(db: Connection, batchId: number): BatchEdits {
  return (
    selectRow<BatchEdits>(db, `SELECT ${batchEditsSql("batch")} FROM batch WHERE id = ?`, [batchId]) ?? {
      editedScores: 0,
      editedAt: null,
    }
  );
}

/** Another text after each edit of a score of the batch; empty where there are none. */
export function editStamp(db: Connection, batchId: number): string {
  const rows = selectRows<EditRow>(db, editSelect, { batch: batchId });
  return rows.map(({ id, at }) => `${id} ${at}`).join();
}

function scorersOf(db: Connection, scoringId: number): StoredScorer[] {
  const text = selectValue<string>(db, "SELECT scorers FROM scoring WHERE id = ?", [scoringId]);
  return text === undefined ? [] : storedJson(text, "scorers", isScorers);
}

/** The score as it counts, and what it was. */
function edited(row: EditRow, before: JobScore | undefined, scorer: StoredScorer): JobScore {
  const { author, note, at } = row;
  const was = saidBefore(before);
  const edit: ScoreEdit = { author, at, was };
  return { ...graded(row, was, scorer), reason: note, edit };
}

/** Good and bad say whether an answer passes; a number is the value, and passes within the bounds of the scorer. */
function graded(
  { label, value }: EditRow,
  was: Pick<JobScore, "value">,
  { metric, spec }: StoredScorer,
): Pick<JobScore, "value" | "pass"> {
  const { scale, lowerIsBetter, passes } = metric;
  const says = label === "good" || label === "bad";
  if (scale.kind === "pass") return { value: value > 0 ? 1 : 0, pass: value > 0 };
  if (!says) return { value, pass: passes ? isWithin(value, spec.options, lowerIsBetter) : null };
  // If the scale has ends, the better or the worse of them stands for a value that nobody gave.
  const end = scale.kind === "bounded" ? (value > 0 === lowerIsBetter ? scale.min : scale.max) : null;
  return { value: was.value ?? end, pass: passes ? value > 0 : null };
}

function isWithin(value: number, options: StoredScorer["spec"]["options"], lowerIsBetter: boolean): boolean {
  const bound = (name: string, otherwise: number): number => {
    const given = options[name];
    return typeof given === "number" ? given : otherwise;
  };
  const [least, most] = lowerIsBetter
    ? [bound("min", -Infinity), Math.min(bound("max", Infinity), bound("threshold", Infinity))]
    : [Math.max(bound("min", -Infinity), bound("threshold", -Infinity)), bound("max", Infinity)];
  return value >= least && value <= most;
}
