import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { historyOf } from "../../src/app/history/history.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { monthSuites, runMonth } from "./month.ts";

test("a change that is planted at night 19 of 30 is noticed within days, dated to that night, and is the only alarm", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tandem-nights-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const out = await runMonth(folder, { nights: 30, suites: monthSuites.filter(({ name }) => name === "help-desk") });
  const db = openDatabase(databasePath(out), { reading: true });
  onTestFinished(() => {
    db.close();
  });
  const { nights, alarms, promise } = historyOf(db, "help-desk");
  expect(nights).toHaveLength(30);
  expect(promise).toEqual({ nights: 365, series: 8 });
  // Other work of the machine may well change its latencies for some nights.
  const [alarm, ...others] = alarms.filter(({ thing }) => thing !== "latency");
  expect(others).toEqual([]);
  expect(alarm).toMatchObject({ target: "test", metric: "correct", state: "still", direction: "lower", isWorse: true });
  expect(alarm?.changed.batch).toBe(nights[18]?.batch);
  const noticed = nights.findIndex(({ batch }) => batch === alarm?.noticed.batch) + 1;
  expect(noticed).toBeGreaterThanOrEqual(19);
  expect(noticed).toBeLessThanOrEqual(21);
});
