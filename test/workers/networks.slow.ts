import { setTimeout as delay } from "node:timers/promises";
import { expect, test, type TestContext } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { ownServer } from "../postgres.ts";
import { type FarMachine, farMachine, noFarMachine } from "./far-machine.ts";
import type { Begun } from "../e2e/warm.ts";
import type { Tandem } from "../e2e/tandem.ts";
import { deskOf, twice } from "./desk.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";
import { ends } from "../e2e/tandem.ts";

/** Two machines: PostgreSQL, the service and a worker here, another worker behind two cables. */
interface Networks {
  toDatabase: FarMachine["cables"][0];
  toService: FarMachine["cables"][1];
  service: Service;
  tandem: Tandem;
  run: Begun;
  far: WorkerProcess;
  /** Requests that the service has received from far. */
  ofFar: () => number;
}

const jobs = 900;

async function networks(
  { skip }: TestContext,
  { concurrency = 8, deployment = "" }: { concurrency?: number; deployment?: string },
): Promise<Networks> {
  const reason = noFarMachine();
  if (reason !== null) skip(reason);
  const { before, cables } = farMachine();
  const [toDatabase, toService] = cables;
  const server = await ownServer(["listen_addresses='*'"], { access: "local all all trust\nhost all all all trust\n" });
  const url = `postgres://tandem@${toDatabase.here}:${server.port}/tandem?sslmode=disable`;
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 150 }), 0, toService.here);
  // A key would not go over plain http to another machine.
  const keyless = `${deployment}, headers: { authorization: none }`;
  const tandem = deskOf(server.url("tandem"), service, {
    jobs,
    concurrency,
    deployment: keyless,
    more: "on_in_doubt: hold",
  });
  const far = await startWorker(url, { before, name: "far" });
  await startWorker(url, { name: "near" });
  const run = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
  const ofFar = (): number => service.received.filter(({ from }) => from !== toService.here).length;
  // Both have a share: one that has all of it when its cable is pulled keeps the other from sending.
  const least = (): number => Math.min(ofFar(), service.received.length - ofFar());
  await expect.poll(least, { interval: 5, timeout: 60_000 }).toBeGreaterThan(20);
  return { toDatabase, toService, service, tandem, run, far, ofFar };
}

/** All that the service has received is in the books, and nothing was sent twice. */
async function booksAreTrue({ tandem, run, service }: Networks): Promise<void> {
  const { code, err } = await run.ended;
  expect(twice(service)).toEqual([]);
  expect({ code, err, ends: ends(tandem) }).toEqual({ code: 0, err, ends: { ok: jobs } });
  expect(service.received.length).toBe(jobs);
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
  made.toDatabase.plug();
  await booksAreTrue(made);
  expect(made.far.err()).toContain("is back.");
});

test("a worker whose cable to the service is pulled for 30 s keeps its requests, which are answered when it is back", async (context) => {
  const made = await networks(context, { concurrency: 40, deployment: ", timeout: 180s" });
  made.toService.pull();
  await delay(1_000);
  const sent = made.ofFar();
  await delay(29_000);
  expect(made.ofFar()).toBe(sent);
  made.toService.plug();
  await booksAreTrue(made);
});

test("a worker that is cut off from both for 30 s loses nothing, and nothing is sent twice", async (context) => {
  const made = await networks(context, { deployment: ", timeout: 180s" });
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
