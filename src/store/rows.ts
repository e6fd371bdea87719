/** A table with rows of batches. */
interface BatchRows {
  /** Columns by which a row belongs to what they name; none: to whatever names it. */
  of: Readonly<Record<string, string>>;
  /** Other columns that name rows. */
  names?: Readonly<Record<string, string>>;
  /** A batch that goes elsewhere leaves it: it is of one folder, or is made anew. */
  stays?: true;
}

const ofBatch = { of: { batch_id: "batch" } } as const;
const ofJob = { of: { job_id: "job" } } as const;
const stays = { ...ofBatch, stays: true } as const;

/**
 * Tables with rows of batches, each after those that it belongs to. Copying a batch, merging several and removing one walk
 * them: a new table with rows of a batch stands here.
 */
export const batchRows: Readonly<Record<string, BatchRows>> = {
  batch: { of: {} },
  target: ofBatch,
  case: ofBatch,
  job: { ...ofBatch, names: { target_id: "target", case_id: "case", question_id: "question", waits_for: "job" } },
  question: { of: {} },
  attempt: { ...ofJob, names: { record: "run_record" } },
  run_record: { of: {} },
  sending: ofJob,
  pace: ofBatch,
  outage: ofBatch,
  change: ofBatch,
  second_look: ofBatch,
  merged: ofBatch,
  label: ofJob,
  label_draw: ofBatch,
  drawn_case: { of: { draw_id: "label_draw" }, names: { case_id: "case" } },
  scoring: ofBatch,
  score: { of: { scoring_id: "scoring" }, names: { case_id: "case", job_id: "job" } },
  graded_by: { of: { scoring_id: "scoring" }, names: { case_id: "case" } },
  asked: { of: { scoring_id: "scoring" }, names: { case_id: "case", job_id: "job", judge_job: "job" } },
  judge_check: ofBatch,
  probed: { of: { check_id: "judge_check" }, names: { judge_job: "job" } },
  compared_with: { ...stays, names: { other_id: "batch" } },
  comparison: stays,
  provider_told: { ...stays, names: { target_id: "target" } },
  at_workers: stays,
};

/** Tables whose rows belong to rows of a table, each with the columns by which they do. */
export function tablesOf(owner: string): { table: string; columns: string[] }[] {
  return Object.entries(batchRows).flatMap(([table, { of }]) => {
    const columns = Object.keys(of).filter((column) => of[column] === owner);
    return columns.length === 0 ? [] : [{ table, columns }];
  });
}

/** Every column of a table that names rows, with the table that it names. */
export function referencesOf(table: string): [column: string, of: string][] {
  const { of = {}, names = {} } = batchRows[table] ?? {};
  return Object.entries({ ...of, ...names });
}
