import { expect, test } from "vitest";
import { acknowledgeChange } from "../../src/app/history/acknowledge.ts";
import { historyOf } from "../../src/app/history/history.ts";
import { comparisonOfBatch } from "../../src/app/compare/planned-comparison.ts";
import { pastOf, stillOn } from "../../src/app/history/past.ts";
import { findBatch } from "../../src/store/batches.ts";
import { suiteStanding } from "../../src/app/history/suite-standing.ts";
import type { Night } from "../../src/report/shape/history.ts";
import type { SuiteStanding } from "../../src/report/shape/standing.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { suiteTargets } from "../../src/store/suite-targets.ts";
import { temporaryDatabase } from "../store/batch.ts";
import { type DrawnNight, firstNight, storeNights } from "./nights.ts";

const dayMs = 86_400_000;
const same = (nights: number, night: DrawnNight = {}): DrawnNight[] => Array.from({ length: nights }, () => night);

async function standingAfter(nights: readonly DrawnNight[]): Promise<SuiteStanding> {
  const db = temporaryDatabase();
  await storeNights(db, nights);
  return suiteStanding(historyOf(db, "nightly"));
}

const reasonsAfter = async (nights: readonly DrawnNight[]) =>
  (await standingAfter(nights)).reasons.map(({ kind, isNew, sentence }) => [kind, isNew, sentence]);

test("a suite whose last night is fine is quiet, with its latest nights and without words", async () => {
  const standing = await standingAfter(same(40));
  expect(standing).toMatchObject({ nights: 40, reasons: [], worstSlice: null, error: null, targets: ["prod", "test"] });
  expect(standing.last).toMatchObject({ day: "2026-12-10", verdict: "pass", state: "finished" });
  expect(standing.past).toHaveLength(30);
  expect(standing.past[0]?.scores["test"]).toHaveProperty("correct");
});

test("the targets of a suite are those of its latest night that asked all of them, whatever was asked since", async () => {
  const db = temporaryDatabase();
  await storeNights(db, same(2));
  const all = suiteTargets(db, "nightly");
  expect(all).toEqual(["prod", "test"]);
  const last = "WHERE id = (SELECT max(id) FROM batch)";
  sqlite(db).exec(`UPDATE batch SET suite = json_set(json_remove(suite, '$.targets[0]'), '$.compare', NULL) ${last}`);
  expect(suiteTargets(db, "nightly")).toHaveLength(1);
  sqlite(db).exec(`UPDATE batch SET selection = '{"targets":["test"]}' ${last}`);
  expect(suiteTargets(db, "nightly")).toEqual(all);
  expect(suiteTargets(db, "none such")).toEqual([]);
});

test("a regression is told with the night since which it is so, and the slice that lost most", async () => {
  const { reasons, worstSlice } = await standingAfter([...same(5), ...same(3, { verdict: "regression" })]);
  expect(reasons).toMatchObject([
    {
      kind: "regression",
      isNew: false,
      sentence: "Regression of correct (test): since 6 November (3 runs)",
      more: expect.stringMatching(/^`correct` in the last run: test \d\d[.\d]* %, prod \d\d[.\d]* %\.$/) as unknown,
      isKnown: false,
      began: { day: "2026-11-06" },
    },
  ]);
  const of = { candidate: "test", slice: { tag: "kind", value: "typo", and: null } };
  expect(worstSlice).toMatchObject({ ...of, sentence: "Worst: kind = typo, 24 rows: 90 % -> 10 %" });
});

test("a regression goes on over nights that cannot tell and measured a loss beyond the limit, until one speaks against it", async () => {
  const worse: DrawnNight = { verdict: "regression" };
  const open: DrawnNight = { undecided: 0.1 };
  const small: DrawnNight = { undecided: 0.7 };
  const flickering = [...same(5), worse, open, worse, open, { verdict: "invalid" as const }, worse];
  const sentence = "Regression of correct (test): since 6 November";
  expect(await reasonsAfter(flickering)).toEqual([["regression", false, `${sentence} (6 runs)`]]);
  const unshown = `${sentence} (7 runs). The last run has too few rows to tell by itself`;
  expect(await reasonsAfter([...flickering, open])).toEqual([["regression", false, unshown]]);
  expect(await reasonsAfter([...flickering, small])).toEqual([]);
  expect(await reasonsAfter([...flickering, {}])).toEqual([]);
  // What was never shown is no regression.
  expect(await reasonsAfter([...same(5), open, open])).toEqual([]);
  expect(await reasonsAfter([...flickering, {}, open])).toEqual([]);
});

