import { statSync } from "node:fs";
import { AppError } from "../errors.ts";
import type { Connection } from "./connection.ts";

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
export function movedFileWatch(db: Connection): () => void {
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
