import { describe, expect, test } from "vitest";
import { acknowledgeChange, momentOf, takeBack } from "../../src/app/history/acknowledge.ts";
import { prunedRemoval } from "../../src/app/batches/remove-batches.ts";
import { openRegressions } from "../../src/app/history/past.ts";
import { historyText } from "../../src/cli/commands/history/history.text.ts";
import { nightLabel } from "../../src/report/say/night-names.ts";
import { historyOf } from "../../src/app/history/history.ts";
import type { NightMemory } from "../../src/app/history/known-nights.ts";
import type { SuiteHistory } from "../../src/report/shape/history.ts";
import { tableOfHistory } from "../../src/report/tables/history-table.ts";
import { findBatch } from "../../src/store/batches.ts";
import { keepComparison, storedComparisons } from "../../src/store/compared/comparisons.ts";
import { suiteMarks } from "../../src/store/nights/suite-marks.ts";
import { lockBatch } from "../../src/store/lock.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { suite, temporaryDatabase } from "../store/batch.ts";
import { type DrawnNight, firstNight, storeNights } from "./nights.ts";

const same = (nights: number, night: DrawnNight = {}): DrawnNight[] => Array.from({ length: nights }, () => night);

/** The history of nights that are stored. */
async function historyAfter(nights: readonly DrawnNight[]): Promise<SuiteHistory> {
  const db = temporaryDatabase();
  await storeNights(db, nights);
  return historyOf(db, "nightly");
}

const reported = ({ alarms }: SuiteHistory): unknown =>
  alarms.map(({ target, thing, state, changed }) => [target, thing, state, changed.day]);

