import { dirname } from "node:path";
import { AppError } from "../errors.ts";
import { folderFlag } from "../lib/paths/results-folder.ts";

/** The reasons for which SQLite fails although its statements are right: the person at the keyboard can do something about each. */
type Obstacle = "locking" | "disk" | "unreadable" | "busy" | "refused" | "damaged";

/** Codes of SQLite by obstacle, the first that fits. Every other code is a fault in tandem itself. */
const codesOf: readonly [obstacle: Obstacle, codes: RegExp][] = [
  // There is no room for the index of the log.
  ["disk", /^SQLITE_IOERR_SHM(OPEN|SIZE)$/],
  ["unreadable", /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS|DATA)$/],
  ["locking", /^SQLITE_(IOERR_(LOCK|UNLOCK|RDLOCK|CHECKRESERVEDLOCK|SHM\w+|BLOCKED)|NOLFS)$/],
  ["disk", /^SQLITE_(FULL|IOERR)/],
  ["busy", /^SQLITE_(BUSY|LOCKED|PROTOCOL)/],
  ["refused", /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/],
  ["damaged", /^SQLITE_(CORRUPT|NOTADB)/],
];

const recovery =
  "Keep the file and its -wal file: `sqlite3 tandem.db .recover` saves what can be read. Run into another folder with --results.";

/** The words for an obstacle: `reason` is SQLite's own, `next` is what to do when it is gone. */
const words: Record<
  Obstacle,
  { message: (database: string, reason: string) => string; advice: (next: string) => string }
> = {
  locking: {
    message: (database, reason) => `Could not lock ${database}: ${reason}`,
    advice: (next) =>
      `The file system there cannot lock files as SQLite needs it (a network drive?): move the folder to a local disk, or choose another with --results, then ${next}.`,
  },
  disk: {
    message: (database, reason) => `Could not write to ${database}: ${reason}`,
    advice: (next) => `Make room on the disk, then ${next}.`,
  },
  unreadable: {
    message: (database, reason) => `Could not read ${database}: ${reason}`,
    advice: () => `Look whether the disk is well. ${recovery}`,
  },
  busy: {
    message: (database, reason) => `Could not write to ${database}, which another process holds: ${reason}`,
    advice: (next) => `Wait for that process or stop it, then ${next}.`,
  },
  refused: {
    message: (database, reason) => `Could not write to ${database}: ${reason}`,
    advice: (next) => `Look whether the file is still there, and who may write it and its folder, then ${next}.`,
  },
  damaged: {
    message: (database, reason) => `Could not read ${database}, which is damaged: ${reason}`,
    advice: () => recovery,
  },
};

/** The state of things when the database failed, and what to do when the obstacle is gone. */
interface Situation {
  kept: string;
  next: string;
}

const tryAgain: Situation = { kept: "What was committed is kept.", next: "try again" };

/**
 * The AppError for an obstacle that SQLite met, with advice: a disk that is full or fails, a lock, a file that may not be
 * written or is damaged. Every other error comes back as it is, also one of SQLite: that is a fault in tandem itself.
 */
export function storeFailure(database: string, error: unknown, situation = tryAgain): unknown {
  const obstacle = obstacleOf(error);
  if (obstacle === null) return error;
  const { message, advice } = words[obstacle];
  const reason = error instanceof Error ? error.message : String(error);
  const hint = `${situation.kept} ${advice(situation.next)}`;
  return new AppError("STORE_FAILED", message(database, reason), { hint, cause: error });
}

/** Sending goes on with a resume of the batch. */
export function toResume(database: string): Situation {
  const flag = folderFlag(dirname(database));
  return { kept: "What was committed is kept.", next: `continue with \`tandem resume${flag}\`` };
}

/** The reason for which SQLite could not do its work; null for a fault in tandem, and for an error that is none of SQLite. */
export function obstacleOf(error: unknown): Obstacle | null {
  const code = sqliteCode(error);
  if (code === null) return null;
  return codesOf.find(([, codes]) => codes.test(code))?.[0] ?? null;
}

/** True where SQLite could not write, or not make a file that it needs beside a database: a full disk looks like either. */
export function needsRoom(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR_(WRITE|SHM\w+))$/.test(sqliteCode(error) ?? "");
}

/** The code of an error of SQLite, also of one that came from another thread; null for every other. */
function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" && error.code.startsWith("SQLITE_") ? error.code : null;
}

/** Makes a write that the next process makes good when it cannot be made now. */
export function tryToWrite(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
  }
}
