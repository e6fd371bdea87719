import type { Stop } from "../../report/shape/run-summary.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import type { Drive, Load } from "../../runner/drive.ts";
import type { FirstLook } from "../../runner/first-jobs.ts";
import { type RunEnd, watchedAs } from "../../runner/runner.ts";
import { type Batch, type BatchState, setBatchState, workClock } from "../../store/batches.ts";
import { caseTargets } from "../../store/case-load.ts";
import { createJournal } from "../../store/journal/journal.ts";
import type { Connection } from "../../store/connection.ts";
import { lockBatch, withStages } from "../../store/lock.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { storeFailure, toResume, tryToWrite } from "../../store/store-failure.ts";
import { stopOf } from "./stop-advice.ts";
import type { RunContext } from "../context.ts";

/** Options of one sending within a run. */
export interface SendOptions {
  /** Holds back the rest until the first answers were looked at. */
  firstLook?: FirstLook;
  /** Ends it when nothing more is needed. */
  deciding?: Deciding;
  /** Lines that are shown with the progress. Default: those of `deciding`. */
  lines?: () => string[];
  /** Only jobs up to this one are sent. */
  upTo?: number;
  /** The run has ended before: it takes no longer by what is sent now. Default: false. */
  isLater?: boolean;
}

/** Follows a batch while it is sent, and tells when it is decided. */
export interface Deciding {
  /** Looks at what is complete, while nothing is in flight, and leaves out targets that are not needed; true when nothing more is. */
  look: () => boolean;
  /** Goes on looking, and tells what is sent when it is decided, or when no more is needed of a target. */
  begin: (drive: Pick<Drive, "enough" | "drop">) => void;
  /** Something was settled. */
  noticed: () => void;
  /** Looks no more by itself: nothing is sent any longer, for whatever reason. */
  close: () => void;
  /** Looks for the last time, and leaves out what is not needed. Throws what a look on the way has failed by. */
  end: () => void;
  /** Words on how near it is. */
  lines: () => string[];
}

/** The end of sending: also the targets and deployments that nothing more was sent to, with advice. */
export interface SendEnd extends RunEnd {
  stops: Stop[];
}

/** Sends every unfinished job of a batch's cases, under its lock. The batch's state is true whenever this ends. */
export async function sendBatch(run: RunContext, batch: Batch, options: SendOptions = {}): Promise<SendEnd> {
  return withBatchLock(run.db, batch, () => {
    const { deciding, ...others } = options;
    // Decided by a process that has gone: only a second look may be left.
    const isDecided = deciding?.look() === true;
    if (isDecided) deciding?.end();
    return sendLocked(run, batch, casesOf(run.db, batch, options.upTo), isDecided ? others : options);
  });
}

/** Time between two signs of life, and between two entries of the time that was worked: a kill loses no more of it. */
const aliveEveryMs = 30_000;

/** Does something that only the holder of the batch's lock may do, and gives signs of life meanwhile. */
export async function withBatchLock<Result>(
  db: Connection,
  batch: Batch,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = lockBatch(db, batch.id);
  // A sign of life that cannot be written is no reason to end: a commit that cannot be is, and it says so.
  const heartbeat = setInterval(() => tryToWrite(lock.alive), aliveEveryMs);
  try {
    return await work();
  } catch (error) {
    throw storeFailure(db.name, error, toResume(db.name));
  } finally {
    clearInterval(heartbeat);
    // If it cannot be released, the lock is stale as soon as this process has gone.
    if (db.open) tryToWrite(lock.release);
  }
}

/** Does all stages of a batch under one lock, which those that take it for themselves have then. */
export async function withWholeBatch<Result>(
  db: Connection,
  batch: Batch,
  stages: () => Promise<Result>,
): Promise<Result> {
  return withBatchLock(db, batch, () => withStages(db, batch.id, stages));
}

/** Sends what is unfinished of a load. Only for the holder of the batch's lock. */
export async function sendLocked(
  run: RunContext,
  batch: Batch,
  load: Load,
  options: SendOptions = {},
): Promise<SendEnd> {
  const { db, budget, onNotice } = run;
  const { deciding, firstLook } = options;
  const stops: { event: QueueEvent; stop: Stop }[] = [];
  const onEvent = (event: QueueEvent): void => {
    const stop = stopOf(event, load.suite);
    if (stop !== null) stops.push({ event, stop });
    run.onEvent(event);
    if (event.type === "settled") deciding?.noticed();
  };
  const mayEndEarly = deciding !== undefined || options.upTo !== undefined;
  const driven = { load, budget, onEvent, onNotice, mayEndEarly, ...(firstLook !== undefined && { firstLook }) };
  const drive = run.sender({ db, batch }, driven);
  // A run takes no longer by a later grading, nor by a resume that has nothing to send.
  const keepsTime = options.isLater === true || load.left() === 0;
  const setState = (state: BatchState, given: { reason?: string | null; keepsTime: boolean }): void => {
    if (load.isAside !== true) setBatchState(db, batch.id, state, given);
  };
  setState("running", { keepsTime });
  const noteWork = keepsTime || load.isAside === true ? (): void => {} : workClock(db, batch.id);
  const worked = setInterval(() => tryToWrite(noteWork), aliveEveryMs).unref();
  const lines = options.lines ?? deciding?.lines;
  const shown =
    lines === undefined ? drive : watchedAs(drive, { lines: () => [...(drive.lines?.() ?? []), ...lines()] });
  run.onRunner(shown);
  const end = await runUntilDecided(drive, deciding).finally(() => clearInterval(worked));
  noteWork();
  const reasons = [...new Set(end.stopped.map(({ reason }) => reason))];
  if (load.left() === 0) setState("finished", { keepsTime });
  else setState("stopped", { reason: reasons.join("; ") || batch.reason, keepsTime });
  // an endpoint queue that was stopped when it had nothing left to do has missed nothing.
  const cutShort = new Set(end.stopped.map(({ queue }) => queue));
  const reported = stops.filter(({ event }) => {
    if (event.type !== "queue-stopped") return true;
    return cutShort.has(event.queue) && event.ofTargets !== true;
  });
  return { ...end, stops: reported.map(({ stop }) => stop) };
}

async function runUntilDecided(drive: Drive, deciding: Deciding | undefined): Promise<RunEnd> {
  try {
    deciding?.begin(drive);
    const end = await drive.run();
    deciding?.end();
    return end;
  } finally {
    deciding?.close();
    await drive.close();
  }
}

/** The cases of a batch for its targets. */
function casesOf(db: Connection, batch: Batch, upTo?: number): Load {
  const { id, suite } = batch;
  const targets = caseTargets(db, batch);
  const left = (): number => [...unfinishedJobs(db, id).values()].reduce((sum, count) => sum + count, 0);
  const conversations = suite.mapping.turn !== null;
  return { role: "case", suite, targets, journal: createJournal(db, id, upTo), conversations, left };
}
