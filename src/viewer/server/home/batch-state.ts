import { batchProgress, type BatchProgress } from "../../../store/batch-overview.ts";
import type { Connection } from "../../../store/connection.ts";
import { holderOf } from "../../../store/lock.ts";

/** A batch as it stands now. */
export interface BatchNow {
  id: number;
  name: string;
  /** `finished`, `running`, `killed`, `grading` ... */
  state: string;
  reason: string | null;
  createdAt: number;
  finishedAt: number | null;
  /** When a process worked on it last; null: none did. */
  workedAt: number | null;
}

/** The state of a batch in a list: what has ended for longer, and is held by nobody, is as its row says. */
export function stateInList(
  db: Connection,
  { id, state, finishedAt, isLocked }: { id: number; state: string; finishedAt: number | null; isLocked: 0 | 1 },
): string {
  const isSettled = !isAtWork(state) && isLocked === 0 && !isFresh(finishedAt ?? 0);
  return isSettled ? state : batchState(db, id).state;
}

/** Longest moment in which a batch is held by nobody, between its stages. */
const pauseMs = 5000;

/** A process that was killed had no time to say so; one that grades has said already that it is finished. */
export function batchState(db: Connection, id: number): BatchNow {
  const progress = batchProgress(db, id);
  const { name = "", reason = null, createdAt = 0, finishedAt = null, workedAt = null } = progress ?? {};
  const state = progress === null ? "forgotten" : stateOf(db, id, progress);
  return { id, name, state, reason, createdAt, finishedAt, workedAt };
}

function stateOf(db: Connection, id: number, progress: BatchProgress): string {
  const { state, createdAt, finishedAt, hasScorers, scoredAt } = progress;
  const isHeld = holderOf(db, id) !== null;
  if (state === "running" || state === "planned" || state === "reading") {
    return isHeld || (state === "planned" && isFresh(createdAt)) ? state : "killed";
  }
  const isScored = !hasScorers || (scoredAt !== null && scoredAt >= (finishedAt ?? 0));
  return !isScored && (isHeld || isFresh(finishedAt ?? 0)) ? "grading" : state;
}

/** By the date of another process: one from a clock that was ahead is not fresh until it is there again. */
function isFresh(at: number): boolean {
  return Math.abs(Date.now() - at) < pauseMs;
}

/** It has not come to its end. */
export function isAtWork(state: string): boolean {
  return state === "running" || state === "planned" || state === "reading" || state === "grading";
}
