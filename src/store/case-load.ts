import type { RunTarget } from "../runner/run-target.ts";
import { targetPrice } from "../suite/prices.ts";
import { sentFiles } from "../suite/sent-files.ts";
import { type Batch, batchTargets } from "./batches.ts";
import type { Connection } from "./connection.ts";
import { firstAnswers } from "./results/first-answers.ts";
import { unfinishedJobs } from "./journal/unfinished.ts";

/** The targets of a batch, as a runner drives their cases. */
export function caseTargets(db: Connection, { id, suite }: Batch): (RunTarget & { deployment: string })[] {
  const unfinished = unfinishedJobs(db, id);
  const files = sentFiles(suite);
  const proven = new Set(firstAnswers(db, id).map(({ targetId }) => targetId));
  const keysOf = new Map(suite.targets.map((target) => [target.name, target]));
  return batchTargets(db, id).map((target) => ({
    ...target,
    ...(keysOf.get(target.name)?.failedWhen !== undefined && { failedWhen: keysOf.get(target.name)?.failedWhen ?? [] }),
    unfinished: unfinished.get(target.id) ?? 0,
    isProven: proven.has(target.id),
    price: targetPrice(suite, target),
    ...(keysOf.get(target.name)?.mode === "async" && { mode: "async" as const }),
    ...(suite.mapping.history !== undefined && { history: suite.mapping.history }),
    ...(files !== undefined && { files }),
  }));
}