test("the report of a night that does not decide says which regression counts as still on, and since which night", async () => {
  const stillOnAfter = async (nights: readonly DrawnNight[]) => {
    const db = temporaryDatabase();
    await storeNights(db, nights);
    return stillOn(historyOf(db, "nightly"));
  };
  const worse: DrawnNight = { verdict: "regression" };
  const open: DrawnNight = { undecided: 0.1 };
  const sentence = "The regression of correct (test) of 6 November counts as still on: this run alone does not decide.";
  const reported = { sentence, began: { day: "2026-11-06" } };
  expect(await stillOnAfter([...same(5), worse, open])).toMatchObject(reported);
  expect(await stillOnAfter([...same(5), worse, worse, { verdict: "invalid" }])).toMatchObject(reported);
  // A night that shows it again tells since when; of one that speaks against it, or had none before it, there is nothing to say.
  expect(await stillOnAfter([...same(5), worse, open, worse])).toMatchObject({
    sentence: "Regression of correct (test): since 6 November (3 runs).",
    began: { day: "2026-11-06" },
  });
  expect(await stillOnAfter([...same(5), worse])).toBeNull();
  expect(await stillOnAfter([...same(5), worse, { undecided: 0.7 }])).toBeNull();
  expect(await stillOnAfter([...same(5), open])).toBeNull();
});

/** The standing of a suite with a change that Ada knows of since a night, which she said a day later. */
async function knownSince(night: number, nights: readonly DrawnNight[]): Promise<SuiteStanding> {
  const db = temporaryDatabase();
  await storeNights(db, nights);
  const since = firstNight + night * dayMs - dayMs / 2;
  acknowledgeChange(db, "nightly", { since, note: "new prompt", author: "Ada", at: since + dayMs });
  return suiteStanding(historyOf(db, "nightly"));
}

test("a regression is known of which somebody said so since it began, with the words that were said", async () => {
  const worse: DrawnNight = { verdict: "regression" };
  const { reasons } = await knownSince(5, [...same(5), worse, worse]);
  expect(reasons).toMatchObject([
    {
      kind: "regression",
      isKnown: true,
      sentence: "Regression of correct (test): since 6 November (2 runs)",
      more: expect.stringMatching(/%\. Known as of 6 November: new prompt \(said by Ada on 7 November\)$/) as unknown,
    },
  ]);
  // The report of that night says so too.
  const db = temporaryDatabase();
  await storeNights(db, [...same(5), worse]);
  const since = firstNight + 4.5 * dayMs;
  acknowledgeChange(db, "nightly", { since, note: "new prompt", author: "Ada", at: since + dayMs });
  const planned = comparisonOfBatch(db, findBatch(db, "latest"));
  const { known } = pastOf(db, planned);
  expect(known).toEqual(["Known as of 6 November: new prompt (said by Ada on 7 November)"]);
  // Somebody spoke when its loss was there, and before a night could show it.
  const early = await knownSince(5, [...same(5), { undecided: 0.1 }, { undecided: 0.1 }, worse]);
  expect(early.reasons).toMatchObject([{ isKnown: true, began: { day: "2026-11-08" } }]);
  // The day it fell is told before the day on which it was first certain.
  const longer = await knownSince(5, [...same(5), { undecided: 0.1 }, { undecided: 0.1 }, worse, worse]);
  expect(longer.reasons[0]?.sentence).toBe(
    "Regression of correct (test): worse since 6 November, first certain on 8 November (2 runs)",
  );
  // It began after somebody spoke of another change.
  const later = await knownSince(3, [...same(5), worse, worse]);
  expect(later.reasons).toMatchObject([{ kind: "regression", isKnown: false }]);
  expect(later.reasons[0]?.more).not.toContain("Known");
});

test("whatever else is wrong beside a known regression is not known, and comes first", async () => {
  const worse: DrawnNight = { verdict: "regression" };
  const another: DrawnNight = { verdict: "regression", bounds: { lower: -0.3, upper: -0.1 } };
  const { reasons } = await knownSince(5, [...same(5), worse, worse, another]);
  const db = temporaryDatabase();
  await storeNights(db, [...same(5), worse, worse, another]);
  const since = firstNight + 4.5 * dayMs;
  // The report of that night is of what is new.
  expect(stillOn(historyOf(db, "nightly"))).toMatchObject({ began: { day: "2026-11-06" } });
  acknowledgeChange(db, "nightly", { since, note: "new prompt", author: "Ada", at: since + dayMs });
  expect(stillOn(historyOf(db, "nightly"))).toBeNull();
  expect(reasons).toMatchObject([
    { kind: "regression", isKnown: false, isNew: true, sentence: expect.stringContaining("size big") as unknown },
    { kind: "regression", isKnown: true, isNew: false },
  ]);
  const stopped = await knownSince(5, [...same(5), worse, worse, { state: "stopped" }]);
  expect(stopped.reasons.map(({ kind, isKnown }) => [kind, isKnown])).toEqual([
    ["unfinished", false],
    ["regression", true],
  ]);
});

test("a regression of the last night alone is new; one that was not asked the same cases is no earlier night of it", async () => {
  const sentence = "Regression of correct (test): new in the last run";
  const worse: DrawnNight = { verdict: "regression" };
  expect(await reasonsAfter([...same(5), worse])).toEqual([["regression", true, sentence]]);
  expect(await reasonsAfter([...same(5), { ...worse, selection: true }, worse])).toEqual([
    ["regression", true, sentence],
  ]);
});

