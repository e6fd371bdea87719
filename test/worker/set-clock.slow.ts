import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { testDatabase } from "../postgres.ts";
import { record, startService } from "../e2e/service.ts";
import { sentOnce, submit } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

test("no worker is taken for dead because the clock of PostgreSQL is set: nothing is in doubt, nothing sent again", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 2_000 }));
  const deployment = { concurrency: 6 };
  const batch = await submit(url, service.url, { jobs: 60, slice: 10, deployment, inDoubt: "resend" });
  await Promise.all([startWorker(url), startWorker(url), startWorker(url)]);
  let doubts = 0;
  for (let hours = 1; hours <= 6; hours++) {
    await sleep(2_000);
    await batch.db.query(`CREATE OR REPLACE FUNCTION tandem.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
      AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${hours * 3_600_000} $$`);
    for (let looks = 0; looks < 10; looks++) {
      await sleep(200);
      const rows = await batch.db.query("SELECT FROM tandem.sending WHERE doubt_since IS NOT NULL");
      doubts += rows.length;
    }
  }
  await batch.finished();
  expect(doubts).toBe(0);
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect(await batch.books()).toEqual({ attempts: { ok: 60 }, over: 60, doubts: 0, strays: 0 });
});
