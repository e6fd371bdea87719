import type { ComparisonSettings } from "../../compare/comparison.ts";
import type { PairedResult } from "../../compare/cases/case-comparison.ts";
import { type GateWatch, gateWatch, type WatchPlan } from "../../compare/verdict/watch.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import type { ComparedMetric } from "../../compare/comparison-plan.ts";
import { gateKindOf } from "../../compare/verdict/kinds.ts";
import { isLookedAt } from "../../compare/metrics/metric-inference.ts";
import type { Batch } from "../../store/batches.ts";
import type { ComparedBatch } from "../../store/compared/joined-case.ts";
import { oneCaseReader } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import { caseKeys } from "../../store/plan/case-keys.ts";
import { codeOfGates } from "./code-of-gates.ts";
import { firstLookRuns } from "../../store/plan/second-look.ts";
import { sparedJobs } from "../../store/plan/spared.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { clustersInOrder, completeCases, type OrderedCluster } from "../../store/plan/cluster-order.ts";
import { caseRange, casesOfValues, countCases, longestCluster } from "../../store/plan/expectation.ts";

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

/** Looks at the clusters of a batch in the order of sending, as far as they are complete. */
export interface PrefixWatch {
  /** Looks at what is complete by now, for so many milliseconds at a time; true when it is decided. */
  advance: (budgetMs?: number) => boolean;
  watch: GateWatch;
  /** Clusters that were looked at. */
  looked: () => number;
}

export function prefixWatch(
  db: Connection,
  batch: Batch,
  given: { settings: ComparisonSettings; plan: WatchPlan; read: (key: string) => PairedResult | null },
): PrefixWatch {
  const watch = gateWatch(given.settings, given.plan);
  const clusters = clustersInOrder(db, batch.id);
  const isComplete = completeCases(db);
  const keyOf = caseKeys(db);
  let [next, isDecided, looked]: [OrderedCluster | null, boolean, number] = [null, false, 0];
  return {
    watch,
    looked: () => looked,
    advance(budgetMs = Number.POSITIVE_INFINITY) {
      const end = performance.now() + budgetMs;
      while (!isDecided && performance.now() < end) {
        next ??= clusters.next().value ?? null;
        if (next === null || !isComplete(next.caseIds)) break;
        watch.add(next.caseIds.flatMap((id) => given.read(keyOf(id)) ?? []));
        looked += 1;
        next = null;
        isDecided = watch.settled() !== null;
      }
      return isDecided;
    },
  };
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
  const isWhole = unfinishedJobs(db, batch.id).size === 0 && sparedJobs(db, batch.id) === 0;
  const placeOf = countedPlaces(db, batch.id, isWhole ? Number.POSITIVE_INFINITY : prefix.looked());
  const { cases } = prefix.watch.standing();
  const needsSuite = codeOfGates(batch.suite).length > 0;
  return { ...plan, placeOf, isWhole, needsSuite, decidedAfter: isDecided ? cases : null };
}

/** Reads cases without the further runs of a second look: that is made of what was decided. */
export function firstRunsOf(db: Connection, { id }: Batch, batches: readonly ComparedBatch[]) {
  const read = oneCaseReader(db, batches);
  const runs = firstLookRuns(db, id);
  return (key: string): PairedResult | null => {
    const result = read(key);
    if (result !== null) {
      result.jobs = result.jobs.filter(({ targetId, repeat }) => repeat <= (runs.get(targetId) ?? repeat));
    }
    return result;
  };
}

/** Places of the cases of a batch, of which the first so many clusters count; in 4 bytes each. */
export function countedPlaces(db: Connection, batchId: number, counted: number): StopRule["placeOf"] {
  const { first, last } = caseRange(db, batchId);
  const places = new Int32Array(last - first + 1).fill(unplanned);
  let place = 0;
  for (const { caseIds } of clustersInOrder(db, batchId)) {
    for (const id of caseIds) places[id - first] = place < counted ? place : uncounted;
    place += 1;
  }
  return (caseId) => {
    const found = places[caseId - first] ?? unplanned;
    return found === unplanned ? undefined : found === uncounted ? null : found;
  };
}

const [unplanned, uncounted] = [-1, -2];
