import { expect } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "../e2e/service.ts";
import { prompts, runAt, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

slowTest("a slice that nobody has any more is handed out again while its submitter waits", async () => {
  const url = await testDatabase();
  const db = await openTest(url, 1);
  const service = await startService(({ prompt }) => record(prompt));
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url, TANDEM_API_KEY: "sk-test-0123456789" })
    .file("p.csv", prompts(30));
  const run = tandem.start(...runAt({ api: service }, "--workers"));
  const waiting = async (): Promise<number> => {
    const rows = await db.query("SELECT id FROM tandem_engine.job WHERE name LIKE 'slices-%'").catch(() => []);
    return rows.length;
  };
  await expect.poll(waiting, { interval: 50 }).toBeGreaterThan(0);
  await db.query("DELETE FROM tandem_engine.job WHERE name LIKE 'slices-%'");
  await startWorker(url, { env: { TANDEM_API_KEY: "sk-test-0123456789" } });
  expect(await run.ended).toMatchObject({ code: 0 });
  expect(service.received.length).toBe(30);
});
