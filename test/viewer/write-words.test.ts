import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownComparison } from "../../src/app/compare/planned-comparison.ts";
import { scoreBatch } from "../../src/app/grade/score-batch.ts";
import { comparedColumns } from "../../src/compare/cases/compared-columns.ts";
import { comparisonStream } from "../../src/compare/comparison.ts";
import { reportRow, searchedRow } from "../../src/report/model/model-row.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { pairedResults } from "../../src/store/compared/paired-results.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { hasWords } from "../../src/viewer/server/words-file.ts";
import { writeWords } from "../../src/viewer/server/write-words.ts";
import { answerJob, scoreOptions, spec } from "../app/scored.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { searchedText } from "../../src/report/model/row-figures.ts";

const answers = ["blue", "नीला है", "أزرق", "Grün"];
const files = ["first.csv", "second.csv"];

/** A finished and graded batch of two files in some languages, with one run that failed. */
async function gradedBatch() {
  const db = temporaryDatabase();
  const cases = Array.from({ length: 40 }, (_, place) =>
    oneCase(`k${place}`, {
      expected: answers[place % 4] ?? null,
      columns: { id: `k${place}`, note: `Note ${place}`, language: `l${place % 3}`, __file: files[place % 2] ?? "" },
    }),
  );
  const batch = await plannedBatch(db, cases);
  for (let place = 0; place < cases.length; place++) {
    answerJob(db, `k${place}`, "prod", `It is ${answers[place % 4]}.`);
    answerJob(db, `k${place}`, "test", place === 5 ? null : `It is ${answers[place % 5 === 0 ? 0 : place % 4]}.`);
  }
  setBatchState(db, batch.id, "finished");
  await scoreBatch(db, findBatch(db, batch.name), scoreOptions([{ ...spec("correct", "contains"), primary: true }]));
  return { db, planned: ownComparison(db, findBatch(db, batch.name)) };
}

test("the words of rows are written whole, or not at all where they would be those of other rows", async () => {
  const { db, planned } = await gradedBatch();
  const folder = join(temporaryFolder(), "index");
  mkdirSync(folder);
  const cases = Uint32Array.from(pairedResults(db, planned.batches), ({ caseId }) => caseId);
  for (const others of [cases.toReversed(), cases.subarray(1), Uint32Array.of(...cases, 99)]) {
    writeFileSync(join(folder, "cases"), others);
    await expect(writeWords(db, planned, folder)).rejects.toThrow("The results changed while their texts were read.");
    expect(readdirSync(folder)).toEqual(["cases"]);
    expect(readdirSync(join(folder, ".."))).toEqual(["index"]);
  }
  writeFileSync(join(folder, "cases"), cases);
  await writeWords(db, planned, folder);
  expect(hasWords(folder)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(["cases", "starts", "words"]);
  const texts = readFileSync(join(folder, "words"), "utf8").split("\0").slice(0, -1);
  expect(texts).toHaveLength(40);
  for (const [place, text] of texts.entries()) expect(text).toContain(`note ${place}`);
});

test("a comparison says the same when only the columns are read from which it takes something", async () => {
  const { db, planned } = await gradedBatch();
  const summaryOf = (columns: readonly string[] | "all") => {
    const stream = comparisonStream(planned.settings);
    for (const result of pairedResults(db, planned.batches, { reasons: false, columns })) stream.add(result);
    return stream.summary();
  };
  const whole = summaryOf("all");
  const { columns, ...few } = summaryOf(comparedColumns);
  expect(columns).toEqual(["language", "__file"]);
  expect(whole).toMatchObject(few);
  // It takes the segments and the files of flips from there.
  for (const known of ["l2", "second.csv"]) expect(JSON.stringify(few)).toContain(known);

  sqlite(db).exec(`UPDATE "case" SET columns = '{"language":' WHERE id = 3`);
  expect(() => summaryOf(comparedColumns)).toThrow("columns of a case");
});

test("a search looks at the same text of a row, read with its comparison or without", async () => {
  const { db, planned } = await gradedBatch();
  const stream = comparisonStream(planned.settings);
  const results = Array.from(pairedResults(db, planned.batches, { reasons: false }));
  const read = results.map((result) => searchedText(searchedRow(result, planned.settings)));
  expect(read).toEqual(
    results.map((result, place) => searchedText(reportRow(result, stream.add(result), planned.settings, place + 1))),
  );
  expect(read[5]).toContain("Note 5");
  expect(read[5]).toContain("It is नीला है.");
});
