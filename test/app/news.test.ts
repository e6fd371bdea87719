import { describe, expect, test } from "vitest";
import { issuesOf, type NightIssues, standingIssues } from "../../src/app/history/issues.ts";
import { newsOf, newsOfNights } from "../../src/app/history/changes-since-notice.ts";
import type { GateFacts } from "../../src/compare/verdict/facts.ts";
import { nobodyToldWords } from "../../src/report/say/nights.ts";
import { type Batch, setBatchState } from "../../src/store/batches.ts";
import { keepComparison } from "../../src/store/compared/comparisons.ts";
import type { Connection } from "../../src/store/connection.ts";
import { endNotice } from "../../src/store/nights/notices.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

/** A night that has ended, with what its comparison came to. */
async function nightOf(db: Connection, verdict: string | null, reported = true, p = 0.9): Promise<Batch> {
  const batch = await plannedBatch(db, [oneCase("a")]);
  setBatchState(db, batch.id, "finished");
  const gates = verdict === "pass" ? [] : [gate(verdict, p)];
  const summary = JSON.stringify({ verdict, gates, candidates, targets: [] });
  keepComparison(db, {
    batchId: batch.id,
    against: "",
    seed: "1",
    word: null,
    verdict,
    summary,
    version: "0",
    createdAt: 1,
  });
  if (reported) endNotice(db, batch.name, { at: 1, isNotified: true });
  return { ...batch, state: "finished" };
}

const candidates = [{ candidate: "test", baseline: "prod", metrics: [] }];

const gate = (state: string | null, pRegression: number) =>
  ({ metric: "correct", candidate: "test", slice: null, state, decided: { pRegression } }) as unknown as GateFacts;

const reported = (verdict: "pass" | "inconclusive" | "invalid") => ({ verdict, gates: [], candidates });

test("a choice without gates says nothing of a regression that a gate found: it stays open, and is not said to be over", () => {
  const sides = {
    targets: [
      { target: "prod", stopped: null },
      { target: "test", stopped: null },
    ],
    candidates,
  };
  const found = issuesOf("finished", { verdict: "regression", gates: [gate("regression", 0.001)], ...sides });
  const choice = {
    expected: null,
    named: "prod",
    ahead: null,
    set: ["prod"],
    configurations: ["prod", "test"].map((target) => ({ target })),
    alike: [],
    open: null,
  };
  const choosing = (isChoice: boolean) =>
    issuesOf("finished", { verdict: "pass", gates: [], ...sides, ...(isChoice && { choice }) });
  const after = (night: NightIssues) => standingIssues([found, night]).at(-1);
  expect(after(choosing(false))).toEqual([]);
  expect(after(choosing(true))).toMatchObject([{ name: "regression of correct (test)", takesPart: false }]);
});

