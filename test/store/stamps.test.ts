import { expect, test } from "vitest";
import { labelStamp, labelWriter, removeLabel } from "../../src/store/scores/labels.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { nightsStamp } from "../../src/viewer/server/case-nights.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

test("the stamp of labels is another one for another value and another label", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("k1")]);
  const jobId = sqlite(db).prepare<[], number>("SELECT id FROM job LIMIT 1").pluck().get() ?? 0;
  const label = { jobId, scorer: "", label: "3", value: 3, note: null, author: "Ada", at: 1 };
  const stamps = [{}, { value: 0.5 }, { label: "4" }].map((more) => {
    removeLabel(db, label);
    labelWriter(db)({ ...label, ...more });
    return labelStamp(db, batch.id);
  });
  expect(new Set(stamps).size).toBe(3);
});

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
