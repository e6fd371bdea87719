import { hostname } from "node:os";
import type { InDoubtPolicy } from "../../store/journal/in-doubt.ts";
import { openPostgres, type Postgres } from "../postgres/connection.ts";
import { openQueue, type Queue } from "../postgres/queue.ts";
import { checkSchema } from "../postgres/schema.ts";

/** A command's connection to the workers. */
export interface Session {
  db: Postgres;
  queue: Queue;
  /** The id of the database. */
  database: string;
  /** Who submits, for those who look. */
  submitter: string;
  /** The policy that the command names; null: that of the suite. */
  onInDoubt: InDoubtPolicy | null;
  /** Milliseconds for which a worker is waited for that serves what is left; null: without a limit. */
  waitsForMs: number | null;
  close: () => Promise<void>;
}

/** Connects to the workers' PostgreSQL. Throws WORKERS_*: nothing was sent. */
export async function openSession(url: string, options: Pick<Session, "onInDoubt" | "waitsForMs">): Promise<Session> {
  const db = await openPostgres(url, { most: 3, applicationName: "tandem submitter" });
  try {
    const database = await checkSchema(db);
    const queue = await openQueue(db, { supervises: false });
    const close = async (): Promise<void> => {
      await queue.close().catch(() => undefined);
      await db.close();
    };
    return { ...options, db, queue, database, submitter: `process ${process.pid} on ${hostname()}`, close };
  } catch (error) {
    await db.close();
    throw error;
  }
}
