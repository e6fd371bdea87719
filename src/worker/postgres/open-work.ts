import type { Postgres } from "./connection.ts";
import { storable } from "./text.ts";

/** Requests of a running batch to one service for one deployment. */
export interface OpenWork {
  /** Number of the batch. */
  batch: number;
  /** Version of tandem that planned it. */
  version: string;
  service: number;
  serviceName: string;
  deployment: string;
  inDoubt: number;
}

/** Name of a kind of requests, by which workers tell what they serve: it is of one account, and says nothing of its key. */
export const workKind = ({
  service,
  version,
  deployment,
}: Pick<OpenWork, "service" | "version" | "deployment">): string => `${service} ${version} ${deployment}`;

export async function openWork(db: Postgres): Promise<OpenWork[]> {
  return db.query<OpenWork>(
    `SELECT batch, version, service, service_name AS "serviceName", deployment, in_doubt AS "inDoubt" FROM tandem.open_work()`,
  );
}

/** The suite of a batch as JSON text; null: there is no such batch. */
export async function suiteOf(db: Postgres, batch: number): Promise<string | null> {
  const [row] = await db.query<{ suite: string | null }>("SELECT tandem.suite_of($1) AS suite", [batch]);
  return row?.suite ?? null;
}

/** Stops the targets of a deployment in all batches that run, when every worker leaves it to others. True: it did. */
export async function stopUnserved(
  db: Postgres,
  { service, version, deployment }: { service: number; version: string; deployment: string },
  { reason, deadAfterMs }: { reason: string; deadAfterMs: number },
): Promise<boolean> {
  const [row] = await db.query<{ stopped: boolean }>("SELECT tandem.stop_unserved($1, $2, $3, $4, $5) AS stopped", [
    service,
    storable(version),
    storable(deployment),
    storable(reason),
    deadAfterMs,
  ]);
  return row?.stopped ?? false;
}
