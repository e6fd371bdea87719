import { AppError } from "../errors.ts";
import { shellWord } from "../lib/shell-word.ts";
import type { Batch } from "./batches.ts";
import type { Connection } from "./connection.ts";
import { holderOf, lockBatch } from "./lock.ts";
import { inTransaction, selectValue } from "./sqlite.ts";

/** Longest moment in which a batch is held by nobody, between its stages. */
const pauseMs = 5000;

/** The state of a batch as people are told it. */
export interface StateNow {
  /** As its row says, or `killed`. */
  state: string;
  /** The reason why it stopped before its end; null otherwise. */
  reason: string | null;
}

/** The state of a batch beside the process that may have it: one that was killed had no time to write that it stopped. */
export function stateNow(
  db: Connection,
  { id, state, reason, createdAt }: Pick<Batch, "id" | "reason" | "createdAt"> & { state: string },
): StateNow {
  if (!isBeforeItsEnd(state) || holderOf(db, id) !== null) return { state, reason };
  if (state === "planned" && isFresh(createdAt)) return { state, reason };
  if (state !== "reading") return { state: "killed", reason };
  return isUnread(db, id) ? { state: "killed", reason: unreadReason } : { state: "planned", reason };
}

const isBeforeItsEnd = (state: string): boolean => state === "running" || state === "planned" || state === "reading";

const unreadReason = "its dataset was being read: nothing was sent";

/** By the date of another process: one from a clock that was ahead is not fresh until it is there again. */
export function isFresh(at: number): boolean {
  return Math.abs(Date.now() - at) < pauseMs;
}

/**
 * True for a batch whose process died while it read the dataset: nothing was sent, it cannot go on, and nobody misses it.
 * Whoever lives holds it until it is planned. So the holder is looked for first, and the state as it is then.
 */
export function isUnread(db: Connection, id: number): boolean {
  return (
    holderOf(db, id) === null && selectValue<string>(db, "SELECT state FROM batch WHERE id = ?", [id]) === "reading"
  );
}

/** Takes a batch whose process died while it read the dataset, for whoever removes it; null: it is none, or another was quicker. */
export function claimUnread(db: Connection, id: number): ReturnType<typeof lockBatch> | null {
  return inTransaction(db, () => (isUnread(db, id) ? lockBatch(db, id) : null));
}

/** Throws BATCH_UNREAD for a batch whose dataset is not read to its end: it has no jobs, and so nothing to compare, grade or send. */
export function checkRead(db: Connection, { id, name, state }: Pick<Batch, "id" | "name" | "state">): void {
  if (state !== "reading") return;
  const holder = holderOf(db, id);
  if (holder !== null) {
    throw new AppError("BATCH_UNREAD", `${name} still reads its dataset (process ${holder.pid} on ${holder.host}).`, {
      hint: "Wait until it is read.",
    });
  }
  if (!isUnread(db, id)) return;
  throw new AppError("BATCH_UNREAD", `${name} was killed while it read its dataset: nothing was sent.`, {
    hint: `It cannot be resumed: run the suite again, which removes what is left of it, or remove that with \`tandem batches remove ${shellWord(name)}\`.`,
  });
}
