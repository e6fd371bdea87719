import { describe, expect, test } from "vitest";
import { bePatient } from "../e2e/tandem.ts";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { submit } from "./submitted.ts";
import { startWorker, type WorkerProcessOptions } from "./worker-process.ts";

/** A worker with four requests in flight that are answered when that is asked for; more wait for it. */
async function sending(options: WorkerProcessOptions = {}) {
  const url = await testDatabase();
  const { promise: when, resolve: answer } = Promise.withResolvers<void>();
  const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
  const batch = await submit(url, service.url, { jobs: 20, slice: 10, deployment: { concurrency: 4 } });
  const worker = await startWorker(url, options);
  await expect.poll(() => service.running, { timeout: 30_000 }).toBe(4);
  return { url, service, batch, worker, answer };
}

describe("a worker that is told to end", () => {
  test("says how many are in flight and for how long at the most, finishes them, and leaves the rest to others", async () => {
    const { url, service, batch, worker, answer } = await sending();
    worker.child.kill("SIGTERM");
    await expect
      .poll(worker.err)
      .toMatch(
        /Interrupted: the rest goes to other workers; finishing 4 in flight, for at most (1m 0s|\d+s)\. Another SIGTERM gives up on them\./,
      );
    answer();
    expect(await worker.ended).toBe(143);
    expect(worker.err()).not.toContain("Giving up");
    expect(await batch.books()).toMatchObject({ attempts: { ok: 4 }, doubts: 0 });
    expect(service.received).toHaveLength(4);
    await startWorker(url);
    await batch.finished();
    expect(service.received).toHaveLength(20);
  });

  test("gives them up by itself after --grace, and they are in doubt", async () => {
    const { batch, worker } = await sending({ args: ["--grace", "500ms"] });
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(143);
    expect(worker.err()).toContain("Giving up on the 4 in flight: they are in doubt.");
    await expect.poll(async () => (await batch.books()).doubts, { timeout: 30_000 }).toBe(4);
  });

  test("gives them up at a second signal", async () => {
    const { worker } = await sending({ inGroupOfItsOwn: true });
    worker.child.kill("SIGTERM");
    await expect.poll(worker.err).toContain("finishing 4 in flight");
    await bePatient();
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(143);
    expect(worker.err()).toContain("Giving up on the 4 in flight: they are in doubt.");
  });
});
