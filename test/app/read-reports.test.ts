import { appendFileSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { concludeBatch } from "../../src/app/report/conclude.ts";
import { scoreBatch } from "../../src/app/grade/score-batch.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { writeLabels } from "../../src/store/scores/labels.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { answerJob, scoreOptions, spec } from "./scored.ts";

/** A finished batch with rows that became worse, concluded once, and a way to conclude it as a resume does. */
async function concluded() {
  const [db, out] = [temporaryDatabase(), temporaryFolder()];
  const batch = await plannedBatch(
    db,
    Array.from({ length: 12 }, (_, i) => oneCase(`k${i}`, { expected: "blue", tags: { 7: "x", language: "hi" } })),
  );
  for (let i = 0; i < 12; i++) {
    answerJob(db, `k${i}`, "prod", "It is blue.");
    answerJob(db, `k${i}`, "test", i % 3 === 0 ? "It is नीला." : "It is blue.");
  }
  setBatchState(db, batch.id, "finished");
  const scorers = [{ ...spec("correct", "contains"), primary: true }, spec("similar", "chrf")];
  const score = () => scoreBatch(db, findBatch(db, batch.name), { ...scoreOptions(scorers), again: true });
  await score();
  const conclude = (readsKnown: boolean) =>
    concludeBatch(db, batch.name, { end: { stopped: [], stops: [] }, out, failOn: [], readsKnown });
  const first = await conclude(false);
  const page = join(out, batch.name, "report.html");
  // A time that no writing gives a file: it stays where the file is not touched.
  const madeAt = () => statSync(page).mtimeMs;
  return { db, batch, page, first, madeAt, score, read: () => conclude(true), again: () => conclude(false) };
}

const told = (conclusion: Awaited<ReturnType<typeof concludeBatch>>): unknown => JSON.parse(JSON.stringify(conclusion));

describe("a resume of what is finished", () => {
  test("tells the same as the run, without touching a report", async () => {
    const { first, madeAt, read } = await concluded();
    const before = madeAt();
    const again = await read();
    expect(madeAt()).toBe(before);
    expect(again.worst).toHaveLength(4);
    expect(told(again)).toEqual(told(first));
    expect(told(await read())).toEqual(told(first));
  });

  test("compares again where a report is gone, was touched or was changed", async () => {
    const { page, madeAt, read } = await concluded();
    const text = readFileSync(page, "utf8");
    for (const spoil of [
      () => rmSync(page),
      () => appendFileSync(page, "x"),
      () => utimesSync(page, new Date(0), new Date(0)),
    ]) {
      spoil();
      const spoilt = statSync(page, { throwIfNoEntry: false })?.mtimeMs;
      await read();
      expect(madeAt()).not.toBe(spoilt);
      expect(readFileSync(page, "utf8")).toBe(text);
    }
  });

  test("compares again where people have said something, it was graded again, or a run has ended since", async () => {
    const { db, batch, madeAt, read, score } = await concluded();
    const entry = { jobId: 1, scorer: "", label: "good", value: 1, note: null, author: "Ada", at: 1 };
    for (const change of [
      () => writeLabels(db, [entry]),
      () => writeLabels(db, [{ ...entry, note: "why", at: 2 }]),
      () => writeLabels(db, [{ ...entry, scorer: "correct", label: "bad", value: 0, edits: true, at: 3 }]),
      score,
      () => setBatchState(db, batch.id, "finished", { keepsTime: false }),
    ]) {
      await Promise.resolve(change());
      const before = madeAt();
      await read();
      expect(madeAt()).not.toBe(before);
      const made = madeAt();
      await read();
      expect(madeAt()).toBe(made);
    }
  });

  test.each([
    ["the comparison", "summary = replace(summary, 'regression', 'pass')"],
    ["the counts", "report_facts = json_set(report_facts, '$.counts.tags', json('{}'))"],
    ["all of the facts", "report_facts = '{}'"],
    ["a text that is no JSON", "report_facts = '{'"],
    ["the code that wrote them", "report_facts = json_set(report_facts, '$.mark', 'another')"],
  ])("believes no file in which a stranger changed %s", async (_, change) => {
    const { db, first, read } = await concluded();
    sqlite(db).exec(`UPDATE comparison SET ${change}`);
    expect(told(await read())).toEqual(told(first));
  });

  test("is compared again by a command that asks for that", async () => {
    const { madeAt, again } = await concluded();
    const before = madeAt();
    await again();
    expect(madeAt()).not.toBe(before);
  });
});
