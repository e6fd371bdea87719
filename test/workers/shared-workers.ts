import { afterAll, beforeAll } from "vitest";
import { newDatabase } from "../postgres.ts";
import { endWorker, isThere, spawnWorker, type WorkerProcess, type WorkerProcessOptions } from "./worker-process.ts";

/** A database and workers that the tests of a file share; gives its connection string. */
export function sharedWorkers(all: readonly WorkerProcessOptions[]): () => string {
  let shared: { url: string; drop: () => Promise<void> } | undefined;
  let workers: WorkerProcess[] = [];
  beforeAll(async () => {
    const made = await newDatabase(false);
    shared = made;
    workers = all.map((options) => spawnWorker(made.url, options));
    await Promise.all(workers.map(isThere));
  });
  afterAll(async () => {
    await Promise.all(workers.map(endWorker));
    await shared?.drop();
  });
  return () => shared?.url ?? "";
}
