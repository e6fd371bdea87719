import { join } from "node:path";
import { concludeBatch, type Conclusion } from "./pipeline/conclude.ts";
import { type Accepted, acceptBatch } from "./pipeline/changes.ts";
import { type DriveOptions, driveBatch } from "./pipeline/drive.ts";
import { type PrepareOptions, type PreparedBatch, prepareBatch } from "./pipeline/prepare.ts";
import { withTargets } from "./pipeline/selection.ts";
import { writeComparison, writeRuns } from "./pipeline/reports.ts";
import { AppError } from "./errors.ts";
import type { SpreadsheetOptions } from "./report/spreadsheet.ts";
import { type Batch, batchTargets, findBatch, listBatches, reopenTargets } from "./store/batches.ts";
import { type Connection, openDatabase } from "./store/database.ts";
import { type Doubt, type DoubtPolicy, settleDoubts } from "./store/doubts.ts";
import { lockBatch } from "./store/lock.ts";
import type { Suite } from "./suite/suite.ts";

/** The one database of a results folder. */
export const databasePath = (out: string): string => join(out, "tandem.db");

export interface RunRequest extends PrepareOptions, DriveOptions {
  suite: Suite;
  /** The results folder. */
  out: string;
  onPrepared: (prepared: PreparedBatch) => void;
}

/** Dataset to report, in one go: every stage once, in order. */
export async function runSuite(request: RunRequest): Promise<Conclusion> {
  const db = openDatabase(databasePath(request.out));
  try {
    return await runNew(db, request);
  } finally {
    db.close();
  }
}

async function runNew(db: Connection, request: RunRequest): Promise<Conclusion> {
  const prepared = await prepareBatch(db, request.suite, request);
  request.onPrepared(prepared);
  const end = await driveBatch(db, prepared.batch, request);
  return concludeBatch(db, prepared.batch.name, { end, out: request.out });
}

export interface ContinueRequest extends RunRequest, Going {
  /** Runs what is still the same when dataset or suite have changed, instead of refusing. */
  acceptChanges: boolean;
  onAccepted: (accepted: Accepted) => void;
  /** There is nothing to go on with: a new batch begins. */
  onNothing: () => void;
}

/**
 * The rest of the suite's latest unfinished batch, if dataset and suite are still what it was made of, within the limits
 * that the suite sets now; without such a batch a new one. Throws BATCH_CHANGED.
 */
export async function continueSuite(request: ContinueRequest): Promise<Conclusion> {
  const db = openDatabase(databasePath(request.out));
  try {
    const batch = listBatches(db, request.suite.name).findLast(isUnfinished);
    if (batch === undefined) {
      request.onNothing();
      return await runNew(db, request);
    }
    const suite = withStoredTargets(request, batch);
    const lock = lockBatch(db, batch.id);
    try {
      request.onAccepted(await acceptBatch(db, batch, suite, request));
    } finally {
      lock.release();
    }
    const { deployments, onInDoubt, onAmbiguous, interleave } = suite;
    const limits = { deployments, onInDoubt, onAmbiguous, interleave };
    return await goOn(db, { ...batch, suite: { ...batch.suite, ...limits } }, request);
  } finally {
    db.close();
  }
}

/** Without flags that select, the batch's own targets; those that the suite still has. */
function withStoredTargets({ suite, selection = null }: ContinueRequest, batch: Batch): Suite {
  const then = batch.selection?.targets ?? [];
  const left = then.filter((name) => suite.targets.some((target) => target.name === name));
  return selection === null ? withTargets(suite, left) : suite;
}

interface Going extends DriveOptions {
  out: string;
  /** null: what the suite says. */
  onInDoubt: DoubtPolicy | null;
  onResumed: (batch: Batch, doubts: Doubt[]) => void;
}

async function goOn(db: Connection, batch: Batch, request: Going): Promise<Conclusion> {
  const lock = lockBatch(db, batch.id);
  const doubts = settleDoubts(db, batch.id, request.onInDoubt ?? batch.suite.onInDoubt);
  reopenTargets(db, batch.id);
  lock.release();
  request.onResumed(batch, doubts);
  const end = await driveBatch(db, batch, request);
  return concludeBatch(db, batch.name, { end, out: request.out });
}

export interface ResumeRequest extends Going {
  /** Name or `SUITE~N`; null: the latest that is not finished. */
  batch: string | null;
}

/** The rest of a batch that was stopped, interrupted or killed, from the database alone. */
export async function resumeBatch(request: ResumeRequest): Promise<Conclusion> {
  const db = openDatabase(databasePath(request.out), { mustExist: true });
  try {
    const batch = request.batch === null ? latestUnfinished(request.out) : findBatch(db, request.batch);
    return await goOn(db, batch, request);
  } finally {
    db.close();
  }
}

/** What a stored batch came to, with its reports written again. */
export async function compareBatch(out: string, reference: string): Promise<Conclusion> {
  const db = openDatabase(databasePath(out), { mustExist: true });
  try {
    return await concludeBatch(db, findBatch(db, reference).name, { end: { stopped: [], stops: [] }, out });
  } finally {
    db.close();
  }
}

/** Writes one CSV of a stored batch; returns the batch's name. */
export async function exportBatch(request: {
  out: string;
  batch: string;
  form: "runs" | "comparison";
  /** A path; `-` is standard output. */
  output: string;
  options: SpreadsheetOptions;
}): Promise<string> {
  const db = openDatabase(databasePath(request.out), { mustExist: true });
  try {
    const batch = findBatch(db, request.batch);
    if (request.form === "runs") await writeRuns(db, batch, request.output, request.options);
    else await writeComparison(db, batch, request.output, request.options);
    return batch.name;
  } finally {
    db.close();
  }
}

const isUnfinished = ({ state }: Batch): boolean => state !== "finished" && state !== "reading";

/** The batch that a resume without a name means. Throws BATCH_NOT_FOUND when every batch is finished. */
function latestUnfinished(out: string): Batch {
  const db = openDatabase(databasePath(out), { mustExist: true });
  try {
    const batch = listBatches(db).findLast(isUnfinished);
    if (batch !== undefined) return batch;
    throw new AppError("BATCH_NOT_FOUND", `Every batch in ${databasePath(out)} is finished.`, {
      hint: "Name a batch to look for jobs held back, or start a new one with `tandem run`.",
    });
  } finally {
    db.close();
  }
}

/** The deployments that a stored batch needs, for a resume. */
export function batchDeployments(
  out: string,
  reference: string | null,
): { batch: Batch; deployments: Suite["deployments"] } {
  const db = openDatabase(databasePath(out), { mustExist: true });
  try {
    const batch = reference === null ? latestUnfinished(out) : findBatch(db, reference);
    const used = new Set(batchTargets(db, batch.id).map(({ deployment }) => deployment));
    return { batch, deployments: batch.suite.deployments.filter(({ name }) => used.has(name)) };
  } finally {
    db.close();
  }
}
