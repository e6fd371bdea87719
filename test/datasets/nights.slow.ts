import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { historyOf } from "../../src/app/history/history.ts";
import { loadSuite, run } from "../../src/index.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { deskConcurrency, served } from "./desk-run.ts";
import type { Side } from "./desk.ts";
import { datasets } from "./sheet.ts";

const dayMs = 86_400_000;
const firstNight = Date.UTC(2026, 9, 24, 1, 30);

/** Runs the shipped suite once more, as it would run in this night; the bots have seeds of their own each night. */
async function runNight(folder: string, night: number, candidate: Side): Promise<void> {
  const env = {
    PROD_BASE_URL: `local:${served(join(folder, "prod"), { bot: "prod", seed: `prod ${night}` })}`,
    TEST_BASE_URL: `local:${served(join(folder, "test"), { bot: candidate, seed: `test ${night}` })}`,
    PROD_API_KEY: "sk-not-needed",
    TEST_API_KEY: "sk-not-needed",
  };
  const { suite } = await loadSuite(join(datasets, "help-desk/suite.yaml"), env);
  const deployments = suite.deployments.map((each) => ({ ...each, concurrency: deskConcurrency }));
  const out = join(folder, "results");
  await run({ suite: { ...suite, deployments, reports: [] }, out, seed: String(night), env });
  // Only the date is another than it was.
  const db = openDatabase(databasePath(out));
  sqlite(db)
    .prepare("UPDATE batch SET created_at = ? WHERE id = (SELECT max(id) FROM batch)")
    .run(firstNight + (night - 1) * dayMs);
  db.close();
}

test("a change that is planted at night 19 of 30 is noticed within days, dated to that night, and is the only alarm", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-nights-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let night = 1; night <= 30; night++) await runNight(folder, night, night < 19 ? "prod" : "test");
  const db = openDatabase(databasePath(join(folder, "results")), { reading: true });
  onTestFinished(() => {
    db.close();
  });
  const { nights, alarms, promise } = historyOf(db, "help-desk");
  expect(nights).toHaveLength(30);
  expect(promise).toEqual({ nights: 365, series: 6 });
  // Other work of the machine may well change its latencies for some nights.
  const [alarm, ...others] = alarms.filter(({ thing }) => thing !== "latency");
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ target: "test", metric: "correct", state: "still", direction: "lower", isWorse: true });
  expect(alarm?.changed.batch).toBe(nights[18]?.batch);
  const noticed = nights.findIndex(({ batch }) => batch === alarm?.noticed.batch) + 1;
  expect(noticed).toBeGreaterThanOrEqual(19);
  expect(noticed).toBeLessThanOrEqual(21);
});
