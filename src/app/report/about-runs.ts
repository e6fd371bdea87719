import type { RunsTable } from "../../report/tables/runs-table.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchColumns } from "../../store/results/results.ts";
import type { Scoring } from "../../store/scores/scores.ts";

/** The data for the lines of runs.csv. */
export function aboutRuns(db: Connection, { id }: Batch, scoring: Scoring | null): RunsTable {
  return {
    targets: batchTargets(db, id).map(({ id: targetId, name: target, endpoint }) => ({ targetId, target, endpoint })),
    columns: batchColumns(db, id),
    metrics: scoring?.scorers.map(({ metric }) => metric) ?? [],
  };
}
