import { createBodyBudget } from "../client/body-budget.ts";
import { type Client, createClient } from "../client/client.ts";
import { version } from "../lib/version.ts";
import type { BudgetLimits } from "../runner/budget.ts";
import type { Stop } from "../report/run-summary.ts";
import type { LaneEvent } from "../runner/lane-event.ts";
import { type RunEnd, Runner } from "../runner/runner.ts";
import { type Batch, batchTargets, setBatchState } from "../store/batches.ts";
import { createBooks } from "../store/books.ts";
import { caseKeys } from "../store/case-keys.ts";
import type { Connection } from "../store/database.ts";
import { lockBatch } from "../store/lock.ts";
import { unfinishedJobs } from "../store/unfinished.ts";
import { isStoreError, storeFailure, tryToWrite } from "../store/store-failure.ts";
import { stopOf } from "./advice.ts";
import { withinFileLimit } from "./file-share.ts";

/** Response bodies in flight, over all deployments. */
const bodyBytesInFlight = 128 * 1024 * 1024;

export interface DriveOptions {
  /** Deployment name to the address to send to and the key to send. */
  access: Map<string, Access>;
  limits: BudgetLimits;
  /** Given the runner before it starts: to show where it stands, and to stop it; and the key of a case by its id. */
  onRunner: (runner: Runner, caseKey: (caseId: number) => string) => void;
  onEvent: (event: LaneEvent) => void;
  onNotice: (message: string) => void;
}

export interface Access {
  baseUrl: string;
  key: string | null;
}

/** How a drive came to its end: also what nothing more was sent to, with what to do about it. */
export interface DriveEnd extends RunEnd {
  stops: Stop[];
}

/** Sends every unfinished job of a batch, under its lock. The batch's state is true whenever this ends. */
export async function driveBatch(db: Connection, batch: Batch, options: DriveOptions): Promise<DriveEnd> {
  const lock = lockBatch(db, batch.id);
  // A sign of life that cannot be written is no reason to end: a commit that cannot be is, and it says so.
  const heartbeat = setInterval(() => tryToWrite(lock.alive), 30_000);
  const clients: Client[] = [];
  try {
    return await driveLocked(db, batch, options, clients);
  } catch (error) {
    throw isStoreError(error) ? storeFailure(db, error) : error;
  } finally {
    clearInterval(heartbeat);
    // Where it cannot be released, the lock is stale as soon as this process has gone.
    if (db.open) tryToWrite(lock.release);
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function driveLocked(db: Connection, batch: Batch, options: DriveOptions, clients: Client[]): Promise<DriveEnd> {
  const stops: { event: LaneEvent; stop: Stop }[] = [];
  const onEvent = (event: LaneEvent): void => {
    const stop = stopOf(event, batch.suite);
    if (stop !== null) stops.push({ event, stop });
    options.onEvent(event);
  };
  const runner = createRunner(db, batch, { ...options, onEvent }, clients);
  setBatchState(db, batch.id, "running");
  options.onRunner(runner, caseKeys(db));
  const end = await runner.run();
  const reasons = [...new Set(end.stopped.map(({ reason }) => reason))];
  const left = [...unfinishedJobs(db, batch.id).values()].reduce((sum, count) => sum + count, 0);
  if (left === 0) setBatchState(db, batch.id, "finished");
  else setBatchState(db, batch.id, "stopped", reasons.join("; "));
  // A lane that was stopped when it had nothing left to do has missed nothing.
  const cutShort = new Set(end.stopped.map(({ lane }) => lane));
  const told = stops.filter(({ event }) => event.type !== "lane-stopped" || cutShort.has(event.lane));
  return { ...end, stops: told.map(({ stop }) => stop) };
}

function createRunner(db: Connection, batch: Batch, options: DriveOptions, clients: Client[]): Runner {
  const { suite } = batch;
  const unfinished = unfinishedJobs(db, batch.id);
  const targets = batchTargets(db, batch.id).map((target) => ({
    ...target,
    unfinished: unfinished.get(target.id) ?? 0,
    ...(suite.mapping.history !== undefined && { history: suite.mapping.history }),
  }));
  const bodyBudget = createBodyBudget(bodyBytesInFlight);
  const deployments = withinFileLimit(suite, options.onNotice);
  const sides = deployments.flatMap((deployment) => {
    const own = targets.filter((target) => target.deployment === deployment.name && target.unfinished > 0);
    const access = options.access.get(deployment.name);
    if (own.length === 0 || access === undefined) return [];
    const client = createClient({
      ...access,
      // Each endpoint has a queue of its own with this concurrency.
      connections: deployment.concurrency * new Set(own.map(({ endpoint }) => endpoint)).size,
      connectTimeoutMs: deployment.connectTimeoutMs,
      bodyBudget,
      userAgent: `tandem/${version}`,
    });
    clients.push(client);
    return [{ deployment, client, targets: own }];
  });
  return new Runner({
    sides,
    books: createBooks(db, batch.id),
    seed: batch.seed,
    limits: options.limits,
    interleave: suite.interleave,
    onAmbiguous: suite.onAmbiguous,
    conversations: suite.mapping.turn !== null,
    onEvent: options.onEvent,
  });
}
