import { expect, test } from "vitest";
import { oneCaseReader } from "../../src/store/compared/one-case.ts";
import { pairedResults } from "../../src/store/compared/paired-results.ts";
import { PageParts, type ResultRows } from "../../src/store/results/result-rows.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

/** Three nights: in the last the inputs of every third case changed, and one case is new. */
async function nights() {
  const db = temporaryDatabase();
  const cases = (changed: boolean) =>
    Array.from({ length: 9 }, (_, i) => oneCase(`k${i}`, { inputHash: `${i}${changed && i % 3 === 0 ? " नया" : ""}` }));
  const first = await plannedBatch(db, cases(false));
  const second = await plannedBatch(db, cases(false));
  const third = await plannedBatch(db, [...cases(true), oneCase("new")]);
  const batches = [third, first, second].map(({ id }) => ({ batchId: id, scoringId: null }));
  return { db, batches, ids: [first.id, second.id, third.id] };
}

test("a key with several inputs is a case for each that is wanted, with the jobs of its own batches", async () => {
  const { db, batches, ids } = await nights();
  const [first = 0, second = 0, third = 0] = ids;
  const found = [
    ...pairedResults(db, batches, {
      reasons: false,
      wants: ({ variants, variant }) => (variants[variant]?.length ?? 0) > 1,
    }),
  ];
  expect(found.map(({ key, variant }) => `${key} ${variant}`)).toEqual([
    "k0 0",
    "k0 1",
    "k1 0",
    "k2 0",
    "k3 0",
    "k3 1",
    "k4 0",
    "k5 0",
    "k6 0",
    "k6 1",
    "k7 0",
    "k8 0",
    "new 0",
  ]);
  const [changed, before, same] = found;
  expect(changed?.variants).toEqual([[third], [first, second]]);
  expect([changed?.jobs.length, before?.jobs.length, same?.jobs.length]).toEqual([2, 4, 6]);
  expect(same?.variants).toEqual([[third, first, second]]);
  expect(before?.inputHash).toBe("0");
  const read = oneCaseReader(db, batches);
  expect(read("k0")).toMatchObject({ inputHash: "0 नया", variant: 0 });
  expect(read("k0", "0")).toMatchObject({ inputHash: "0", variant: 1, variants: [[third], [first, second]] });
  expect(read("k0", "0")?.jobs).toHaveLength(4);
});

test("without wish a key is one case: that of the first batch that has it", async () => {
  const { db, batches } = await nights();
  expect([...pairedResults(db, batches)].map(({ key, variant }) => `${key} ${variant}`)).toEqual([
    ...Array.from({ length: 9 }, (_, i) => `k${i} 0`),
    "new 0",
  ]);
});

test("which cases belong together is known from the first batch that says it", async () => {
  const db = temporaryDatabase();
  const reported = await plannedBatch(db, [oneCase("k1", { cluster: "c" }), oneCase("k2", { cluster: "c" })]);
  const silent = await plannedBatch(db, [oneCase("k1", { cluster: "k1" }), oneCase("k2", { cluster: "k2" })]);
  const batches = [silent, reported].map(({ id }) => ({ batchId: id, scoringId: null, clustered: id === reported.id }));
  const clusters = (given: typeof batches) => [...pairedResults(db, given)].map(({ cluster }) => cluster);
  expect(clusters(batches)).toEqual(["c", "c"]);
  expect(clusters(batches.toReversed())).toEqual(["c", "c"]);
  expect(clusters(batches.map((each) => ({ ...each, clustered: false })))).toEqual(["k1", "k2"]);
});

test("a case of which batches expect other texts says which expects what; where one knows none, it differs from none", async () => {
  const db = temporaryDatabase();
  const expecting = async (...texts: (string | null)[]) =>
    (
      await plannedBatch(
        db,
        texts.map((expected, i) => oneCase(`k${i}`, { expected })),
      )
    ).id;
  const first = await expecting("Paris", "ten", null, "one");
  const second = await expecting("Paris", "eleven", "five", null);
  const batches = [first, second].map((batchId) => ({ batchId, scoringId: null }));
  expect(Array.from(pairedResults(db, batches), ({ expectations }) => expectations)).toEqual([
    undefined,
    [
      { batchId: first, expected: "ten" },
      { batchId: second, expected: "eleven" },
    ],
    undefined,
    undefined,
  ]);
});

/** Rows of so many cases, each with an answer of so many characters. */
const rowsOf = (cases: number, length: number): ResultRows => ({
  cases: Array.from({ length: cases }, (_, id) => [id, `k${id}`]),
  jobs: Array.from({ length: cases }, (_, id) => [id, "x".repeat(length)]),
  scores: [],
});

test.each([
  [10, 64],
  [300_000, 27],
  [1_000_000, 8],
  [20_000_000, 1],
])("of cases with answers of %d characters at most %d are held together, and none is left out", (length, most) => {
  const parts = new PageParts();
  const read: number[] = [];
  for (const page of [
    { from: 1, to: 64 },
    { from: 65, to: 128 },
    { from: 129, to: 140 },
  ]) {
    for (const part of parts.of(page)) {
      const cases = part.to - part.from + 1;
      read.push(cases);
      parts.learn(part, [rowsOf(cases, length)]);
    }
  }
  expect(read.reduce((sum, cases) => sum + cases, 0)).toBe(140);
  expect(Math.max(...read)).toBe(most);
});
