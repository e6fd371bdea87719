import { batchProgress, type BatchProgress } from "../../../store/batch-overview.ts";
import { isFresh, type StateNow, stateNow } from "../../../store/batch-state.ts";
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
  { id, state, reason, finishedAt, isLocked }: StateNow & { id: number; finishedAt: number | null; isLocked: 0 | 1 },
): StateNow {
  const isSettled = !isAtWork(state) && isLocked === 0 && !isFresh(finishedAt ?? 0);
  return isSettled ? { state, reason } : batchState(db, id);
}

/** One that grades has said already that it is finished. */
export function batchState(db: Connection, id: number): BatchNow {
  const progress = batchProgress(db, id);
  const { name = "", createdAt = 0, finishedAt = null, workedAt = null } = progress ?? {};
  const { state, reason } = progress === null ? { state: "forgotten", reason: null } : stateOf(db, id, progress);
  return { id, name, state, reason, createdAt, finishedAt, workedAt };
}

function stateOf(db: Connection, id: number, progress: BatchProgress): StateNow {
  const { finishedAt, hasScorers, scoredAt } = progress;
  const now = stateNow(db, { id, ...progress });
  if (now.state !== "finished" && now.state !== "stopped") return now;
  const isScored = !hasScorers || (scoredAt !== null && scoredAt >= (finishedAt ?? 0));
  const isGrading = !isScored && (isFresh(finishedAt ?? 0) || holderOf(db, id) !== null);
  return isGrading ? { ...now, state: "grading" } : now;
}

/** It has not come to its end. */
export function isAtWork(state: string): boolean {
  return state === "running" || state === "planned" || state === "reading" || state === "grading";
}
