import { AppError } from "../../errors.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { Postgres } from "../postgres/connection.ts";
import { type ServiceNow, servicesNow } from "../postgres/services.ts";
import { type RemoteBatch, remoteBatches, setWorkerState, type WorkerNow, workersNow } from "../postgres/watch.ts";
import type { WorkerState } from "../postgres/workers.ts";

/** Everything that is to be known of the workers of a PostgreSQL. */
export interface WorkersOverview {
  /** Host, port and database. */
  database: string;
  workers: WorkerNow[];
  /** The newest first. */
  batches: RemoteBatch[];
  services: ServiceNow[];
}

/** Looks who is there and what they do; `namespace`: whose batches. */
export async function workersOverview(db: Postgres, namespace: string): Promise<WorkersOverview> {
  const [workers, batches, services] = await Promise.all([
    workersNow(db),
    remoteBatches(db, { namespace }),
    servicesNow(db),
  ]);
  return { database: db.shown, workers, batches, services };
}

/** Asks workers for a state; without names all that are there. Returns the names. Throws USAGE for one that is not there. */
export async function askWorkers(db: Postgres, names: readonly string[], state: WorkerState): Promise<string[]> {
  const here = (await workersNow(db)).filter((worker) => worker.state !== "gone");
  const unknown = names.find((name) => here.every((worker) => worker.name !== name));
  if (unknown !== undefined) {
    const known = here.map(({ name }) => name);
    const list = known.length === 0 ? "No worker is there." : `There are: ${known.join(", ")}.`;
    throw new AppError("USAGE", `No worker ${unknown} is there.`, { hint: didYouMean(unknown, known) ?? list });
  }
  const asked = here.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const { id } of asked) await setWorkerState(db, id, state);
  return asked.map(({ name }) => name);
}

/** A batch by its name. Throws WORKERS_BATCH with the names that are there. */
export async function remoteBatchOf(db: Postgres, namespace: string, name: string): Promise<RemoteBatch> {
  const [found] = await remoteBatches(db, { namespace, name });
  if (found !== undefined) return found;
  const names = (await remoteBatches(db, { namespace })).map((batch) => batch.name);
  const list = names.length === 0 ? "They have none." : `They have: ${names.slice(0, 5).join(", ")}.`;
  throw new AppError("WORKERS_BATCH", `The workers have no batch ${name} in the namespace ${namespace}.`, {
    hint: didYouMean(name, names) ?? list,
  });
}
