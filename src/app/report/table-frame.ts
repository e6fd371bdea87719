import type { TableFrame } from "../../report/formats/table-formats.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchColumns } from "../../store/results/results.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { askedColumns } from "../plan/open-columns.ts";

/** The facts that the tables of a batch have before their first line; `withTags`: for readers that know values within values. */
export function tableFrame(
  db: Connection,
  { batch: { id, suite }, settings }: PlannedComparison,
  withTags = false,
): TableFrame {
  const columns = batchColumns(db, id);
  return {
    comparisonPlan: settings,
    targets: batchTargets(db, id).map(({ id: targetId, name: target, endpoint }) => ({ targetId, target, endpoint })),
    metrics: latestScoring(db, id)?.scorers.map(({ metric }) => metric) ?? [],
    columns,
    asked: askedColumns(suite, columns),
    withTags,
  };
}
