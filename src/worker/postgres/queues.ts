import { createHash } from "node:crypto";
import { z } from "zod";
import type { Postgres } from "./connection.ts";

/** Facts by which a worker knows whether it can serve a slice. */
export interface SliceKind {
  /** Id of the service. */
  service: number;
  deployment: string;
  /** Version of tandem that the batch was planned with. */
  version: string;
}

/** Name of the queue of all slices of a kind: a worker asks only those queues that it can serve. */
export function sliceQueue({ service, deployment, version }: SliceKind): string {
  const named = createHash("sha256")
    .update(JSON.stringify([deployment, version]))
    .digest("hex");
  return `slices-${service}-${named.slice(0, 16)}`;
}

/** A slice as a worker has fetched it. Another time that the same slice is worked at has another number. */
export interface FetchedSlice {
  id: string;
  tries: number;
  batch: number;
  slice: number;
}

/** The slice that work is; a stranger may have written it by hand. */
const sliceData = z.object({ batch: z.number().int(), slice: z.number().int() });

/** Puts open slices of a batch into a queue, which is made where it is missing; one that is there, or that a worker has, stays where it is. */
export async function putSlices(db: Postgres, queue: string, batch: number, slices: readonly number[]): Promise<void> {
  await db.query("SELECT tandem.put_slices($1, $2, $3)", [queue, batch, slices]);
}

/** Fetches the slices of a queue that have waited the longest; a queue that nobody has made has none. */
export async function fetchSlices(db: Postgres, queue: string, most: number): Promise<FetchedSlice[]> {
  const rows = await db.query<{ id: string; tries: number; data: unknown }>(
    "SELECT id, tries, data FROM tandem.fetch_slices($1, $2)",
    [queue, most],
  );
  const fetched: FetchedSlice[] = [];
  for (const { id, tries, data } of rows) {
    const { data: known } = sliceData.safeParse(data);
    if (known === undefined) await completeSlice(db, queue, { id, tries });
    else fetched.push({ id, tries, ...known });
  }
  return fetched;
}

type Own = Pick<FetchedSlice, "id" | "tries">;

/** Gives a sign for slices; resolves with the ids of what is still the caller's. */
export async function touchFetched(db: Postgres, queue: string, own: readonly Own[]): Promise<Set<string>> {
  if (own.length === 0) return new Set();
  const rows = await db.query<{ id: string }>("SELECT id FROM tandem.touch_slices($1, $2, $3) AS id", [
    queue,
    own.map(({ id }) => id),
    own.map(({ tries }) => tries),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Ends a slice: nothing of it is kept in its queue. */
export async function completeSlice(db: Postgres, queue: string, { id, tries }: Own): Promise<void> {
  await db.query("SELECT tandem.complete_slice($1, $2, $3)", [queue, id, tries]);
}

/** Puts a slice back, for whoever comes next. */
export async function giveSliceBack(db: Postgres, queue: string, { id, tries }: Own): Promise<void> {
  await db.query("SELECT tandem.give_slice_back($1, $2, $3)", [queue, id, tries]);
}

/** Puts slices back of which no worker gives a sign any more. */
export async function returnLostSlices(db: Postgres): Promise<void> {
  await db.query("SELECT tandem.return_lost_slices()");
}