describe("the news of a night", () => {
  test("are of the alarms over the nights too", async () => {
    const db = temporaryDatabase();
    const first = await nightOf(db, "pass");
    const tonight = await nightOf(db, "pass", false);
    const of = (...states: ("new" | "still" | "over")[]): string =>
      newsOf(db, tonight, {
        comparison: reported("pass"),
        alarms: states.map((state) => ({ state, noticedAt: first.createdAt })),
      }).state;
    expect([of(), of("still"), of("still", "over"), of("over", "new")]).toEqual(["none", "still", "over", "new"]);
  });

  test("say that a regression is over, or only that it is not found, since the first night of it", async () => {
    const db = temporaryDatabase();
    await nightOf(db, "pass");
    const first = await nightOf(db, "regression");
    await nightOf(db, "regression");
    const tonight = await nightOf(db, "pass", false);
    const over = newsOf(db, tonight, { comparison: reported("pass"), alarms: [] });
    expect(over).toMatchObject({ state: "over", since: first.createdAt });
    expect(over.sentence).toMatch(/^The regression of correct \(test\) of .* is over$/);
    const open = newsOf(db, tonight, { comparison: reported("inconclusive"), alarms: [] });
    expect(open.sentence).toMatch(/ was not found again$/);
  });

  test("are none of a regression that was shown yesterday, may be there tonight, and is shown again tomorrow", async () => {
    const db = temporaryDatabase();
    await nightOf(db, "pass");
    const first = await nightOf(db, "regression");
    const tonight = await nightOf(db, "inconclusive", true, 0.1);
    const comparison = { verdict: "inconclusive" as const, gates: [gate("inconclusive", 0.1)], candidates };
    const open = newsOf(db, tonight, { comparison, alarms: [] });
    expect(open).toMatchObject({ state: "still", since: first.createdAt });
    expect(open.sentence).toMatch(
      /^The regression of correct \(test\) of .* counts as still on: this run alone does not decide$/,
    );
    const tomorrow = await nightOf(db, "regression", false);
    const again = { verdict: "regression" as const, gates: [gate("regression", 0.01)], candidates };
    expect(newsOf(db, tomorrow, { comparison: again, alarms: [] })).toMatchObject({
      state: "still",
      since: first.createdAt,
    });
    // One that measured less is over with that night, and new when it is shown again.
    const less = { verdict: "inconclusive" as const, gates: [gate("inconclusive", 0.7)], candidates };
    expect(newsOf(db, tomorrow, { comparison: less, alarms: [] }).state).toBe("over");
  });

  test("are of a loss that is sure, and none where only its word is new by the rules", async () => {
    const keptGates = async (db: Connection, gates: readonly object[]): Promise<Batch> => {
      const batch = await plannedBatch(db, [oneCase("a")]);
      setBatchState(db, batch.id, "finished");
      const summary = JSON.stringify({ verdict: "inconclusive", gates, candidates, targets: [] });
      const kept = { batchId: batch.id, against: "", seed: "1", verdict: "inconclusive", word: null, version: "0" };
      keepComparison(db, { ...kept, summary, createdAt: 1 });
      endNotice(db, batch.name, { at: 1, isNotified: true });
      return { ...batch, state: "finished" };
    };
    const about = { metric: "correct", candidate: "test", slice: null, state: "inconclusive" };
    const decided = { pRegression: 0.6, upper: -0.01 };
    const sure = { ...about, word: "worse", decided };
    const tonightOf = (db: Connection, batch: Batch) =>
      newsOf(db, batch, {
        comparison: { verdict: "inconclusive", gates: [sure as unknown as GateFacts], candidates },
        alarms: [],
      });
    const isNew = temporaryDatabase();
    await nightOf(isNew, "pass");
    const first = await nightOf(isNew, "inconclusive", false);
    expect(tonightOf(isNew, first)).toMatchObject({ state: "new", troubles: ["sure loss of correct (test)"] });
    // A regression that is only a sure loss tonight goes on, and a loss that is a regression tonight is new.
    const less = temporaryDatabase();
    const regression = await nightOf(less, "regression");
    expect(tonightOf(less, await nightOf(less, "inconclusive", false))).toMatchObject({
      state: "still",
      since: regression.createdAt,
    });
    const more = temporaryDatabase();
    await keptGates(more, [sure]);
    const worse = await nightOf(more, "regression", false);
    const comparison = { verdict: "regression" as const, gates: [gate("regression", 0.001)], candidates };
    expect(newsOf(more, worse, { comparison, alarms: [] })).toMatchObject({ state: "new" });
  });

  test("name a run that did not finish by its day", async () => {
    const db = temporaryDatabase();
    await nightOf(db, "pass");
    const cut = await nightOf(db, "pass");
    setBatchState(db, cut.id, "stopped");
    const tonight = await nightOf(db, "inconclusive", false);
    expect(newsOf(db, tonight, { comparison: reported("inconclusive"), alarms: [] }).sentence).toMatch(
      /^The run of \d+ [A-Z][a-z]+ did not finish; this one did$/,
    );
  });

  test("are new where another thing is wrong, and beside a night of which nobody could be told", async () => {
    const db = temporaryDatabase();
    await nightOf(db, "pass");
    await nightOf(db, "regression");
    const tonight = await nightOf(db, "invalid", false);
    expect(newsOf(db, tonight, { comparison: reported("invalid"), alarms: [] }).state).toBe("new");
    const later = await nightOf(db, "invalid");
    expect(newsOf(db, later, { comparison: reported("invalid"), alarms: [] }).state).toBe("new");
    const last = await nightOf(db, "invalid", false);
    expect(newsOf(db, last, { comparison: reported("invalid"), alarms: [] }).state).toBe("still");
  });
  test("are new in the first night in which somebody can be told, whatever runs by hand have shown before", async () => {
    const db = temporaryDatabase();
    expect(newsOfNights(db, await nightOf(db, "pass"), { comparison: reported("pass"), alarms: [] })).toBeNull();
    const byHand = await nightOf(db, "regression", false);
    endNotice(db, byHand.name, { at: 1, isNotified: false });
    const tonight = await nightOf(db, "regression", false);
    const noticedAt = byHand.createdAt + 1;
    const found = {
      comparison: { verdict: "regression" as const, gates: [gate("regression", 0.01)], candidates },
      alarms: [],
    };
    expect(newsOf(db, tonight, found)).toMatchObject({ state: "new", since: null });
    const alarm = { comparison: reported("pass"), alarms: [{ state: "still" as const, noticedAt }] };
    expect(newsOf(db, tonight, alarm).state).toBe("new");
    // Whoever sees the runs has seen it.
    expect(newsOfNights(db, tonight, found)).toMatchObject({ state: "still", since: byHand.createdAt });
    endNotice(db, tonight.name, { at: 1, isNotified: true });
    const tomorrow = await nightOf(db, "regression", false);
    const again = newsOf(db, tomorrow, found);
    expect(again).toMatchObject({ state: "still", since: tonight.createdAt });
    expect(nobodyToldWords(again, tomorrow.createdAt)).toMatch(
      /^No notice: the regression of correct \(test\) is still open, since \d+ [A-Z][a-z]+ \(--notify-on change\)\.$/,
    );
  });
});
