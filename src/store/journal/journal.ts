import type { Journal, Sending, Settlement } from "../../runner/journal.ts";
import type { Connection } from "../connection.ts";
import { execute } from "../sqlite.ts";
import { attemptWriter } from "./attempt-writer.ts";
import { GroupCommit } from "./group-commit.ts";
import { jobReader } from "./job-reader.ts";
import { statSync } from "node:fs";
import { AppError } from "../../errors.ts";

/** No rate looks further back: the longest window that a rate can have, with a margin. */
const longestWindowMs = 25 * 3_600_000;

/**
 * An entry that is committed with others: an attempt that begins, the result of one, or anything else to be written.
 */
type Entry = Sending | Settlement | (() => void);

/** The runner's journal of one batch, kept in SQLite with one commit for each turn of the event loop. */
export function createJournal(
  db: Connection,
  batchId: number,
  /** Only jobs up to this one are pending. */
  upTo: number = Number.MAX_SAFE_INTEGER,
): Journal {
  execute(db, "DELETE FROM rate_slot WHERE at < ?", [Date.now() - longestWindowMs]);
  const write = attemptWriter(db);
  const check = movedFileWatch(db);
  const commits = new GroupCommit<Entry>(db, (entries) => {
    for (const entry of entries) {
      if (typeof entry === "function") entry();
      else if ("outcome" in entry) write.settle(entry);
      else write.begin(entry);
    }
  });
  return {
    ...jobReader(db, batchId, upTo),
    sending: (entry) => commits.add(entry),
    now: Date.now,
    async giveBack({ jobId }) {
      await commits.add(() => write.giveBack(jobId));
    },
    async taken(entry) {
      await commits.add(() => write.taken(entry));
    },
    settle: (entry) => commits.add(entry),
    async conclude(jobId, number, kind) {
      await commits.add(() => write.conclude(jobId, number, kind));
    },
    async skip(jobId, reason) {
      let skipped = 0;
      await commits.add(() => {
        skipped = write.skip(jobId, reason);
      });
      return skipped;
    },
    async stopTarget(targetId, reason) {
      await commits.add(() => write.stopTarget(targetId, reason));
    },
    check,
    async noteOutage(entry) {
      await commits.add(() => write.outage(batchId, entry));
    },
    async noteBack(deployment, endpoint, at) {
      await commits.add(() => write.back(batchId, { deployment, endpoint, at }));
    },
    async notePace(entry) {
      await commits.add(() => write.pace(batchId, entry));
    },
  };
}

/** Which file lies at a path: another one, or none, has another identity. */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

/**
 * Watches whether the file of an open database, and its -wal file, are still at their places. The result throws
 * STORE_FAILED when they are not: the system lets go on writing into a file that has no name any more, and all of that
 * would be lost. Call it when something has been written by this connection.
 */
function movedFileWatch(db: Connection): () => void {
  const paths = [db.name, `${db.name}-wal`];
  const before = paths.map(identityOf);
  return () => {
    const moved = paths.find((path, index) => identityOf(path) !== before[index]);
    if (moved === undefined) return;
    const happened = identityOf(moved) === "" ? "was deleted or moved away" : "was replaced by another file";
    throw new AppError("STORE_FAILED", `${moved} ${happened} while the run was going on. Nothing more is sent.`, {
      hint: "Answers that came since are in no file. Put the file back where it was and continue with `tandem resume`, or run again.",
    });
  };
}
