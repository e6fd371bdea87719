import type { ReportRow } from "../../report/shape/model.ts";
import type { Reporter } from "../../report/shape/reporter.ts";
import type { Connection } from "../../store/connection.ts";
import { countLabels, labelsOfJob } from "../../store/scores/labels.ts";

/** Adds people's labels of each answer to the rows of a reporter; edited scores bear their own note. */
export function withLabels(db: Connection, batches: readonly { batchId: number }[], reporter: Reporter): Reporter {
  if (batches.every(({ batchId }) => countLabels(db, batchId) === 0)) return reporter;
  const labelsOf = labelsOfJob(db);
  const labelled = (row: ReportRow): ReportRow => ({
    ...row,
    sides: row.sides.map((side) => ({
      ...side,
      runs: side.runs.map((run) => {
        const labels = labelsOf(run.jobId)
          .filter(({ edits = false }) => !edits)
          .map(({ scorer, label, note, author, at }) => ({ scorer, label, note, author, at }));
        return labels.length === 0 ? run : { ...run, labels };
      }),
    })),
  });
  return { ...reporter, add: (row) => reporter.add(labelled(row)) };
}