test("a night with too many errors and one that did not finish need a look, with the reason and the most frequent error", async () => {
  const invalid = await standingAfter([...same(4), { verdict: "invalid", failed: 20 }]);
  expect(invalid.reasons).toMatchObject([
    { kind: "invalid", isNew: true, sentence: "Invalid result: new in the last run", more: "test gave no answer." },
  ]);
  expect(invalid.error).toEqual({ target: "test", outcome: "server-error", message: "no model", runs: 20 });
  const stopped = await standingAfter([...same(4), ...same(2, { state: "stopped" })]);
  const sentence = "Run that was not finished: since 5 November (2 runs)";
  expect(stopped.reasons).toMatchObject([{ kind: "unfinished", isNew: false, sentence, more: "Ctrl-C" }]);
});

test("a night that ended as a target was stopped is invalid: it names the target and its error, and stands in the series", async () => {
  const broken = { state: "stopped", verdict: "invalid", failed: 22, targetStopped: "HTTP 503" } as const;
  const { reasons, error, last, past } = await standingAfter([...same(4), broken]);
  const more = "test stopped answering. 20 of 100 rows failed, 2 never finished.";
  expect(reasons).toMatchObject([{ kind: "invalid", sentence: "Invalid result: new in the last run", more }]);
  expect(error).toMatchObject({ target: "test", message: "no model" });
  expect(last?.verdict).toBe("invalid");
  expect(past.at(-1)?.verdict).toBe("invalid");
  const after = await standingAfter([...same(4), broken, ...same(1)]);
  expect(after.reasons).toEqual([]);
});

test("a suite that never came to a verdict says why, and what brings one", async () => {
  const open = await standingAfter(same(2, { undecided: 0.7 }));
  expect(open.undecided).toBe("Nothing could be decided in any of 2 runs. Next: more rows; the run says how many.");
  expect((await standingAfter([{}, { undecided: 0.7 }])).undecided).toBeNull();
  const db = temporaryDatabase();
  await storeNights(db, [{}]);
  const first = historyOf(db, "nightly");
  const say = (night: Partial<Night>) =>
    suiteStanding({ ...first, nights: first.nights.map((each) => ({ ...each, verdict: null, ...night })) }).undecided;
  expect(say({})).toContain("nothing decides");
  expect(say({ differences: [] })).toContain("compared with nothing");
  expect(say({ differences: [], targets: [] })).toContain("Nothing grades its answers");
});

test("a change that was noticed is a reason to look, and is marked where it began and where it was noticed", async () => {
  const { reasons, marks } = await standingAfter([...same(20), ...same(6, { rates: [0.8, 0.4] })]);
  expect(reasons.map(({ kind, isNew }) => [kind, isNew])).toEqual([["alarm", false]]);
  expect(marks.map(({ kind }) => kind)).toEqual(["changed", "noticed"]);
  expect(marks[0]?.sentence).toMatch(
    /^Worse: `correct` of test fell from \d\d[.\d]* % to \d\d[.\d]* % on \d+ November \(averages of runs\)/,
  );
  // One sentence for both: where they stand at one night it is told once.
  expect(marks[1]?.sentence).toBe(marks[0]?.sentence);
});

test("an alarm that says in other words what is wrong is no reason of its own: its levels stand behind the regression", async () => {
  const lost: DrawnNight = { rates: [0.8, 0.4], verdict: "regression" };
  const { reasons } = await standingAfter([...same(20), ...same(6, lost)]);
  expect(reasons).toMatchObject([
    {
      sentence: "Regression of correct (test): since 21 November (6 runs)",
      more: expect.stringMatching(
        /^`correct` of test: \d\d[.\d]* % before, \d\d[.\d]* % since \(averages of runs\)\.$/,
      ) as unknown,
    },
  ]);
  // Runs without an answer make the night incomplete, which is told once too.
  const down = await standingAfter([...same(20), { verdict: "invalid", failed: 27 }]);
  expect(down.reasons).toMatchObject([{ kind: "invalid", isNew: true, more: "test gave no answer." }]);
  // Of another time it is another story.
  const earlier = await standingAfter([...same(20), ...same(6, { rates: [0.8, 0.4] }), ...same(2, lost)]);
  expect(earlier.reasons.map(({ kind }) => kind)).toEqual(["regression", "alarm"]);
});

test("a change that is acknowledged is no reason to look any more; its day is marked", async () => {
  const db = temporaryDatabase();
  await storeNights(db, [...same(20), ...same(6, { rates: [0.8, 0.4] })]);
  const since = firstNight + 20 * dayMs - dayMs / 2;
  acknowledgeChange(db, "nightly", { since, note: "new prompt", author: "Ada", at: since + dayMs });
  const { reasons, marks, past } = suiteStanding(historyOf(db, "nightly"));
  expect(reasons).toEqual([]);
  const said = marks.find(({ kind }) => kind === "acknowledged");
  expect(said?.sentence).toBe("Acknowledged: new prompt (Ada)");
  expect(past.find(({ batch }) => batch === said?.batch)?.day).toBe("2026-11-21");
});

test("a suite that was never run stands for nothing", () => {
  expect(suiteStanding(historyOf(temporaryDatabase(), "nothing"))).toMatchObject({
    nights: 0,
    last: null,
    reasons: [],
    past: [],
  });
});
