import type { Postgres } from "../postgres/connection.ts";
import {
  countOldWorkers,
  type OldBatch,
  oldBatches,
  type PruneScope,
  removeFree,
  removeOldWorkers,
} from "../postgres/prune.ts";

/** Things of the workers' database that are old: those that would go, and batches that stay all the same. */
export interface RemotePrune {
  going: OldBatch[];
  /** Batches that are as old and were left, and why. */
  staying: { name: string; reason: string }[];
  /** Workers that had gone. */
  workers: number;
}

/** Looks what is old. */
export async function lookForOld(db: Postgres, scope: PruneScope): Promise<RemotePrune> {
  const old = await oldBatches(db, scope);
  return {
    going: old.filter(({ isFree }) => isFree),
    staying: old.filter(({ isFree }) => !isFree).map((batch) => ({ name: batch.name, reason: reasonOf(batch) })),
    workers: await countOldWorkers(db, scope.ageMs),
  };
}

/** Removes what was found, and tells what went: a batch with which somebody has gone on meanwhile stays. */
export async function removeOld(
  db: Postgres,
  { going, staying }: RemotePrune,
  scope: PruneScope,
): Promise<RemotePrune> {
  const gone = new Set<number>();
  // One by one: each may be millions of rows.
  for (const { no } of going) if (await removeFree(db, no)) gone.add(no);
  const kept = going.filter(({ no }) => !gone.has(no)).map(({ name }) => ({ name, reason: "somebody resumes it" }));
  return {
    going: going.filter(({ no }) => gone.has(no)),
    staying: [...staying, ...kept],
    workers: await removeOldWorkers(db, scope.ageMs),
  };
}

/** Says what somebody may still want of a batch; empty: nothing. */
function wantedWords({ unpulled, inFlight, inDoubt }: OldBatch): string {
  const wanted = [
    ...(inFlight > 0 ? [`${inFlight} in flight`] : []),
    ...(unpulled > 0 ? [`${unpulled} result${unpulled === 1 ? "" : "s"} that nobody has brought`] : []),
    ...(inDoubt > 0 ? [`${inDoubt} in doubt`] : []),
  ];
  return wanted.join(", ");
}

function reasonOf(batch: OldBatch): string {
  const { state } = batch;
  const wanted = wantedWords(batch);
  if (wanted !== "") return wanted;
  return state === "uploading" ? "it was not uploaded to its end" : `it is ${state}`;
}
