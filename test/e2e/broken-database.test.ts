import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { damageTable } from "../store/damage.ts";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

/** A batch of which half is finished, and its database. */
async function half(): Promise<{ tandem: Tandem; database: string }> {
  const service = await startService(({ prompt }) => record(prompt));
  const tandem = new Tandem().file("p.csv", prompts(4));
  const to = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
  const { code, err } = await tandem.run("run", "p.csv", ...to, "--quiet", "--budget", "2");
  expect(code, err).toBe(3);
  return { tandem, database: join(tandem.folder, "results", "tandem.db") };
}

test("a statement that does not fit the database is a fault in tandem itself: exit 70 with the stack, and no advice to make room", async () => {
  const { tandem, database } = await half();
  const db = new Database(database);
  db.exec("ALTER TABLE attempt RENAME COLUMN body_start TO body_head");
  db.close();
  const { code, out, err } = await tandem.run("resume", "--quiet", "--json");
  expect(code, err).toBe(70);
  expect(err).toMatch(/SqliteError: table attempt has no column named body_start\n\s+at /);
  expect(err).toContain("This is a fault in tandem");
  expect(err).not.toContain("room");
  expect(out).toBe("");
});

test("a damaged page is told in words with exit 3, and how to save what can be read", async () => {
  const { tandem, database } = await half();
  damageTable(database, "job");
  const { code, out, err } = await tandem.run("resume", "--quiet", "--json");
  expect(code, err).toBe(3);
  expect(err).toContain("which is damaged: database disk image is malformed");
  expect(err).toContain(".recover");
  expect(err).not.toMatch(/\n\s+at |room/);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "STORE_FAILED" } });
});
