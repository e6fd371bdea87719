import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { packFailure, unpackFailure } from "../../src/lib/thread-failure.ts";
import { ownComparison } from "../../src/app/compare/planned-comparison.ts";
import { readResults } from "../../src/app/report/read-results.ts";
import { scoreBatch } from "../../src/app/grade/score-batch.ts";
import { writeReports } from "../../src/app/report/write-report.ts";
import { reportFormats } from "../../src/report/formats/formats.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import type { CaseOfBatches } from "../../src/store/compared/joined-case.ts";
import { pairedPages, pairedReader, pairedResults } from "../../src/store/compared/paired-results.ts";
import { often, slowTest } from "../often.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { answerJob, scoreOptions, spec } from "./scored.ts";
import { sqlite } from "../../src/store/sqlite.ts";

const colours = ["blue", "नीला है", "أزرق", "green, or blue", "ሰማያዊ"];

/** A finished and graded batch, some of whose answers differ and some are missing. */
async function gradedBatch(count: number, db = temporaryDatabase()) {
  const cases = Array.from({ length: count }, (_, i) => oneCase(`k${i}`, { expected: colours[i % 5] ?? null }));
  const batch = await plannedBatch(db, cases);
  sqlite(db).transaction(() => {
    for (let i = 0; i < count; i++) {
      answerJob(db, `k${i}`, "prod", `It is ${colours[i % 5]}.`);
      answerJob(db, `k${i}`, "test", i % 37 === 5 ? null : `It is ${colours[(i % 7 === 0 ? i + 1 : i) % 5]}.`);
    }
  })();
  setBatchState(db, batch.id, "finished");
  const scorers = [{ ...spec("correct", "contains"), primary: true }, spec("similar", "chrf")];
  await scoreBatch(db, findBatch(db, batch.name), scoreOptions(scorers));
  return { db, planned: ownComparison(db, findBatch(db, batch.name)) };
}

const read = async (pages: AsyncIterable<CaseOfBatches[]>): Promise<CaseOfBatches[]> => {
  const found: CaseOfBatches[] = [];
  for await (const page of pages) found.push(...page);
  return found;
};

slowTest("one thread and several give the same reports, byte for byte", async () => {
  const { db, planned } = await gradedBatch(often(250, 400));
  const formats = reportFormats.map(({ name }) => name);
  const reports = async (threads: number) => {
    const folder = temporaryFolder();
    const wanted = formats.map((format) => ({ format, path: join(folder, format) }));
    const nextOf = () => ({ why: "look at the rows", command: "tandem view" });
    const given = { wanted, out: "results", keep: () => {}, nextOf, threads };
    const { comparison, model } = await writeReports(db, planned, given);
    return { comparison, model, texts: formats.map((format) => readFileSync(join(folder, format), "utf8")) };
  };
  const alone = await reports(0);
  expect(alone.model.cases).toBe(often(250, 400));
  for (const threads of often([3], [1, 2, 3])) expect(await reports(threads)).toEqual(alone);
});

test("threads read what a single reading does, of several batches as well", async () => {
  const { db, planned } = await gradedBatch(150);
  const second = await gradedBatch(200, db);
  const batches = [...planned.batches, ...second.planned.batches];
  const found = await read(readResults(db, batches, { reasons: true, threads: 2 }));
  expect(found).toEqual([...pairedResults(db, batches, { reasons: true })]);
  expect(found.map(({ variants: [own] }) => own?.length)).toEqual([...Array(150).fill(2), ...Array(50).fill(1)]);
});

test("a thread that cannot read ends the reading with its own error", async () => {
  const { db, planned } = await gradedBatch(150);
  sqlite(db).exec("ALTER TABLE score RENAME TO score_gone");
  const reading = read(readResults(db, planned.batches, { reasons: false, threads: 2 }));
  await expect(reading).rejects.toMatchObject({
    code: "DATABASE_INVALID",
    message: expect.stringContaining("its table score is another"),
    hint: expect.stringContaining("as tandem left it"),
  });
});

test("a fault in a thread keeps the stack that says where", () => {
  const fault = new TypeError("x is not a function");
  const reported = unpackFailure(packFailure(fault));
  expect(reported).not.toBeInstanceOf(AppError);
  expect([reported.message, reported.stack]).toEqual([fault.message, fault.stack]);
});

test("a reading that is left early leaves no thread behind", async () => {
  const { db, planned } = await gradedBatch(500);
  const pages = readResults(db, planned.batches, { reasons: false, threads: 2 });
  for await (const [first] of pages) {
    expect(first?.key).toBe("k0");
    break;
  }
  expect(process.getActiveResourcesInfo().filter((name) => name === "MessagePort" || name === "Worker")).toEqual([]);
});

test("without bodies only the sample has them, and what expects a text", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("k1"), oneCase("k2")]);
  for (const key of ["k1", "k2"]) answerJob(db, key, "prod", "It is blue.");
  const batches = [{ batchId: batch.id, scoringId: null }];
  const bodies = (expected: string | null, sampled: boolean): boolean[] => {
    sqlite(db).prepare('UPDATE "case" SET expected = ?').run(expected);
    const rowsOf = pairedReader(db, batches, { reasons: false, bodies: false });
    return [...pairedPages(db, batches)].flatMap((page) =>
      rowsOf({ ...page, sampled })
        .own.jobs.filter(([, , , , outcome]) => outcome === "ok")
        .map((job) => job.at(-1) !== null),
    );
  };
  expect(bodies(null, false)).toEqual([false, false]);
  expect(bodies(null, true)).toEqual([true, true]);
  expect(bodies("blue", false)).toEqual([true, true]);
});
