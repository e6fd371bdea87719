import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownComparison } from "../../src/app/compare/planned-comparison.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { answerJob, scoreLines, gradeBatch, spec } from "./scored.ts";
import { sqlite } from "../../src/store/sqlite.ts";

/** A command that notes every answer it is given, and passes those that are long enough. */
function counting() {
  const folder = temporaryFolder();
  const seen = join(folder, "seen.txt");
  writeFileSync(seen, "");
  writeFileSync(
    join(folder, "score.mjs"),
    `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { key, target, text } = JSON.parse(line);
  appendFileSync(${JSON.stringify(seen)}, key + " " + target + "\\n");
  console.log(JSON.stringify(text.length > 3));
}
`,
  );
  const command = spec("long", "command", { command: [process.execPath, "score.mjs"], timeout: "60s" });
  const options = { suite: { ...suite, folder, scorers: [spec("correct", "contains"), command] } };
  return { options, graded: () => readFileSync(seen, "utf8").split("\n").filter(Boolean).toSorted() };
}

describe("scorers that take time", () => {
  test("are left out after a stop, and asked later only about what they have not graded", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("k1", { expected: "nine" }), oneCase("k2", { expected: "five" })]);
    answerJob(db, "k1", "prod", "At nine.");
    answerJob(db, "k1", "test", "Ten");
    const { options, graded } = counting();
    const stopped = await gradeBatch(db, batch, [], { ...options, onRunner: (runner) => runner.stop("interrupted") });
    expect(stopped.scoring?.complete).toBe(false);
    expect(graded()).toEqual([]);
    expect(scoreLines(db)).toEqual(["k1 prod correct 1.0 1", "k1 test correct 0.0 0"]);
    await gradeBatch(db, batch, [], options);
    expect(graded()).toEqual(["k1 prod", "k1 test"]);
    answerJob(db, "k2", "prod", "At five.");
    answerJob(db, "k2", "test", "At ten.");
    const whole = await gradeBatch(db, batch, [], options);
    expect(whole.scoring?.complete).toBe(true);
    expect(graded()).toEqual(["k1 prod", "k1 test", "k2 prod", "k2 test"]);
    expect(scoreLines(db).filter((line) => line.includes("long"))).toEqual([
      "k1 prod long 1.0 1",
      "k1 test long 0.0 0",
      "k2 prod long 1.0 1",
      "k2 test long 1.0 1",
    ]);
  });

  test("keep what they said where they may not be run, also for composites, and leave what came since unscored", async () => {
    const db = temporaryDatabase();
    const { options } = counting();
    const all = spec("all", "all-of", { of: ["correct", "long"] });
    const given = { ...options.suite, scorers: [...options.suite.scorers, all] };
    const batch = await plannedBatch(db, [oneCase("k1", { expected: "ten" }), oneCase("k2", { expected: "ten" })]);
    answerJob(db, "k1", "prod", "At ten.");
    answerJob(db, "k1", "test", "Ten");
    await gradeBatch(db, batch, [], { suite: given });
    answerJob(db, "k2", "prod", "At ten.");
    answerJob(db, "k2", "test", null);
    await gradeBatch(db, batch, [], { suite: given, trust: null });
    const lines = ["k1 prod all 1.0 1", "k1 prod long 1.0 1", "k1 test all 0.0 0", "k1 test long 0.0 0"];
    const unscored = ["k2 prod all unscored -", "k2 prod long unscored -"];
    expect(scoreLines(db).filter((line) => !line.includes("correct"))).toEqual([...lines, ...unscored]);
    const reasons = sqlite(db)
      .prepare("SELECT reason FROM scores WHERE value IS NULL AND scorer = 'long'")
      .pluck()
      .all();
    expect(reasons).toEqual([expect.stringContaining("tandem score BATCH --suite FILE")]);
    await gradeBatch(db, batch, [], { suite: given });
    expect(scoreLines(db).filter((line) => line.startsWith("k2 prod"))).toEqual([
      "k2 prod all 1.0 1",
      "k2 prod correct 1.0 1",
      "k2 prod long 1.0 1",
    ]);
  });

  test("whose scores are only taken over for what was answered since leave their gate undecided, and say what helps", async () => {
    const db = temporaryDatabase();
    const { options } = counting();
    const gates = [{ metric: "long", margin: 0.05, of: null }];
    const given = { ...options.suite, decision: { ...suite.decision, gates } };
    const batch = await plannedBatch(db, [oneCase("k1"), oneCase("k2")]);
    answerJob(db, "k1", "prod", "At nine.");
    answerJob(db, "k1", "test", "At ten.");
    await gradeBatch(db, batch, [], { suite: given });
    const undecided = () => ownComparison(db, { ...batch, suite: given }).settings.undecided;
    answerJob(db, "k2", "prod", "At five.");
    answerJob(db, "k2", "test", "At two.");
    // Killed before it was graded.
    expect(undecided()).toEqual([{ kind: "answers-since", batch: batch.name, answers: 2 }]);
    const resumed = { suite: given, trust: null };
    expect((await gradeBatch(db, batch, [], resumed)).scoring?.complete).toBe(false);
    expect(undecided()).toEqual([{ kind: "graded-in-part", batch: batch.name, metric: "long", needsSuite: true }]);
    // Again does not make it whole.
    await gradeBatch(db, batch, [], { ...resumed, again: true });
    expect(undecided()).toHaveLength(1);
    await gradeBatch(db, batch, [], { suite: given });
    expect(undecided()).toEqual([]);
    expect((await gradeBatch(db, batch, [], { ...resumed, again: true })).scoring?.complete).toBe(true);
    expect(undecided()).toEqual([]);
  });

  test("end when the database cannot be written", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("k1")]);
    answerJob(db, "k1", "prod", "At nine.");
    const { options } = counting();
    // From the first score on, there is no room.
    const large = "INSERT INTO rate_slot (service, at) VALUES (hex(zeroblob(500000)), 1)";
    sqlite(db).exec(`CREATE TRIGGER full BEFORE INSERT ON score BEGIN ${large}; END; PRAGMA max_page_count = 60`);
    await expect(gradeBatch(db, batch, [], options)).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(sqlite(db).prepare("SELECT count(*) AS n FROM scoring WHERE finished_at IS NOT NULL").get()).toEqual({
      n: 0,
    });
  });
});
