import fc from "fast-check";
import { expect, test } from "vitest";
import { longCharacters, packPage, unpackPage } from "../../src/app/report/packed-page.ts";
import type { CaseRow, StoredRow } from "../../src/store/results/columns.ts";
import type { ResultRows, ScoreRow } from "../../src/store/results/result-rows.ts";

const texts = [
  null,
  "",
  "k1",
  "नमस्ते, यह नीला है",
  "أزرق",
  "ሰማያዊ",
  "👩‍👩‍👧 e\u0301\n\u0000",
  "\ud800 alone",
  '{"output":{}}',
];
const text = fc.constantFrom("k1", ...texts.filter((each) => each !== null));
const maybe = fc.constantFrom(...texts);
const whole = fc.integer({ min: 0, max: 2 ** 53 - 1 });
/** SQLite knows no NaN, and no zero below zero. */
const real = fc.option(fc.double({ noNaN: true }).map((value) => value + 0));

const caseRow: fc.Arbitrary<CaseRow> = fc.tuple(
  whole,
  text,
  text,
  text,
  maybe,
  text,
  whole,
  maybe,
  text,
  maybe,
  fc.option(whole),
);
const jobRow: fc.Arbitrary<StoredRow> = fc.tuple(
  whole,
  whole,
  whole,
  whole,
  fc.constantFrom(null, "ok", "run-failed"),
  fc.constantFrom(null, "answered"),
  maybe,
  fc.option(whole),
  whole,
  whole,
  real,
  real,
  real,
  fc.option(whole),
  fc.option(whole),
  fc.option(whole),
  maybe,
  maybe,
  maybe,
  maybe,
);
const scoreRow: fc.Arbitrary<ScoreRow> = fc.tuple(
  whole,
  whole,
  whole,
  real,
  fc.constantFrom(null, 0, 1),
  maybe,
  fc.constantFrom(0, 1),
);
const most = { maxLength: 6 };
const results: fc.Arbitrary<ResultRows> = fc.record({
  cases: fc.array(caseRow, most),
  jobs: fc.array(jobRow, most),
  scores: fc.array(scoreRow, most),
});
const page = fc.record({ own: results, later: fc.array(results, { maxLength: 2 }) });

test("rows come out of another thread as they went in", () => {
  fc.assert(
    fc.property(page, (rows) => {
      expect(unpackPage(structuredClone(packPage(rows)))).toEqual(rows);
    }),
  );
});

test("the long texts of a page are counted, so that a few huge answers do not wait together", () => {
  const head = ["ok", "answered", null, 200, 1, 0, 1.5, 2.5, 2] as const;
  const jobSaying = (id: number, body: string): StoredRow => [
    id,
    id,
    1,
    1,
    ...head,
    null,
    null,
    null,
    null,
    null,
    null,
    body,
  ];
  const [job, other] = [jobSaying(1, "x".repeat(1_000)), jobSaying(2, "y".repeat(500))];
  const own = { cases: [], jobs: [job, other], scores: [] };
  expect(longCharacters(packPage({ own, later: [own] }))).toBe(3_000);
});
