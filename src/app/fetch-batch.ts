import { existsSync } from "node:fs";
import { AppError } from "../errors.ts";
import { atWorkers, noteAtWorkers } from "../store/at-workers.ts";
import { type Batch, isBatch, listBatches } from "../store/batches.ts";
import type { Connection } from "../store/connection.ts";
import { databasePath, openDatabase } from "../store/database.ts";
import type { Postgres } from "../worker/postgres/connection.ts";
import { pullAgain } from "../worker/postgres/rejoin.ts";
import { batchFile, plannedThere } from "../worker/postgres/submit.ts";
import { remoteBatches, type RemoteBatch } from "../worker/postgres/watch.ts";
import { batchFromFile } from "./batch-file.ts";

export interface FetchRequest {
  /** The results folder. */
  out: string;
  namespace: string;
  /** Its name; null: the latest that is not finished, unless this folder has one to go on with. */
  batch: string | null;
}

/** Fetches a batch that was submitted on another machine; null: this folder has the one that is meant. */
export async function fetchBatch(
  workers: Postgres,
  { out, namespace, batch: name }: FetchRequest,
): Promise<Batch | null> {
  if (existsSync(databasePath(out)) && hasIt(out, name)) return null;
  const there = await remoteBatches(workers, { namespace, ...(name !== null && { name }) });
  const remote = name === null ? there.find(({ state }) => state !== "finished") : there[0];
  // Whoever resumes says which batches there are here.
  if (remote === undefined) return existsSync(databasePath(out)) ? null : missing(namespace, name);
  using db = openDatabase(databasePath(out));
  const known = listBatches(db).find(({ id }) => atWorkers(db, id)?.remote === remote.id);
  if (known !== undefined) return null;
  return await fetched(db, workers, remote);
}

/** True where a folder has a batch of this name, or any that workers may be sending. */
function hasIt(out: string, name: string | null): boolean {
  using db = openDatabase(databasePath(out), { reading: true });
  if (name !== null) return isBatch(db, name) || !/-\d{8}-\d{6}/.test(name);
  return listBatches(db).some(({ id, state }) => atWorkers(db, id)?.rests === false || state !== "finished");
}

async function fetched(db: Connection, workers: Postgres, { no, id, namespace, name }: RemoteBatch): Promise<Batch> {
  const planned = await plannedThere(workers, no);
  if (planned === null) {
    throw new AppError(
      "WORKERS_BATCH",
      `${name} was not uploaded to its end: only the machine that began it can resume it.`,
      { hint: `Resume it there (tandem resume ${name} --workers URL), or remove it: tandem workers remove ${name}` },
    );
  }
  const batch = await batchFromFile(db, partsOf(workers, no));
  noteAtWorkers(db, batch.id, { remote: id, namespace, name, planned });
  await pullAgain(workers, no);
  return batch;
}

async function* partsOf(workers: Postgres, no: number): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const bytes = await batchFile(workers, no, part);
    if (bytes === null) return;
    yield bytes;
  }
}

function missing(namespace: string, name: string | null): never {
  const what = name === null ? "no batch that is not finished" : `no batch ${name}`;
  throw new AppError("WORKERS_BATCH", `The workers have ${what} in the namespace ${namespace}.`, {
    hint: "`tandem workers URL` lists what they have; --namespace names another.",
  });
}