describe("the history of a suite", () => {
  test("tells nights of one minute apart by their seconds", async () => {
    const { nights } = await historyAfter([{}, { hours: -24 + 20 / 3600 }, { hours: -45 }]);
    expect(nights.map(({ time }) => (time ?? "").replace(/^\d\d/, ""))).toEqual([":00:00", ":00:20", ":00"]);
  });

  test("reads a suite again by what is new in it: comparisons that were read are remembered until they are made again", async () => {
    const db = temporaryDatabase();
    await storeNights(db, same(3));
    const memory: NightMemory = new Map();
    const verdicts = (): unknown => historyOf(db, "nightly", { memory }).nights.map(({ verdict }) => verdict);
    const before = suiteMarks(db).get("nightly");
    expect(verdicts()).toEqual(["pass", "pass", "pass"]);
    // Behind its back: of a comparison that was read nothing is read again.
    sqlite(db).exec("UPDATE comparison SET summary = '{}' WHERE batch_id = 1");
    expect(verdicts()).toEqual(["pass", "pass", "pass"]);
    const [made] = storedComparisons(db, 3);
    if (made === undefined) throw new Error("No comparison was kept.");
    keepComparison(db, { ...made, summary: made.summary.replace("pass", "invalid"), createdAt: made.createdAt + 1 });
    expect(verdicts()).toEqual(["pass", "pass", "invalid"]);
    // It has the same id as before, because it was the last.
    expect(suiteMarks(db).get("nightly")).not.toBe(before);
    const again = suiteMarks(db).get("nightly");
    const [first] = storedComparisons(db, 2);
    if (first !== undefined) keepComparison(db, first);
    expect(suiteMarks(db).get("nightly")).not.toBe(again);
  });

  test("has a line for each night, also for one that did not finish and one that is invalid", async () => {
    const { nights, alarms, promise } = await historyAfter([
      {},
      { state: "stopped" },
      { failed: 20 },
      { hours: -20, against: "release-12" },
    ]);
    expect(nights.map(({ state, verdict, why, against }) => [state, verdict, why, against])).toEqual([
      ["finished", "pass", null, null],
      ["stopped", null, "Ctrl-C", null],
      ["finished", "pass", "test gave no answer.", null],
      ["finished", "pass", null, "release-12"],
    ]);
    expect(nights[0]?.targets[1]).toMatchObject({
      target: "test",
      metric: "correct",
      cases: 100,
      failed: 0,
      runs: 100,
    });
    expect(nights[0]?.differences).toEqual([
      {
        candidate: "test",
        baseline: "prod",
        metric: "correct",
        difference: -0.1,
        interval: { lower: -0.2, upper: 0 },
        margin: null,
        newlyFailing: null,
      },
    ]);
    expect(nights[3]?.changes).toEqual(["compared with release-12"]);
    // Two of one day are told apart by their times.
    expect(nights.map((night) => nightLabel(night).length)).toEqual([10, 10, 16, 16]);
    expect(alarms).toEqual([]);
    expect(promise).toEqual({ nights: 365, series: 6 });
  });

  test("shows the bounds by which the gate decided, not the two-sided interval of the difference", async () => {
    const { nights } = await historyAfter([{ bounds: { lower: -0.17, upper: -0.06 } }]);
    expect(nights[0]?.differences).toMatchObject([{ difference: -0.1, interval: { lower: -0.17, upper: -0.06 } }]);
  });

  test("shows a sure loss by the bound of its own level, as the report of the night does", async () => {
    const { nights } = await historyAfter([{ bounds: { lower: -0.17, upper: -0.06, sure: -0.02 } }]);
    expect(nights[0]?.differences).toMatchObject([{ interval: { lower: -0.17, upper: -0.02 } }]);
  });

  test("notices a drop, and says in one sentence what it was and since when", async () => {
    const history = await historyAfter([...same(18), ...same(8, { rates: [0.8, 0.55] })]);
    expect(reported(history)).toEqual([["test", "metric", "still", "2026-11-19"]]);
    const [alarm] = history.alarms;
    expect(alarm).toMatchObject({ metric: "correct", direction: "lower", isWorse: true, until: null });
    expect(alarm?.before).toBeCloseTo(0.7, 1);
    expect(alarm?.since).toBeCloseTo(0.55, 1);
    expect(alarm?.sentence).toMatch(
      /^`correct` of test has been lower since the run of 19 November( \(between \d+ and \d+ November\))?: [67]\d(\.\d)? % before, 5\d(\.\d)? % since \(averages of runs\)\. It was noticed on 2\d November\.$/,
    );
  });

  test("a night of which only the confirmation was cut off has the verdict and the values of its first look", async () => {
    const unconfirmed = "60 of 80 further runs were not made (the budget is spent)";
    const cut: DrawnNight = { state: "stopped", unconfirmed, rates: [0.8, 0.5] };
    const history = await historyAfter([...same(18), ...same(6, cut)]);
    const night = history.nights.at(-1);
    expect(night).toMatchObject({ state: "stopped", verdict: "regression", why: `not confirmed: ${unconfirmed}` });
    expect(night?.targets).toHaveLength(2);
    expect(reported(history)).toEqual([["test", "metric", "still", "2026-11-19"]]);
    expect(historyText(history, { width: 200, color: false })).toMatch(/2026-11-24 +regression, not confirmed +\d/);
    const db = temporaryDatabase();
    await storeNights(db, [cut]);
    sqlite(db).prepare("UPDATE batch SET state = 'running'").run();
    const { release } = lockBatch(db, 1);
    expect(historyOf(db, "nightly").nights).toMatchObject([{ state: "running", verdict: null, targets: [] }]);
    release();
  });

  test("says which regression is open and since when, with and without an alarm, and which columns had no room", async () => {
    const worse: DrawnNight = { verdict: "regression" };
    const history = await historyAfter([...same(3), ...same(2, worse)]);
    const open = openRegressions(history);
    const wide = historyText(history, { width: 200, color: false, open });
    expect(wide).toContain(
      "\nOpen since 4 November: regression of correct (test).\n\nNo alarm beside it: nothing moved from run to run.\n",
    );
    expect(wide).not.toContain("Not shown");
    const narrow = historyText({ ...history, nights: history.nights.slice(-1) }, { width: 60, color: false, open });
    expect(narrow.replaceAll("\n", " ")).toContain("Open since 4 November: regression of correct (test).");
    expect(narrow).toMatch(/^Not shown for room: .*median time\s\(-o\s+nights\.csv has\sall\)$/m);
    const first = await historyAfter([...same(3), worse]);
    expect(historyText(first, { width: 200, color: false, open: openRegressions(first) })).toContain(
      "\nNew in the last run: regression of correct (test).\n",
    );
    // A night that cannot tell leaves it open, and a night that passes ends it.
    const left = await historyAfter([...same(3), worse, { undecided: 0.1 }]);
    expect(historyText(left, { width: 200, color: false, open: openRegressions(left) })).toContain(
      "\nOpen since 4 November: regression of correct (test). The last run alone does not decide.\n",
    );
    const alarmed = await historyAfter([...same(18), ...same(6, { rates: [0.8, 0.5], verdict: "regression" })]);
    expect(historyText(alarmed, { width: 200, color: false, open: openRegressions(alarmed) })).toMatch(
      /\nOpen since 19 November: regression of correct \(test\)\.\n\n`correct` of test has been lower since /,
    );
    const fine = await historyAfter([...same(3), worse, {}]);
    expect(openRegressions(fine)).toBeNull();
    expect(historyText(fine, { width: 200, color: false, open: null })).toContain("\nNo alarm.\n");
  });

  test("has the rates of nights whose metric the latest one has no more in percent too", async () => {
    const history = await historyAfter([...same(2, { metric: "right" }), ...same(1)]);
    const lines = historyText(history, { width: 200, color: false }).split("\n").slice(3, 6);
    for (const line of lines) expect(line).toMatch(/^2026-11-0\d {2}pass {5,}\d\d % {2}\d\d % /);
    expect(history.metrics.map(({ name }) => name)).toEqual(["correct"]);
  });

  test("says new in the night in which it is noticed, still afterwards, and over when the level of before is back", async () => {
    const nights = [...same(18), ...same(6, { rates: [0.8, 0.5] }), ...same(6)];
    const db = temporaryDatabase();
    await storeNights(db, nights);
    const states = historyOf(db, "nightly").nights.map(({ batch }) => {
      const { alarms } = historyOf(db, "nightly", { upTo: findBatch(db, batch).id });
      return alarms.map(({ state }) => state).join();
    });
    expect(states.slice(0, 18).join("")).toBe("");
    const after = states.slice(18).filter((state) => state !== "");
    expect(after.filter((state, place) => state !== after[place - 1])).toEqual(["new", "still", "over", "ended"]);
    expect(historyOf(db, "nightly").alarms[0]?.sentence).toMatch(/It was over with the run of 25 November\.$/);
  });

  test("watches errors and latency too, and a night that lacks answers says nothing of the metric", async () => {
    const history = await historyAfter([...same(20), ...same(3, { failed: 30, rates: [0.8, 0.5], latencyMs: 700 })]);
    expect(reported(history)).toEqual(
      expect.arrayContaining([
        ["test", "errors", "still", "2026-11-21"],
        ["test", "latency", "still", "2026-11-21"],
        ["prod", "latency", "still", "2026-11-21"],
      ]),
    );
    expect(history.alarms.filter(({ thing }) => thing === "metric")).toEqual([]);
  });

  test("a change that is known splits the series and is no alarm: configuration, dataset or expected answers", async () => {
    const lower: DrawnNight = { rates: [0.8, 0.5] };
    const targets = suite.targets.map((each) => (each.name === "test" ? { ...each, exampleId: "b" } : each));
    const configured = await historyAfter([...same(18), ...same(8, { ...lower, suite: { targets } })]);
    expect(reported(configured)).toEqual([]);
    expect(configured.nights[18]?.changes).toEqual(["configuration of test"]);
    const expected = await historyAfter([...same(18), ...same(8, { ...lower, expected: "no" })]);
    expect(reported(expected)).toEqual([]);
    expect(expected.nights[18]?.changes).toEqual(["expected answers"]);
    const moved = suite.deployments.map((each) => ({ ...each, concurrency: 9 }));
    const other = await historyAfter([...same(18), ...same(8, { ...lower, suite: { deployments: moved } })]);
    expect(other.nights[18]?.changes).toEqual(["suite"]);
    expect(reported(other)).toHaveLength(1);
    // As between `run` and `night`, of the same file.
    const patient = suite.deployments.map((each) => ({ ...each, waitForServiceMs: 1_800_000 }));
    const waiting = await historyAfter([{}, { suite: { deployments: patient } }]);
    expect(waiting.nights[1]?.changes).toEqual([]);
  });

  test("a try with a part of the sheet is a line, but no night of the series", async () => {
    const history = await historyAfter([...same(18), { rates: [0.2, 0.2], selection: true }, ...same(4)]);
    expect(history.nights[18]?.changes).toEqual(["selection of cases"]);
    expect(history.nights.flatMap(({ otherCases }, night) => (otherCases ? [night] : []))).toEqual([18]);
    expect(reported(history)).toEqual([]);
  });

  test("the promise is for all series together, and a suite can set its own", async () => {
    const strict = { suite: { history: { nightsPerFalseAlarm: 100_000 } } };
    const nights = [...same(18), ...same(3, { rates: [0.8, 0.6] })];
    expect(reported(await historyAfter(nights))).toHaveLength(1);
    const history = await historyAfter(nights.map((night) => ({ ...night, ...strict })));
    expect(reported(history)).toHaveLength(0);
    expect(history.promise).toEqual({ nights: 100_000, series: 6 });
  });

  test("what is acknowledged ends the alarm, stays in the history, and begins the series anew", async () => {
    const db = temporaryDatabase();
    const nights = [...same(18), ...same(6, { rates: [0.8, 0.5] })];
    await storeNights(db, nights);
    const said = { since: momentOf("2026-11-19", "--acknowledge"), note: " new prompt ", author: "ana" };
    expect(() => acknowledgeChange(db, "nightly", { ...said, note: " ", at: 0 })).toThrow("--note");
    acknowledgeChange(db, "nightly", { ...said, at: firstNight + 40 * 86_400_000 });
    const history = historyOf(db, "nightly");
    expect(reported(history)).toEqual([["test", "metric", "acknowledged", "2026-11-19"]]);
    expect(history.alarms[0]?.sentence).toMatch(/It is acknowledged\.$/);
    expect(history.acknowledged).toMatchObject([{ since: "2026-11-19", note: "new prompt", author: "ana" }]);
  });

  test("an acknowledgement is of a day until today, has the note that was given last, and can be taken back", async () => {
    const db = temporaryDatabase();
    await storeNights(db, [...same(18), ...same(6, { rates: [0.8, 0.5] })]);
    const at = firstNight + 23.5 * 86_400_000;
    const said = { since: momentOf("2026-11-19", "--acknowledge"), note: "new prompt", author: "ana", at };
    const late = { ...said, since: momentOf("2026-11-27", "--acknowledge") };
    expect(() => acknowledgeChange(db, "nightly", late)).toThrow("2026-11-27 is still to come");
    acknowledgeChange(db, "nightly", said);
    acknowledgeChange(db, "nightly", { ...said, note: "new model", author: "eva", at: at + 1 });
    const { acknowledged } = historyOf(db, "nightly");
    expect(acknowledged).toEqual([{ since: "2026-11-19", note: "new model", author: "eva", at }]);
    expect(() => takeBack(db, "other", said.since)).toThrow("Nothing is acknowledged as of 2026-11-19");
    takeBack(db, "nightly", said.since);
    const history = historyOf(db, "nightly");
    expect(history.acknowledged).toEqual([]);
    expect(reported(history)).toEqual([["test", "metric", "still", "2026-11-19"]]);
  });

  test("what is acknowledged as of a day before a change does not end its alarm, tonight or the night after", async () => {
    const db = temporaryDatabase();
    const lower = { rates: [0.8, 0.5] } as const;
    await storeNights(db, [...same(18), ...same(6, lower)]);
    const at = firstNight + 23.5 * 86_400_000;
    for (const day of ["2026-11-16", "1026-11-19"])
      acknowledgeChange(db, "nightly", { since: momentOf(day, "--since"), note: "new prompt", author: "ana", at });
    const still = [["test", "metric", "still", "2026-11-19"]];
    expect(reported(historyOf(db, "nightly"))).toEqual(still);
    await storeNights(db, [{ ...lower, hours: 24 * 24 }]);
    expect(reported(historyOf(db, "nightly"))).toEqual(still);
  });

  test("old nights stay while an alarm goes on in them, so that it does not end without a word", async () => {
    const db = temporaryDatabase();
    await storeNights(db, [...same(18), ...same(4, { rates: [0.8, 0.5] }), { selection: true }]);
    const rule = { keep: 0, before: null };
    const { going, staying } = prunedRemoval(db, rule, false);
    expect(going.map(({ id }) => id)).toEqual([23]);
    expect(staying.map(({ batch }) => batch.id)).toEqual(Array.from({ length: 22 }, (_, night) => night + 1));
    expect(staying[0]?.reason).toBe("the change since 2026-11-19 lasts, see `tandem history`");
    const since = momentOf("2026-11-19", "--acknowledge");
    acknowledgeChange(db, "nightly", { since, note: "new prompt", author: "ana", at: firstNight + 30 * 86_400_000 });
    expect(prunedRemoval(db, rule, false).staying).toEqual([]);
  });

  test("compares a night whose comparison is not kept, and writes nothing", async () => {
    const db = temporaryDatabase();
    await storeNights(db, [{}, { kept: false }]);
    sqlite(db).pragma("query_only = ON");
    const { nights } = historyOf(db, "nightly");
    expect(nights[1]?.targets.map(({ target, runs, failed }) => [target, runs, failed])).toEqual([
      ["prod", 1, 1],
      ["test", 1, 1],
    ]);
  });

  test("does not compare a night that another process still grades, and says what was killed", async () => {
    const db = temporaryDatabase();
    await storeNights(db, [{}, { kept: false }, { state: "stopped" }]);
    const { release } = lockBatch(db, 2);
    sqlite(db).prepare("UPDATE batch SET state = 'running' WHERE id = 3").run();
    const { nights } = historyOf(db, "nightly");
    expect(nights.map(({ state, targets }) => [state, targets.length])).toEqual([
      ["finished", 2],
      ["grading", 0],
      ["killed", 0],
    ]);
    release();
  });

  test("tells the cost of as many runs of each target: one that had half of the runs costs no less", async () => {
    const history = await historyAfter([{}]);
    const priced = history.nights.map((night) => ({
      ...night,
      targets: night.targets.map((target, place) => ({ ...target, cost: 0.66, runs: place === 0 ? 330 : 165 })),
    }));
    const text = historyText({ ...history, nights: priced }, { width: 200, color: false });
    expect(text).toContain("cost/1,000 runs");
    expect(text).toMatch(/ 2 \/ 4\n?/);
  });

  test("of a suite that nobody ran is empty", () => {
    expect(historyOf(temporaryDatabase(), "nothing")).toMatchObject({ nights: [], alarms: [], metrics: [] });
  });

  test("as a table has a line for each night with the figures of each target", async () => {
    const history = await historyAfter([{}, { state: "stopped" }]);
    const { columns, rows } = tableOfHistory(history);
    const header = columns.map(({ name }) => name);
    const [first = [], second = []] = rows;
    expect(header).toContain("prod.latency_ms");
    expect(header).toContain("test.difference");
    expect(first).toHaveLength(header.length);
    expect(first[header.indexOf("test.failed")]).toBe(0);
    expect(second[header.indexOf("state")]).toBe("stopped");
    expect(second[header.indexOf("test.value")]).toBe(null);
  });
});

