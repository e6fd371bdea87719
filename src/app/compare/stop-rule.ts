import type { ComparisonSettings } from "../../compare/comparison.ts";
import type { ComparedMetric } from "../../compare/comparison-plan.ts";
import { isLookedAt } from "../../compare/metrics/metric-inference.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import { gateKindOf } from "../../compare/verdict/kinds.ts";
import { type GateWatch, gateWatch, type WatchPlan } from "../../compare/verdict/watch.ts";
import type { Batch } from "../../store/batches.ts";
import type { ComparedBatch } from "../../store/compared/joined-case.ts";
import type { Connection } from "../../store/connection.ts";
import { casesOfValues, countCases, longestCluster } from "../../store/plan/expectation.ts";
import { codeOfGates } from "./code-of-gates.ts";
import {
  countedPlaces,
  firstRunsOf,
  isSentWhole,
  type CaseReader,
  type SentPrefix,
  sentPrefix,
} from "./sent-prefix.ts";

/**
 * The reasons why a run that should stop when it is decided goes to its end: gates that no look on the way may decide. Null
 * where it can stop.
 */
export function whyToTheEnd(metrics: readonly Pick<ComparedMetric, "metric" | "of" | "gates">[]): string | null {
  const gated = metrics.filter(({ gates }) => gates.length > 0);
  if (gated.length === 0) return "there is no gate that could be decided";
  const open = gated.filter(
    (compared) => compared.gates.some((gate) => gateKindOf(gate).claims) && !isLookedAt(compared),
  );
  if (open.length === 0) return null;
  const names = open.map(({ metric, of }) =>
    of === "pass" || of === "value" ? metric.name : `${metric.name} (${of})`,
  );
  return `the ${open.length === 1 ? "gate" : "gates"} of ${names.join(", ")} ${open.length === 1 ? "needs" : "need"} every case, because the score has no bounds`;
}

/** The plan of a batch, as its gates see it. */
export function watchPlanOf(db: Connection, batch: Batch, { metrics }: Pick<ComparisonSettings, "metrics">): WatchPlan {
  const tags = new Set(metrics.flatMap(({ gates }) => gates.flatMap(({ by }) => by ?? [])));
  return {
    planned: countCases(db, batch.id),
    most: Math.max(1, longestCluster(db, batch.id)),
    values: new Map(Array.from(tags, (tag) => [tag, casesOfValues(db, batch.id, tag)] as const)),
  };
}

/** Follows the gates of a batch while one cluster after the other is complete. */
export function prefixWatch(
  db: Connection,
  batch: Batch,
  { settings, plan, read }: { settings: ComparisonSettings; plan: WatchPlan; read: CaseReader },
): SentPrefix & { watch: GateWatch } {
  const watch = gateWatch(settings, plan);
  return { ...sentPrefix(db, batch, { read, add: watch.add, isDone: () => watch.settled() !== null }), watch };
}

/**
 * The rule of a batch that could stop when it was decided, found again from its stored scores: the clusters up to the one
 * with which it was decided count, in the order in which they were sent; when all have been sent, all of them. Null for a
 * batch that was run to its end in any case.
 */
export function stopRuleOf(
  db: Connection,
  batch: Batch,
  { settings, batches }: { settings: ComparisonSettings; batches: readonly ComparedBatch[] },
): StopRule | null {
  if (batch.suite.decision.stopWhen !== "decided" || (batch.selection?.shard ?? null) !== null) return null;
  if (settings.pairs.length === 0 || whyToTheEnd(settings.metrics) !== null) return null;
  const plan = watchPlanOf(db, batch, settings);
  const prefix = prefixWatch(db, batch, { settings, plan, read: firstRunsOf(db, batch, batches) });
  const isDecided = prefix.advance();
  const isWhole = isSentWhole(db, batch);
  return {
    ...plan,
    placeOf: countedPlaces(db, batch, isWhole ? Number.POSITIVE_INFINITY : prefix.looked()),
    isWhole,
    needsSuite: codeOfGates(batch.suite).length > 0,
    decidedAfter: isDecided ? prefix.watch.standing().cases : null,
  };
}
