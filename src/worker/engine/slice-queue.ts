import { createHash } from "node:crypto";
import { z } from "zod";
import type { Waiting } from "./engine.ts";

/** Facts by which a worker knows whether it can serve a slice. */
export interface SliceKind {
  /** Id of the service. */
  service: number;
  deployment: string;
  /** Version of tandem that the batch was planned with. */
  version: string;
}

/** A slice as the engine carries it. */
export const sliceRef = z.object({ batch: z.number().int(), slice: z.number().int() });
export type SliceRef = z.infer<typeof sliceRef>;

/** Name of the queue of all slices of a kind: a worker asks only those queues that it can serve. */
export function sliceQueue({ service, deployment, version }: SliceKind): string {
  const named = createHash("sha256")
    .update(JSON.stringify([deployment, version]))
    .digest("hex");
  return `slices-${service}-${named.slice(0, 16)}`;
}

/** A slice to be put into its queue: however often that is done, it is there once. `batchId`: the batch's UUID. */
export function waitingSlice(batchId: string, ref: SliceRef): Waiting {
  const hash = createHash("sha256").update(`${batchId} ${ref.slice}`).digest("hex");
  // A UUID of version 8: its bits are the maker's own.
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return { id: [...parts, hash.slice(20, 32)].join("-"), data: ref };
}
