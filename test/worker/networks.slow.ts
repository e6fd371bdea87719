import { setTimeout as delay } from "node:timers/promises";
import { expect, test, type TestContext } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { ownServer } from "../postgres.ts";
import { type FarMachine, farMachine, noFarMachine } from "./far-machine.ts";
import { type Submitted, sentOnce, type SubmittedOptions, submit } from "./submitted.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

/** Two machines: PostgreSQL, the service and a worker here, another worker behind two cables. */
interface Networks {
  toDatabase: FarMachine["cables"][0];
  toService: FarMachine["cables"][1];
  service: Service;
  batch: Submitted;
  far: WorkerProcess;
  /** Requests that the service has received from far. */
  ofFar: () => number;
}

const jobs = 900;

async function networks({ skip }: TestContext, deployment: SubmittedOptions["deployment"]): Promise<Networks> {
  const reason = noFarMachine();
  if (reason !== null) skip(reason);
  const { before, cables } = farMachine();
  const [toDatabase, toService] = cables;
  const server = await ownServer(["listen_addresses='*'"], { access: "local all all trust\nhost all all all trust\n" });
  const url = `postgres://tandem@${toDatabase.here}:${server.port}/tandem?sslmode=disable`;
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 150 }), 0, toService.here);
  const batch = await submit(server.url("tandem"), service.url, {
    jobs,
    slice: 50,
    deployment: { concurrency: 8, ...deployment },
  });
  const env = { TANDEM_ADDRESSES: service.url };
  const far = await startWorker(url, { before, env, args: ["--name", "far"] });
  await startWorker(url, { env, args: ["--name", "near"] });
  const ofFar = (): number => service.received.filter(({ from }) => from !== toService.here).length;
  await expect.poll(ofFar, { interval: 5, timeout: 60_000 }).toBeGreaterThan(20);
  return { toDatabase, toService, service, batch, far, ofFar };
}

/** All that the service has received is in the books, and nothing was sent twice. */
async function booksAreTrue({ batch, service }: Networks): Promise<void> {
  await batch.finished(240_000);
  await expect.poll(async () => (await batch.books()).doubts, { interval: 200, timeout: 60_000 }).toBe(0);
  const { attempts, over, strays } = await batch.books();
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect({ over, strays, ok: attempts["ok"], received: service.received.length }).toEqual({
    over: jobs,
    strays: 0,
    ok: jobs,
    received: jobs,
  });
}

test("a worker whose cable to PostgreSQL is pulled for 30 s sends nothing more, and what it has heard lands", async (context) => {
  const made = await networks(context, {});
  made.toDatabase.pull();
  // What was granted when the cable was pulled may still leave.
  await delay(1_000);
  const [sent, all] = [made.ofFar(), made.service.received.length];
  await delay(29_000);
  expect(made.ofFar()).toBe(sent);
  expect(made.service.received.length).toBeGreaterThan(all + 100);
  expect((await made.batch.books()).doubts).toBeGreaterThan(0);
  made.toDatabase.plug();
  await booksAreTrue(made);
  expect(made.far.err()).toContain("is back.");
});

test("a worker whose cable to the service is pulled for 30 s keeps its requests, which are answered when it is back", async (context) => {
  const made = await networks(context, { timeoutMs: 180_000, concurrency: 40 });
  made.toService.pull();
  await delay(1_000);
  const sent = made.ofFar();
  await delay(29_000);
  expect(made.ofFar()).toBe(sent);
  made.toService.plug();
  await booksAreTrue(made);
});

test("a worker that is cut off from both for 30 s loses nothing, and nothing is sent twice", async (context) => {
  const made = await networks(context, { timeoutMs: 180_000 });
  made.toDatabase.pull();
  made.toService.pull();
  await delay(1_000);
  const sent = made.ofFar();
  await delay(29_000);
  expect(made.ofFar()).toBe(sent);
  made.toDatabase.plug();
  made.toService.plug();
  await booksAreTrue(made);
});
