import { describe, expect, test } from "vitest";
import { mismatchLines } from "../../src/app/plan/scorer-fit.ts";
import { ExpectedCounts } from "../../src/dataset/lint/expected-profile.ts";
import { ownComparison } from "../../src/app/compare/planned-comparison.ts";
import { proposedScorer } from "../../src/app/report/proposed-scorer.ts";
import { factTexts } from "../../src/report/say/findings.ts";
import { concludeBatch } from "../../src/app/report/conclude.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { answerJob, gradeBatch, runOn, spec } from "./scored.ts";

/** A case, and what prod answered in each of its runs. */
interface Asked {
  expected: string | null;
  prod: string[];
}

/** A finished batch without scorers. */
async function answered(cases: readonly Asked[]) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    cases.map(({ expected }, i) => oneCase(`k${i + 1}`, { expected })),
    cases[0]?.prod.length,
  );
  sqlite(db).exec("BEGIN");
  for (const [i, { prod }] of cases.entries()) {
    for (const text of prod) answerJob(db, `k${i + 1}`, "prod", text);
    answerJob(db, `k${i + 1}`, "test", "I do not know.");
  }
  sqlite(db).exec("COMMIT");
  setBatchState(db, batch.id, "finished");
  return { db, batch: findBatch(db, batch.name) };
}

async function proposedFor(cases: readonly Asked[]) {
  const { db, batch } = await answered(cases);
  return proposedScorer(db, ownComparison(db, batch), "results");
}

const times = (count: number, made: (i: number) => Asked): Asked[] => Array.from({ length: count }, (_, i) => made(i));

describe("the scorer that is proposed after a run", () => {
  test("holds sentences to be alike where no answer says them word by word", async () => {
    const cases = times(40, (i) => ({
      expected: `You may borrow item ${i} for four weeks.`,
      prod: [`Item ${i} is lent for 28 days, that is four weeks.`],
    }));
    const found = await proposedFor(cases);
    expect(found?.scorer).toBe("chrf");
    expect(found?.reason).toMatch(
      /sentences \(\d\d characters in the median\).*icontains passes in 0 of 40 runs of prod\.$/,
    );
  });

  test("looks for sentences that the baseline says word by word", async () => {
    const cases = times(40, (i) => ({
      expected: `Books of shelf ${i} are lent for four weeks.`,
      prod: [i % 4 === 0 ? "I do not know." : `Hello! Books of shelf ${i} are lent for four weeks.`],
    }));
    const found = await proposedFor(cases);
    expect(found?.scorer).toBe("icontains");
    expect(found?.reason).toMatch(/icontains passes in 30 of 40 runs of prod\.$/);
  });

  test("asks for the beginning of an answer where labels are followed by more", async () => {
    const cases = times(40, (i) => ({
      expected: i % 2 === 0 ? "Yes" : "No",
      prod: [i % 2 === 0 ? "Yes, you can." : "No, I know of none."],
    }));
    expect((await proposedFor(cases))?.scorer).toBe("{ type: starts-with, ignore_case: true }");
    const bare = cases.map(({ expected }) => ({ expected, prod: [expected?.toLowerCase() ?? ""] }));
    expect((await proposedFor(bare))?.scorer).toBe("{ type: equals, ignore_case: true }");
  });

  test("finds JSON in an answer, in any order of its members", async () => {
    const cases = times(20, (i) => ({
      expected: `{"fee": ${i}, "currency": "crowns"}`,
      prod: [`Here you are:\n\`\`\`json\n{"currency":"crowns","fee":${i}}\n\`\`\``],
    }));
    const found = await proposedFor(cases);
    expect(found?.reason).toMatch(/passes in 20 of 20 runs of prod\.$/);
    expect(found?.commands?.[0]).toContain('{ type: json-path, path: $, equals: "{{ expected }}", within: true }');
  });

  test("says that a scorer which nothing passes cannot show a loss", async () => {
    const found = await proposedFor(times(20, (i) => ({ expected: String(i + 100), prod: ["I do not know."] })));
    expect(found?.scorer).toBe("numeric");
    expect(found?.reason).toMatch(/passes in 0 of 20 runs of prod\. With so few a loss cannot be seen/);
  });

  test("is none where nothing is expected: the reports say so", async () => {
    const { db, batch } = await answered(times(5, () => ({ expected: null, prod: ["Hello."] })));
    const out = temporaryFolder();
    const { model, summary } = await concludeBatch(runOn(db, { out }), batch.name);
    expect(factTexts(model)[0]).toContain("no scorer grades the answers: `tandem score --scorer not-empty`");
    expect(summary.next).toBe(`tandem view --results ${out}`);
  });

  test("stands in the reports, with one command that grades and compares", async () => {
    const { db, batch } = await answered(times(20, (i) => ({ expected: `name ${i}`, prod: [`It is name ${i}`] })));
    const out = temporaryFolder();
    const { model, summary } = await concludeBatch(runOn(db, { out }), batch.name);
    const both = `${batch.name} --results ${out}`;
    expect(summary.next).toBe(`tandem score ${both} --scorer icontains && tandem compare ${both}`);
    expect(factTexts(model)).toEqual([
      "One that fits: icontains. The expected answers are a few words (6 characters in the median). An answer that holds the whole text is right. icontains passes in 20 of 20 runs of prod.",
    ]);
  });

  test("is tried on cases from the whole batch, not from its beginning alone", async () => {
    const cases = times(1_000, (i) => ({
      expected: `name ${i}`,
      prod: [i < 500 ? "I do not know." : `It is name ${i}`],
    }));
    expect((await proposedFor(cases))?.reason).toMatch(/icontains passes in 250 of 500 runs of prod\.$/);
  });
});

describe("a scorer that does not fit by the form of the expected answers", () => {
  test("is left alone where it passed in half of the runs before", async () => {
    const cases = times(20, (i) => ({
      expected: `Books of shelf ${i} are lent for four weeks.`,
      prod: [`Books of shelf ${i} are lent for four weeks.`],
    }));
    const { db, batch } = await answered(cases);
    const counts = new ExpectedCounts();
    for (const { expected } of cases) counts.add(expected);
    const scorers = [{ ...spec("correct", "contains"), primary: true }];
    const chosen = { ...batch.suite, scorers };
    const lines = (): string[] => mismatchLines(chosen, counts.profile, db);
    expect(lines()).toHaveLength(1);
    // Prod passes in its 20 runs, test in none of its own.
    await gradeBatch(db, batch, scorers);
    expect(lines()).toEqual([]);
    expect(mismatchLines({ ...chosen, name: "another" }, counts.profile, db)).toHaveLength(1);
    expect(mismatchLines({ ...chosen, scorers: [spec("other", "contains")] }, counts.profile, db)).toHaveLength(1);
  });
});
