import type { PairedResult } from "../../compare/cases/case-comparison.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import type { Batch } from "../../store/batches.ts";
import type { ComparedBatch } from "../../store/compared/joined-case.ts";
import { oneCaseReader } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { caseKeys } from "../../store/plan/case-keys.ts";
import { clustersInOrder, completeCases, type OrderedCluster } from "../../store/plan/cluster-order.ts";
import { caseSpan } from "../../store/results/result-rows.ts";
import { firstLookRuns } from "../../store/plan/second-look.ts";
import { sparedJobs } from "../../store/plan/spared.ts";

/** The clusters of a batch in the order of sending, as far as they are complete. */
export interface SentPrefix {
  /** Takes those that are complete by now, for so many milliseconds at a time; true when no more is needed. */
  advance: (budgetMs?: number) => boolean;
  /** Clusters that were taken. */
  looked: () => number;
  /** There is no cluster left. */
  isThrough: () => boolean;
}

/** Reads a case of a batch by its key, with its scores. */
export type CaseReader = (key: string) => PairedResult | null;

interface PrefixTaker {
  read: CaseReader;
  add: (results: readonly PairedResult[]) => void;
  /** Nothing more is needed, after what was added. */
  isDone: () => boolean;
  /** Ids of targets whose runs do not matter any more. */
  dropped?: () => number[];
}

/** Hands the clusters of a batch on, one after the other. */
export function sentPrefix(
  db: Connection,
  { id }: Batch,
  { read, add, isDone, dropped = () => [] }: PrefixTaker,
): SentPrefix {
  const clusters = clustersInOrder(db, id);
  const isComplete = completeCases(db);
  const keyOf = caseKeys(db);
  let next: OrderedCluster | null = null;
  let [looked, isThrough, isOver] = [0, false, false];
  return {
    looked: () => looked,
    isThrough: () => isThrough,
    advance(budgetMs = Number.POSITIVE_INFINITY) {
      const end = performance.now() + budgetMs;
      while (!isOver && performance.now() < end) {
        next ??= clusters.next().value ?? null;
        isThrough = next === null;
        if (next === null || !isComplete(next.caseIds, dropped())) break;
        add(next.caseIds.flatMap((caseId) => read(keyOf(caseId)) ?? []));
        looked += 1;
        next = null;
        isOver = isDone();
      }
      return isOver;
    },
  };
}

/** Reads cases without the further runs of a second look: that is made of what was decided. */
export function firstRunsOf(db: Connection, { id }: Batch, batches: readonly ComparedBatch[]): CaseReader {
  const read = oneCaseReader(db, batches);
  const runs = firstLookRuns(db, id);
  return (key) => {
    const result = read(key);
    if (result !== null) {
      result.jobs = result.jobs.filter(({ targetId, repeat }) => repeat <= (runs.get(targetId) ?? repeat));
    }
    return result;
  };
}

/** True for a batch of which everything was sent. */
export const isSentWhole = (db: Connection, { id }: Batch): boolean =>
  unfinishedJobs(db, id).size === 0 && sparedJobs(db, id) === 0;

/** Places of the cases of a batch, of which the first so many clusters count; in 4 bytes each. */
export function countedPlaces(db: Connection, { id }: Batch, counted: number): StopRule["placeOf"] {
  const { from: first, to } = caseSpan(db, id);
  const places = new Int32Array(to - first + 1).fill(unplanned);
  let place = 0;
  for (const { caseIds } of clustersInOrder(db, id)) {
    for (const caseId of caseIds) places[caseId - first] = place < counted ? place : uncounted;
    place += 1;
  }
  return (caseId) => {
    const found = places[caseId - first] ?? unplanned;
    return found === unplanned ? undefined : found === uncounted ? null : found;
  };
}

const [unplanned, uncounted] = [-1, -2];