describe("a moment", () => {
  test.each([
    "2026-13-05",
    "2026-00-05",
    "2026-11-00",
    "0026-02-03",
    "2026-02-31",
    "19.11.2026",
    "2026-11-19 25:00",
    "",
  ])("is not %o", (text) => {
    expect(() => momentOf(text, "--since")).toThrow("takes a day such as 2026-11-19");
  });

  test("is the first that its day has, where the clock is put forward at midnight", () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "America/Santiago";
    try {
      expect(new Date(momentOf("2026-09-06", "--since")).toISOString()).toBe("2026-09-06T04:00:00.000Z");
      expect(() => momentOf("2026-09-06 00:30", "--since")).toThrow("takes a day");
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  test("is the first of its day where this machine is", () => {
    expect(new Date(momentOf("2026-11-19", "--since")).getHours()).toBe(0);
    expect(momentOf("2026-11-19 14:05", "--since") - momentOf("2026-11-19", "--since")).toBe(50_700_000);
  });
});

test("a scorer that is compared in two ways has both values in a night, each under the name that reports give it", async () => {
  const db = temporaryDatabase();
  await storeNights(db, [{ twice: true }]);
  const scores = historyOf(db, "nightly").nights[0]?.scores["test"];
  expect(Object.keys(scores ?? {})).toEqual(["correct", "correct (value)"]);
  expect(scores?.["correct (value)"]).toEqual({ value: 7, interval: null });
  expect(scores?.["correct"]?.value).toBeLessThan(1);
});
