import type { Postgres } from "../postgres/connection.ts";
import type { DatabaseLink } from "../postgres/database-link.ts";
import type { Queue } from "../postgres/queue.ts";
import type { WorkerFolder } from "./folder.ts";

/** Serves all parts of a worker. */
export interface WorkerSite {
  db: Postgres;
  /** The way to the database, which may be away for a while. */
  link: DatabaseLink;
  queue: Queue;
  own: WorkerFolder;
  tell: (line: string) => void;
}
