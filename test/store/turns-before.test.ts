import { expect, test } from "vitest";
import { createJournal } from "../../src/store/journal/journal.ts";
import { turnsBefore } from "../../src/store/journal/job-reader.ts";
import { batchTargets } from "../../src/store/batches.ts";
import type { Connection } from "../../src/store/connection.ts";
import { cpuMs } from "../cpu-time.ts";
import { outcome } from "../runner/outcome.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

const turns = 10;

/** Stores conversations of ten turns, of which every turn but the last is answered; the jobs of the last turns. */
async function talks(db: Connection, conversations: number): Promise<number[]> {
  const cases = Array.from({ length: conversations * turns }, (_none, index) => {
    const cluster = `talk-${Math.floor(index / turns)}`;
    return oneCase(`${cluster}-${index % turns}`, { cluster, turn: (index % turns) + 1 });
  });
  const batch = await plannedBatch(db, cases);
  const journal = createJournal(db, batch.id);
  const ids = batchTargets(db, batch.id).map(({ id }) => id);
  for (let turn = 1; turn < turns; turn++) {
    const open = journal.pending(ids, 0, 10_000).filter((job) => job.turn === turn);
    const answered = outcome({ record: { id: "", url: "", createdAt: null, body: Buffer.from(`answer ${turn}`) } });
    const entry = { number: 1, queuedAt: 1, outcome: answered, final: true };
    await Promise.all(open.map(({ id: jobId }) => journal.settle({ jobId, ...entry })));
  }
  return journal.pending(ids, 0, 10_000).map(({ id }) => id);
}

test("a turn reads the turns before it, and costs as much in a file with many old rows as alone", async () => {
  const alone = temporaryDatabase();
  const few = await talks(alone, 5);
  const beside = temporaryDatabase();
  await plannedBatch(
    beside,
    Array.from({ length: 10_000 }, (_none, index) => oneCase(`old ${index}`)),
  );
  const many = await talks(beside, 5);
  const [first = 0] = many;
  expect(turnsBefore(beside, 1)(first).map(({ record }) => record)).toEqual(
    Array.from({ length: turns - 1 }, (_none, index) => `answer ${index + 1}`),
  );

  const cpuOf = (db: Connection, jobs: readonly number[]): number => {
    const read = turnsBefore(db, 1);
    const all = (): void => jobs.forEach((job) => read(job));
    all();
    return cpuMs(() => Array.from({ length: 20 }, all));
  };
  expect(few).toHaveLength(many.length);
  // Ten times as much, and more, where all jobs of the file were read.
  expect(cpuOf(beside, many)).toBeLessThan(3 * cpuOf(alone, few) + 25);
});
