import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type SoFarWatch, watchSoFar } from "../../app/live/so-far.ts";
import { findBatch } from "../../store/batches.ts";
import { openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { targetTallies } from "../../store/results/results.ts";
import type { Live } from "../api.ts";
import { batchState, isAtWork } from "./home/batch-state.ts";

/** The work of the thread that watches a batch. */
export interface LiveWork {
  database: string;
  batch: string;
}

/** Time between two looks, and the longest time for reading cases in one: the run needs the machine. */
const roundMs = 1000;
const lookMs = 120;
/** The last look takes nothing from a run, and reads what is left. */
const lastLookMs = 2_000;
/** Counting takes at most this share of the time. */
const countShare = 0.05;

/** Tells how far a batch is until it has come to its end. Only reads. */
async function watch({ database, batch: name }: LiveWork, tell: (live: Live) => void): Promise<void> {
  giveWay();
  using db = openDatabase(database, { mustExist: true });
  const { id } = findBatch(db, name);
  const counted = pacedCounts(db, id);
  let soFar: SoFarWatch | null = null;
  for (;;) {
    const { state, reason, createdAt } = batchState(db, id);
    // While the dataset is read there is no plan yet.
    if (state === "running" || state === "grading") soFar ??= await watchSoFar(db, findBatch(db, name));
    soFar?.advance(isAtWork(state) ? lookMs : lastLookMs);
    const targets = counted(!isAtWork(state));
    const finished = targets.reduce((sum, { jobs, outcomes }) => sum + jobs - (outcomes["unfinished"] ?? 0), 0);
    const jobs = targets.reduce((sum, target) => sum + target.jobs, 0);
    tell({ state, reason, startedAt: createdAt, jobs, finished, targets, soFar: soFar?.told() ?? null });
    if (!isAtWork(state)) return;
    await sleep(roundMs);
  }
}

/** Counts again when that has not taken too much of the time; `now`: in any case. */
function pacedCounts(db: Connection, batchId: number): (now: boolean) => Live["targets"] {
  let last: Live["targets"] = [];
  let next = 0;
  return (now) => {
    const start = performance.now();
    if (!now && start < next) return last;
    last = targetTallies(db, batchId).map(({ target, jobs, outcomes, attempts, throttled, stopped }) => {
      return { name: target, jobs, outcomes, attempts, throttled, stopped };
    });
    next = performance.now() + (performance.now() - start) / countShare;
    return last;
  };
}

/** The run on the same machine goes first. Where threads have no priority of their own, all of the viewer gives way. */
function giveWay(): void {
  try {
    setPriority(10);
  } catch {
    // Not allowed: then it does not.
  }
}

const port = parentPort;
// The server beside it gives the work, in this shape.
const given: LiveWork = workerData;
if (port !== null) await watch(given, (live) => port.postMessage(live));
