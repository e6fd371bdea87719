import type { Batch } from "../batches.ts";
import type { Connection } from "../connection.ts";

/** A batch that becomes a part of another, with the connection to read it by: one of its own. */
export interface BatchPart {
  db: Connection;
  batch: Batch;
  /** Its name in messages. */
  name: string;
}
