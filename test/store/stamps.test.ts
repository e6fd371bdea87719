import { expect, test } from "vitest";
import { sqlite } from "../../src/store/sqlite.ts";
import { nightsStamp } from "../../src/viewer/server/case-nights.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

test("the stamp of nights is another one once a second look has ended", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("k1")]);
  const sql = sqlite(db);
  sql.exec("UPDATE job SET outcome = 'ok'; UPDATE batch SET state = 'finished'");
  sql.exec("UPDATE job SET repeat = 9, outcome = NULL WHERE id = (SELECT max(id) FROM job)");
  sql.exec("INSERT INTO second_look (batch_id, at, planned, jobs) SELECT id, 1, 1, 1 FROM batch");
  const within = nightsStamp(db, batch);
  sql.exec("UPDATE job SET outcome = 'ok'");
  expect(nightsStamp(db, batch)).not.toBe(within);
});
