import { version } from "../../lib/version.ts";
import { reportSummary, type SummaryOptions } from "../../report/model/model-summary.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import { momentLabel, nightLabels, nightTarget } from "../../report/say/night-names.ts";
import { type Batch, batchOfId, batchTargets, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchChanges } from "../../store/plan/ask-anew.ts";
import { paidTwiceByRole } from "../../store/results/paid-twice.ts";
import { queriedColumns } from "../../report/query/row-conditions.ts";
import { batchColumns } from "../../store/results/results.ts";
import { limitsFound } from "../../store/results/limits-found.ts";
import { outagesOf } from "../../store/results/outages.ts";
import { isStandIn, standInJudges } from "../../suite/stand-in.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { judgesOfNight } from "../anchors/judge-watch.ts";
import { pastOf } from "../history/past.ts";
import { suitePathOf, typedSuite } from "../../suite/suite-path.ts";
import { judgesOf } from "../plan/judge-costs.ts";

/** Summarizes a comparison that came to its end, with all that the database knows of its batch: every report and the viewer tell the same. */
export function summaryOfComparison(
  db: Connection,
  planned: PlannedComparison,
  compared: Pick<SummaryOptions, "comparison" | "counts" | "proposal" | "unread" | "next">,
): ReportSummary {
  return reportSummary({
    version,
    batch: batchFacts(db, planned.batch),
    comparisonPlan: planned.settings,
    origins: originsOf(db, planned),
    ...pastOf(db, planned),
    judges: judgesOf(db, planned.batch),
    standInJudges: standInJudges(planned.batch.suite),
    judgeWatch: judgesOfNight(db, planned.batch),
    ...(suitePathOf(planned.batch.suite) !== null && { suitePath: typedSuite(planned.batch.suite) }),
    ...compared,
  });
}

function batchFacts(db: Connection, { id, name, suiteName, state, reason, createdAt, finishedAt, workedMs }: Batch) {
  const durationMs = finishedAt === null ? null : workedMs;
  const possiblyPaidTwice = paidTwiceByRole(db, id);
  const columns = queriedColumns(batchColumns(db, id));
  const reported = {
    changes: batchChanges(db, id),
    outages: outagesOf(db, id),
    limits: limitsFound(db, id),
    possiblyPaidTwice,
    columns,
  };
  return { name, suite: suiteName, state, reason, startedAt: createdAt, durationMs, ...reported };
}

/** A target of another batch by its night, which has its time where the suite has several batches on that day. */
function labelOf(db: Connection, target: string, { batch, own }: { batch: Batch; own: Batch }): string {
  const { suiteName, name, createdAt } = batch;
  const all = listBatches(db, suiteName);
  const labels = nightLabels(all.map((each) => each.createdAt));
  const label = labels[all.findIndex((each) => each.name === name)] ?? momentLabel(createdAt);
  const suite = suiteName === own.suiteName ? null : suiteName;
  return nightTarget(target, suite, { batch: name, at: createdAt, label }, { at: own.createdAt });
}

/** The deployment and example_id behind the answers of each side, and its name for people where its own begins with that of a batch. */
function originsOf(db: Connection, { batch: own, batches, settings }: PlannedComparison) {
  const targets = new Map(
    batches.flatMap(({ batchId }) => batchTargets(db, batchId).map((target) => [target.id, target] as const)),
  );
  return settings.sides.map(({ target: name, targetIds: [id = -1], batchIds, answersOnly }) => {
    const target = targets.get(id);
    if (target === undefined || answersOnly) return null;
    const [batch] = batchIds.map((batchId) => batchOfId(db, batchId));
    const isOfBatch = batch !== undefined && batchIds.length === 1 && name === `${batch.name}:${target.name}`;
    return {
      ...(isOfBatch && { label: labelOf(db, target.name, { batch, own }) }),
      deployment: target.deployment,
      exampleId: target.exampleId,
      isStandIn: isStandIn(target),
    };
  });
}
