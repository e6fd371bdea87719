import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { ownComparison } from "../../src/app/compare/planned-comparison.ts";
import { comparedColumns } from "../../src/compare/cases/compared-columns.ts";
import { comparisonStream } from "../../src/compare/comparison.ts";
import { reportRow, searchedRow } from "../../src/report/model/model-row.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { pairedResults } from "../../src/store/compared/paired-results.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { hasIndex, hasTexts, rowsFile, textsFile } from "../../src/report/row-index/index-files.ts";
import { RowIndexWriter } from "../../src/report/row-index/index-writer.ts";
import { openIndex } from "../../src/report/row-index/row-index.ts";
import { writeTexts } from "../../src/app/report/write-texts.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { answerJob, gradeBatch, spec } from "../app/scored.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { searchedText } from "../../src/report/model/row-figures.ts";

const summary = syntheticSummary(1);
const frame = { ...summary, targets: summary.targets.map(({ name }) => name) };
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
  await gradeBatch(db, findBatch(db, batch.name), [{ ...spec("correct", "contains"), primary: true }]);
  return { db, planned: ownComparison(db, findBatch(db, batch.name)) };
}

/** Writes the rows of an index of these cases, in a folder that is its owner's alone. */
function rowsOf(cases: readonly number[]): string {
  const folder = join(temporaryFolder(), "index");
  const writer = new RowIndexWriter(folder, frame, ["note"]);
  const rows = Array.from(syntheticRows(cases.length));
  for (const [place, caseId] of cases.entries()) {
    const row = rows[place];
    if (row !== undefined) writer.add(caseId, row);
  }
  writer.end(syntheticSummary(cases.length));
  return folder;
}

test("the texts of rows are written whole, or not at all where they would be those of other rows", async () => {
  const { db, planned } = await gradedBatch();
  const cases = Array.from(pairedResults(db, planned.batches), ({ caseId }) => caseId);
  for (const others of [cases.toReversed(), cases.slice(1), [...cases, 99]]) {
    const folder = rowsOf(others);
    await expect(writeTexts(db, planned, folder)).rejects.toThrow("The results changed while their texts were read.");
    expect(hasTexts(folder)).toBe(false);
    expect(readdirSync(join(folder, ".."))).toEqual(["index"]);
  }
  const folder = rowsOf(cases);
  await writeTexts(db, planned, folder);
  expect(hasTexts(folder)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(["rows.sqlite", "texts.sqlite"]);
  for (const file of [rowsFile(folder), textsFile(folder)]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const texts = new Database(textsFile(folder), { readonly: true });
  const notes = texts.prepare("SELECT folded FROM text WHERE instr(parts, '|column_') AND folded LIKE 'note %'");
  expect(notes.pluck().all()).toEqual(cases.map((_, place) => `note ${place}`));
  texts.close();
});

test("an index that another viewer made at the same time is taken, and one that is damaged is made again", () => {
  const folder = rowsOf([1, 2, 3]);
  const writer = new RowIndexWriter(folder, frame, []);
  expect(readdirSync(join(folder, ".."))).toHaveLength(2);
  writer.end(syntheticSummary(0));
  expect(readdirSync(join(folder, ".."))).toEqual(["index"]);
  const opened = openIndex(folder);
  expect(Array.from(opened?.cases ?? [])).toEqual([1, 2, 3]);
  opened?.close();
  truncateSync(rowsFile(folder), 100);
  expect(openIndex(folder)).toBeNull();
  expect(hasIndex(folder)).toBe(false);
});

test("a comparison of so many targets that SQLite has no table for their figures is indexed like any other", async () => {
  const folder = join(temporaryFolder(), "index");
  const names = Array.from({ length: 701 }, (_, at) => `t${at}`);
  const pairs = names.slice(1).map((candidate) => ({ baseline: "t0", candidate }));
  const writer = new RowIndexWriter(folder, { ...frame, targets: names, pairs }, []);
  const [first] = syntheticRows(1);
  if (first === undefined) throw new Error("there is no row");
  const [side = { runs: [], scores: [] }] = first.sides;
  const rows = [1, 2].map((number) => ({
    ...first,
    sides: Array.from({ length: names.length }, (_, at) => ({
      ...side,
      scores: [{ value: at === 700 ? number : 0, passes: 0, runs: 1 }, null],
    })),
  }));
  for (const [caseId, row] of rows.entries()) writer.add(caseId, row);
  writer.end(null);
  const index = openIndex(folder);
  const condition = {
    ask: "figure",
    figure: { of: "score", side: 700, metric: 0 },
    test: { operator: "=", values: [2] },
  } as const;
  const said = { stamp: "", has: () => false };
  const query = { kind: "condition", condition } as const;
  const found = await index?.list({ pair: 0, text: "", sort: "dataset" }, { query, said, keys: null, signal: null });
  expect(Array.from(found?.places ?? [])).toEqual([1]);
  index?.close();
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
  // It takes the slices and the files of flips from there.
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
