import type { HeardOutage } from "../../runner/outage.ts";
import type { Postgres } from "./connection.ts";
import { numberList } from "./number-list.ts";

/** Answers to questions for runs that a service has taken, of one batch. All moments are on the database's clock. */
export interface AskedRuns {
  /** When the latest question was asked that the service answered itself; null: it answered none. */
  soundAt: number | null;
  /** Questions that a gateway answered. */
  gateway: readonly { job: number; askedAt: number }[];
  /** The latest status with which one did. */
  status: number | null;
}

/** Enters who answers the questions for a worker's runs. Returns the state of the service, for all who send to it. */
export async function noteAskedRuns(
  db: Postgres,
  { worker, batch, service }: { worker: string; batch: number; service: number },
  { soundAt, gateway, status }: AskedRuns,
): Promise<HeardOutage> {
  const [row] = await db.query<{ heard: HeardOutage }>(
    "SELECT tandem.note_asked($1, $2, $3, $4, $5, $6, $7) AS heard",
    [
      worker,
      batch,
      service,
      soundAt,
      numberList(gateway.map(({ job }) => job)),
      numberList(gateway.map(({ askedAt }) => askedAt)),
      status,
    ],
  );
  if (row === undefined) throw new Error("tandem.note_asked returned nothing");
  return row.heard;
}
