import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { enterWorker, type SyncAsked, sync, takeChunk } from "../../src/workers/postgres/calls.ts";
import { fileDatabase } from "../postgres.ts";

const db = fileDatabase();

/** A running batch with one chunk of four jobs; gives its number. */
async function chunkOfFour(): Promise<number> {
  const [batch] = await db().query<{ no: number }>(
    `INSERT INTO tandem.batch (id, name, head, in_doubt, limits, state, created_at, submitter, submitter_seen_at)
     VALUES (gen_random_uuid(), 'b', '{}', 'hold', '{}', 'running', 0, 's', 0) RETURNING no`,
  );
  const no = batch?.no ?? 0;
  await db().query("INSERT INTO tandem.lane VALUES ($1, 1, 'prod/video-bots', 'q', 'prod', 4)", [no]);
  await db().query(
    "INSERT INTO tandem.chunk (batch, id, lane, jobs, waits, tried, body, is_first) VALUES ($1, 1, 1, '{1,2,3,4}', '{0,0,0,0}', '{0,0,0,0}', '', false)",
    [no],
  );
  return no;
}

async function worker(): Promise<string> {
  const id = randomUUID();
  await enterWorker(db(), { id, name: id.slice(0, 4), host: "h", version: "1" });
  return id;
}

const fallsSilent = (id: string): Promise<unknown> =>
  db().query("UPDATE tandem.worker SET seen_at = seen_at - 60000 WHERE id = $1", [id]);

const take = (id: string, batch: number, claim: string): ReturnType<typeof takeChunk> =>
  takeChunk(db(), { worker: id, batch, chunk: 1, claim });

const tell = (id: string, chunk: Partial<SyncAsked["chunks"][number]> & { batch: number; claim: string }) =>
  sync(db(), {
    worker: id,
    inFlight: 0,
    results: [],
    notes: [],
    chunks: [{ chunk: 1, mark: 0, ends: false, isDone: false, unsent: [], ...chunk }],
    accounts: [],
  });

async function doubts(batch: number): Promise<number[]> {
  const rows = await db().query<{ job: number }>(
    "SELECT job FROM tandem.result WHERE batch = $1 AND rank = 0 ORDER BY job",
    [batch],
  );
  return rows.map(({ job }) => job);
}

test("the books of an earlier claim do not release what the same worker may have sent under a later one", async () => {
  const batch = await chunkOfFour();
  const [first, other] = [await worker(), await worker()];
  await take(first, batch, "e.0");
  await fallsSilent(first);
  await take(first, batch, "e.1");
  await tell(first, { batch, claim: "e.1", mark: 3 });
  await fallsSilent(first);
  expect(await take(other, batch, "e.2")).toMatchObject({ mark: 3 });
  expect(await doubts(batch)).toEqual([1, 2, 3]);
  await tell(first, { batch, claim: "e.0", ends: true, unsent: [1, 2, 3, 4] });
  expect(await doubts(batch)).toEqual([1, 2, 3]);
  await tell(first, { batch, claim: "e.1", ends: true, unsent: [3, 4] });
  expect(await doubts(batch)).toEqual([1, 2]);
});

test("only a later attempt of the same entry takes a chunk from a worker that gives signs", async () => {
  const batch = await chunkOfFour();
  const [first, other] = [await worker(), await worker()];
  await take(first, batch, "e.1");
  expect(await take(first, batch, "e.1")).toMatchObject({ jobs: [1, 2, 3, 4] });
  for (const claim of ["e.0", "e.1", "f.0", "f.2"])
    expect({ claim, taken: await take(other, batch, claim) }).toEqual({ claim, taken: "not now" });
  for (const claim of ["e.0", "f.2"])
    expect({ claim, taken: await take(first, batch, claim) }).toEqual({ claim, taken: "not now" });
  expect(await take(other, batch, "e.2")).toMatchObject({ jobs: [1, 2, 3, 4] });
  await tell(other, { batch, claim: "e.2", ends: true, isDone: true });
  expect(await take(first, batch, "f.0")).toBe("over");
});

test("a run that the service has taken ends a doubt when its worker is back, and is asked for by whoever drives the chunk next", async () => {
  const batch = await chunkOfFour();
  const [first, other, last] = [await worker(), await worker(), await worker()];
  await take(first, batch, "e.0");
  await tell(first, { batch, claim: "e.0", mark: 2 });
  await fallsSilent(first);
  await take(other, batch, "e.1");
  expect(await doubts(batch)).toEqual([1, 2]);
  const run = { batch, job: 1, number: 1, rank: 1, row: "{}", requests: 0, failures: 0, cost: 0 } as const;
  await sync(db(), { worker: first, inFlight: 0, results: [run], notes: [], chunks: [], accounts: [] });
  expect(await doubts(batch)).toEqual([2]);
  const { chunks } = await tell(other, { batch, claim: "e.1", ends: true, isDone: true });
  expect(chunks).toMatchObject([{ isHeld: true, isDone: false }]);
  expect(await take(last, batch, "e.2")).toMatchObject({ jobs: [1, 2, 3, 4] });
  expect(await doubts(batch)).toEqual([2]);
});
