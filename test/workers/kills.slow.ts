import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { deskOf, receives, twice } from "./desk.ts";
import { startWorker } from "./worker-process.ts";
import { ends } from "../e2e/tandem.ts";

const jobs = 2_400;
const concurrency = 24;
/** Kills in all. */
const times = 20;

/** Kills one of three workers at a random moment; counts by the service and by the books. */
async function killOne(policy: "hold" | "resend") {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
  const tandem = deskOf(url, service, { jobs, concurrency, more: `on_in_doubt: ${policy}` });
  const workers = await Promise.all([1, 2, 3].map((name) => startWorker(url, { name: `w${name}` })));
  const run = tandem.run("run", "suite.yaml", "--workers", "--no-preflight");
  await receives(service, 1);
  await delay(Math.random() * 8_000);
  const killed = workers[Math.floor(Math.random() * 3)];
  killed?.child.kill("SIGKILL");
  await run;
  const first = ends(tandem);
  // It is back: what it knows clears doubts.
  await startWorker(url, { name: "back", folder: killed?.folder ?? "" });
  await delay(2_000);
  await tandem.run("resume", "latest", "--workers");
  const last = ends(tandem);
  expect(service.most).toBeLessThanOrEqual(concurrency);
  for (const { child } of workers) child.kill("SIGKILL");
  await service.close();
  return {
    twice: twice(service).length,
    held: first["held"] ?? 0,
    heldAfterReturn: last["held"] ?? 0,
    lost: jobs - (last["ok"] ?? 0) - (last["held"] ?? 0),
    sent: service.received.length,
  };
}

async function kill(policy: "hold" | "resend") {
  const all: Awaited<ReturnType<typeof killOne>>[] = [];
  // Most of the time of one goes by in waiting for a worker that is dead.
  while (all.length < times) all.push(...(await Promise.all([killOne(policy), killOne(policy)])));
  // The figures of `npm run test:slow`.
  process.stdout.write(`${policy}: ${JSON.stringify(all)}\n`);
  return all;
}

test("20 kills at random moments lose nothing and send nothing twice: two shares and what was in flight are in doubt, and what really left without an answer once it is back", async () => {
  for (const { twice: again, lost, held, heldAfterReturn } of await kill("hold")) {
    expect({ again, lost }).toEqual({ again: 0, lost: 0 });
    expect(held).toBeLessThanOrEqual(3 * concurrency);
    expect(heldAfterReturn).toBeLessThanOrEqual(concurrency);
  }
});

test("20 kills with resend: every job has its answer, and no more is sent again than may have been sent", async () => {
  for (const { twice: again, lost, held } of await kill("resend")) {
    expect({ lost, held }).toEqual({ lost: 0, held: 0 });
    expect(again).toBeLessThanOrEqual(3 * concurrency);
  }
});
