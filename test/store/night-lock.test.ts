import { hostname } from "node:os";
import { expect, test } from "vitest";
import { releaseNight, takeNight } from "../../src/store/nights/night-lock.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { temporaryDatabase } from "./batch.ts";

test("the night of a suite is one process's; of another machine it is held for two minutes after its last sign of life", () => {
  const db = temporaryDatabase();
  expect(takeNight(db, "desk")).toBeNull();
  expect(takeNight(db, "desk")).toMatchObject({ pid: process.pid, host: hostname() });
  expect(takeNight(db, "other")).toBeNull();
  releaseNight(db, "desk", []);
  const sign = (agoMs: number): void => {
    sqlite(db)
      .prepare(
        "INSERT OR REPLACE INTO night_lock (suite_name, pid, host, started, since, at) VALUES ('desk', 1, 'elsewhere', '', 0, ?)",
      )
      .run(Date.now() - agoMs);
  };
  sign(100_000);
  expect(takeNight(db, "desk")).toMatchObject({ pid: 1, host: "elsewhere" });
  sign(121_000);
  expect(takeNight(db, "desk")).toBeNull();
  // A process that is gone holds nothing.
  sqlite(db).prepare("UPDATE night_lock SET host = ?, pid = 999999999").run(hostname());
  expect(takeNight(db, "desk")).toBeNull();
});
