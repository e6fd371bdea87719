import { expect, test } from "vitest";
import { earlierKeys } from "../../src/store/plan/case-keys.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

test("the turns before a turn are found without reading every case, also where the first is named as the conversation", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    ["talk", "t2", "t3", "t4", "alone"].map((key) => oneCase(key)),
  );
  const turn = sqlite(db).prepare(`UPDATE "case" SET cluster = 'talk', turn = ? WHERE key = ?`);
  for (const [index, key] of ["talk", "t2", "t3", "t4"].entries()) turn.run(index + 1, key);
  const before = (at: number, most = 20): string[] => earlierKeys(db, batch.id, { cluster: "talk", turn: at, most });
  expect(before(4)).toEqual(["talk", "t2", "t3"]);
  expect(before(4, 2)).toEqual(["t2", "t3"]);
  expect(before(1)).toEqual([]);
  const plan = sqlite(db)
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT key FROM "case" WHERE batch_id = 1 AND cluster = 'talk' AND cluster <> key AND turn < 4`,
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain("case_by_cluster");
});
