import { describe, expect, test } from "vitest";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import { DatabaseClock } from "../../src/worker/journal/lease.ts";
import type { SentResult } from "../../src/worker/journal/result.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { TakeDesks } from "../../src/worker/serve/take-desks.ts";
import { fileDatabase } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase(4);

/** The desks of a worker with one request in flight, at a service that lets one be. */
async function desks() {
  const db = database();
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { jobs: 5, concurrency: 1 });
  await take(db, { worker, token: "first", batch, service, jobs: [{ job: 1, number: 1 }] });
  const found: unknown[] = [];
  const made = new TakeDesks({
    workerId: worker,
    db,
    link: new DatabaseLink({ passes: () => false, onAway: () => {}, onBack: () => {} }),
    lease: { isHeld: true },
    clock: new DatabaseClock(),
    faults: { within: (_batch, work) => work(), found: (_batch, error) => found.push(error) },
  });
  const ask = (at: number, job: number): Promise<boolean> =>
    made
      .counter({ batch, service: at }, { onOutcome: () => {}, onWaited: () => {}, onStopped: () => {} })
      .ask({ job, number: 1 });
  const result = (job: number): SentResult => ({ worker, ...answer(batch, job) });
  return { made, worker, service, ask, result, found };
}

describe("a question for leave that goes with results", () => {
  test("has the place of the one that ended, though no place was free before", async () => {
    const { made, worker, service, ask, result, found } = await desks();
    const leave = ask(service, 2);
    expect(await made.settle(worker, [result(1)])).toEqual(["landed"]);
    expect(await leave).toBe(true);
    expect(found).toEqual([]);
  });

  test("holds up no result by a fault of its own", async () => {
    const { made, worker, ask, result, found } = await desks();
    const leave = ask(999_999, 2);
    expect(await made.settle(worker, [result(1)])).toEqual(["landed"]);
    expect(await leave).toBe(false);
    expect(String(found)).toContain("no service 999999");
  });
});
