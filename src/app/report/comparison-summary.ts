import { version } from "../../lib/version.ts";
import { reportSummary, type SummaryOptions } from "../../report/model/model-summary.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchChanges } from "../../store/plan/ask-anew.ts";
import { paidTwiceByRole } from "../../store/results/paid-twice.ts";
import { queriedColumns } from "../../report/query/row-conditions.ts";
import { batchColumns } from "../../store/results/results.ts";
import { limitsFound } from "../../store/results/limits-found.ts";
import { outagesOf } from "../../store/results/outages.ts";
import { isStandIn, standInJudges } from "../../suite/stand-in.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { judgesOfNight } from "../judge/judge-watch.ts";
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
    mayChoose: planned.batch.suite.decision.gates.length === 0,
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

/** The deployment and example_id behind the answers of each side. */
function originsOf(db: Connection, { batches, settings }: PlannedComparison) {
  const targets = new Map(
    batches.flatMap(({ batchId }) => batchTargets(db, batchId).map((target) => [target.id, target] as const)),
  );
  return settings.sides.map(({ targetIds: [id = -1], answersOnly }) => {
    const target = targets.get(id);
    if (target === undefined || answersOnly) return null;
    return {
      deployment: target.deployment,
      exampleId: target.exampleId,
      isStandIn: isStandIn(target),
    };
  });
}
