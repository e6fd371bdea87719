import { createHash } from "node:crypto";
import { z } from "zod";
import type { Postgres } from "./connection.ts";

/** Facts by which a worker knows whether it can serve a chunk. */
export interface ChunkKind {
  /** Id of the service. */
  service: number;
  deployment: string;
  /** Version of tandem that the batch was planned with. */
  version: string;
}

/** Name of the queue of all chunks of a kind: a worker asks only those queues that it can serve. */
export function chunkQueue({ service, deployment, version }: ChunkKind): string {
  const named = createHash("sha256")
    .update(JSON.stringify([deployment, version]))
    .digest("hex");
  return `slices-${service}-${named.slice(0, 16)}`;
}

/** A chunk as a worker has fetched it. Another time that the same chunk is worked at has another number. */
export interface FetchedChunk {
  id: string;
  tries: number;
  batch: number;
  slice: number;
}

/** The chunk that work is; a stranger may have written it by hand. */
const chunkData = z.object({ batch: z.number().int(), slice: z.number().int() });

/** Puts open chunks of a batch into a queue, which is made where it is missing; one that is there, or that a worker has, stays where it is. */
export async function putChunks(db: Postgres, queue: string, batch: number, chunks: readonly number[]): Promise<void> {
  await db.query("SELECT tandem.put_slices($1, $2, $3)", [queue, batch, chunks]);
}

/** Fetches the chunks of a queue that have waited the longest; a queue that nobody has made has none. */
export async function fetchChunks(db: Postgres, queue: string, most: number): Promise<FetchedChunk[]> {
  const rows = await db.query<{ id: string; tries: number; data: unknown }>(
    "SELECT id, tries, data FROM tandem.fetch_slices($1, $2)",
    [queue, most],
  );
  const fetched: FetchedChunk[] = [];
  for (const { id, tries, data } of rows) {
    const { data: known } = chunkData.safeParse(data);
    if (known === undefined) await completeChunk(db, queue, { id, tries });
    else fetched.push({ id, tries, ...known });
  }
  return fetched;
}

type Own = Pick<FetchedChunk, "id" | "tries">;

/** Gives a sign for chunks; resolves with the ids of what is still the caller's. */
export async function touchFetched(db: Postgres, queue: string, own: readonly Own[]): Promise<Set<string>> {
  if (own.length === 0) return new Set();
  const rows = await db.query<{ id: string }>("SELECT id FROM tandem.touch_slices($1, $2, $3) AS id", [
    queue,
    own.map(({ id }) => id),
    own.map(({ tries }) => tries),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Ends a chunk: nothing of it is kept in its queue. */
export async function completeChunk(db: Postgres, queue: string, { id, tries }: Own): Promise<void> {
  await db.query("SELECT tandem.complete_slice($1, $2, $3)", [queue, id, tries]);
}

/** Puts a chunk back, for whoever comes next. */
export async function giveChunkBack(db: Postgres, queue: string, { id, tries }: Own): Promise<void> {
  await db.query("SELECT tandem.give_slice_back($1, $2, $3)", [queue, id, tries]);
}

/** Puts chunks back of which no worker gives a sign any more. */
export async function returnLostChunks(db: Postgres): Promise<void> {
  await db.query("SELECT tandem.return_lost_slices()");
}
