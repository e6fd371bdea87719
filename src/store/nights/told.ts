import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** Notes that the verdict of a batch has been told to everybody who was to know. */
export function noteTold(db: Connection, batch: string, at: number): void {
  sqlite(db).prepare("UPDATE batch SET told_at = ? WHERE name = ?").run(at, batch);
}

/** True for a batch whose verdict has been told, as it was then. */
export function wasTold(db: Connection, batchId: number): boolean {
  return (
    sqlite(db).prepare<[number]>("SELECT 1 FROM batch WHERE id = ? AND told_at IS NOT NULL").get(batchId) !== undefined
  );
}
