import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { Sheets } from "../../src/dataset/sheets.ts";
import { prepareBatch } from "../../src/app/plan/prepare.ts";
import { withTargets } from "../../src/app/plan/selection.ts";
import { everything, type Selection } from "../../src/plan/select.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import type { Suite } from "../../src/suite/suite.ts";
import { suite as anySuite, temporaryDatabase, temporaryFolder } from "../store/batch.ts";

/** Six conversations of three turns, the rows of which are mixed, and four single questions. */
function rows(): string[] {
  const turns = [1, 2, 3].flatMap((turn) =>
    Array.from({ length: 6 }, (_, i) => {
      const question = i === 4 && turn === 2 ? "और रविवार को?" : `question ${i} ${turn}`;
      return `t${i}-${turn},talk ${i},${turn},${i % 2 === 0 ? "en" : "hi"},${question}`;
    }),
  );
  return [...turns, ...Array.from({ length: 4 }, (_, i) => `s${i},,1,en,single ${i}`)];
}

function desk(mapping: Partial<Suite["mapping"]> = {}) {
  const db = temporaryDatabase();
  const path = join(temporaryFolder(), "prompts.csv");
  const suite: Suite = {
    ...anySuite,
    datasets: [path],
    mapping: {
      ...anySuite.mapping,
      input: { input_prompt: "question" },
      cluster: "talk",
      turn: "turn",
      tags: ["language"],
      ...mapping,
    },
  };
  return async (selection: Partial<Selection>, { table = rows(), seed = "1" } = {}): Promise<string[]> => {
    writeFileSync(path, ["id,talk,turn,language,question", ...table].join("\n"));
    const { batch, cases, jobs } = await prepareBatch(db, suite, {
      seed,
      onNotice: () => {},
      sheets: new Sheets(),
      selection: { ...everything, ...selection },
    });
    const keys = keysOf(db, batch.id);
    expect([cases, jobs]).toEqual([keys.length, 2 * keys.length]);
    return keys;
  };
}

function keysOf(db: Connection, batchId: number): string[] {
  const stored = sqlite(db).prepare<[number], string>('SELECT key FROM "case" WHERE batch_id = ? ORDER BY id').pluck();
  const planned = sqlite(db)
    .prepare<[number], string>(
      'SELECT DISTINCT "case".key FROM job JOIN "case" ON "case".id = case_id WHERE job.batch_id = ? ORDER BY "case".id',
    )
    .pluck();
  expect(planned.all(batchId)).toEqual(stored.all(batchId));
  return stored.all(batchId);
}

const talk = (...numbers: number[]): string[] => [1, 2, 3].flatMap((turn) => numbers.map((i) => `t${i}-${turn}`));

describe("a selection", () => {
  test("takes whole conversations in the order of the dataset", async () => {
    const keys = desk();
    expect(await keys({})).toHaveLength(22);
    expect(await keys({ grep: "रविवार" })).toEqual(talk(4));
    expect(await keys({ limit: 2 })).toEqual(talk(0, 1));
    expect(await keys({ limit: 100 })).toHaveLength(22);
    expect(await keys({ tags: { language: ["hi"] }, limit: 1 })).toEqual(talk(1));
    expect(await keys({ tags: { language: ["hi", "en"] } })).toHaveLength(22);
    expect(await keys({ grep: "single", keys: ["s3", "t1-1"] })).toEqual(["s3"]);
  });

  test("of keys takes the earlier turns that are needed, and no later one", async () => {
    const keys = desk();
    expect(await keys({ keys: ["t2-2", "s3", "t3-1", "t3-3"] })).toEqual([
      "t2-1",
      "t3-1",
      "t2-2",
      "t3-2",
      "t3-3",
      "s3",
    ]);
    expect(await keys({ keys: ["t2-2", "t3-3"], sample: 1 })).toHaveLength(2);
  });

  test("of keys takes only those where rows belong together without being turns", async () => {
    const keys = desk({ turn: null });
    expect(await keys({ keys: ["t2-2"] })).toEqual(["t2-2"]);
    expect(await keys({ grep: "question 2 2" })).toEqual(talk(2));
  });

  test("refuses a key that is not there, says which may be meant, and leaves nothing behind", async () => {
    const keys = desk();
    await expect(keys({ keys: ["s1", "t2_2"] })).rejects.toThrow('--key "t2_2": the dataset has no case of this key.');
    await expect(keys({ keys: ["t2_2"] })).rejects.toMatchObject({ hint: 'Did you mean "t2-2"?' });
  });

  test("of nothing is NO_JOBS, and a tag that the suite does not know is named", async () => {
    const keys = desk();
    await expect(keys({ grep: "nowhere" })).rejects.toThrow("no case is left by --grep nowhere");
    const lang = keys({ tags: { lang: ["hi"] } });
    await expect(lang).rejects.toMatchObject({ code: "NO_JOBS", hint: expect.stringContaining("language") });
  });

  test("by a sample is the same whatever the order of rows, a bigger one holds it, another seed is another", async () => {
    const keys = desk();
    const small = await keys({ sample: 3 }, { seed: "7" });
    const big = await keys({ sample: 6 }, { seed: "7", table: rows().toReversed() });
    expect(big).toEqual(expect.arrayContaining(small));
    expect(new Set(big.map((key) => key.split("-")[0])).size).toBe(6);
    expect((await keys({ sample: 3 }, { seed: "8" })).toSorted()).not.toEqual(small.toSorted());
  });

  test("by shards is disjoint and together everything, and splits a sample that is the same for all", async () => {
    const keys = desk();
    for (const sample of [null, 7]) {
      const parts = [];
      for (const part of [1, 2, 3]) {
        parts.push(await keys({ sample, shard: { parts: [part], of: 3 } }).catch(() => []));
      }
      expect(parts.flat().toSorted()).toEqual((await keys({ sample })).toSorted());
      expect(parts.every((part) => part.length < 20)).toBe(true);
    }
  });

  test("the hash of a dataset is that of the whole, whatever is selected", async () => {
    const db = temporaryDatabase();
    const path = join(temporaryFolder(), "prompts.csv");
    writeFileSync(path, "id,input_prompt\n1,a\n2,b\n");
    for (const limit of [null, 1]) {
      await prepareBatch(
        db,
        { ...anySuite, datasets: [path] },
        {
          seed: "1",
          onNotice: () => {},
          sheets: new Sheets(),
          selection: limit === null ? null : { ...everything, limit },
        },
      );
    }
    const [whole, part] = sqlite(db)
      .prepare<[], { hash: string; selection: string | null }>(
        "SELECT dataset_hash AS hash, selection FROM batch ORDER BY id",
      )
      .all();
    expect(part?.hash).toBe(whole?.hash);
    expect(whole?.selection).toBeNull();
    expect(JSON.parse(part?.selection ?? "")).toEqual({ ...everything, limit: 1 });
  });
});

describe("targets", () => {
  test("that are selected keep what is compared as far as both sides are there", () => {
    expect(withTargets(anySuite, [])).toEqual(anySuite);
    expect(withTargets(anySuite, ["test", "prod"]).compare).toEqual(anySuite.compare);
    expect(withTargets(anySuite, ["test"])).toMatchObject({ targets: [{ name: "test" }], compare: null });
    expect(() => withTargets(anySuite, ["tset"])).toThrow(AppError);
  });
});
