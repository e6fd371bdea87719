import { openAttempts } from "../../store/journal/in-doubt.ts";
import { storedAttempts } from "../../store/journal/job-states.ts";
import { chunkNow, sync } from "../postgres/calls.ts";
import { type Fetched, fetchedOf } from "../postgres/queue.ts";
import { ChunkFile, type ChunkName, leftChunks } from "./chunk-file.ts";
import type { KnownBatch, KnownBatches } from "./known-batches.ts";
import type { WorkerSite } from "./site.ts";

/** A chunk that is begun to be driven. */
export interface BegunChunk {
  fetched: Fetched;
  batch: KnownBatch;
  lane: number;
  file: ChunkFile;
  jobs: number[];
  mark: number;
  isFirst: boolean;
  isLeft: boolean;
}

interface LeftOptions {
  batches: KnownBatches;
  /** Begins to drive a chunk; false: it is left to others. */
  begin: (chunk: BegunChunk) => Promise<boolean>;
}

/** Chunks that an earlier process of this folder had: they go on where they are still this worker's, and hand in what they have. */
export async function takeUpLeft(site: WorkerSite, { batches, begin }: LeftOptions): Promise<void> {
  const { db, link, queue, own, tell } = site;
  for (const name of leftChunks(own.chunks)) {
    const now = await link.patiently(() => chunkNow(db, name));
    if (now === null) {
      tell(`results of a batch that ${db.shown} has no more are left in ${own.chunks}`);
      continue;
    }
    const file = ChunkFile.open(own.chunks, name);
    if (file === null) continue;
    const batch = await batches.of(now.no);
    const isOwn = now.isOpen && now.worker === own.id && now.claim === name.claim;
    if (!isOwn || batch === null) {
      await handIn(site, now.no, { name, file });
      continue;
    }
    const fetched = fetchedOf(name.claim, { queue: now.queue, batch: now.no, chunk: name.chunk });
    const { lane, jobs, mark, isFirst } = now;
    if (await begin({ fetched, batch, lane, file, jobs, mark, isFirst, isLeft: true })) continue;
    await handIn(site, now.no, { name, file });
    await link.patiently(() => queue.giveBack(fetched));
  }
}

/** Hands in what is known of a chunk that others have by now, and says what had not left. */
async function handIn(
  { db, link, own, tell }: WorkerSite,
  no: number,
  { name, file }: { name: ChunkName; file: ChunkFile },
): Promise<void> {
  const results = storedAttempts(file.db).flatMap(({ job, number }) => {
    const found = file.result(job, number);
    return found === null ? [] : [{ ...found, batch: no, requests: number === 0 ? 0 : 1, failures: 0, cost: 0 }];
  });
  // A later turn may have left before anybody heard that the one before it was answered.
  for (const { jobId: job, attempt: number } of openAttempts(file.db, file.batch.id))
    results.push({ job, number, rank: 0, row: null, batch: no, requests: 0, failures: 0, cost: 0 });
  const { chunk: id, claim } = name;
  const chunk = { batch: no, chunk: id, claim, mark: 0, ends: true, isDone: false, unsent: file.unsent() };
  await link.patiently(() =>
    sync(db, { worker: own.id, inFlight: 0, results, notes: [], chunks: [chunk], accounts: [] }),
  );
  tell(`${file.batch.name}: ${results.length} results of an earlier start are handed in`);
  file.remove();
}
