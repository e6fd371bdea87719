import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import type { ReportSide, ReportSummary } from "../../src/report/shape/model.ts";
import type { BatchList, KnownSuites, RowAnswer, RowPage, SuiteNights, Versioned } from "../../src/viewer/api.ts";
import { json, opened, prompts, viewed, viewedByFile } from "./viewing.ts";

function firstRun({ runs }: ReportSide): ReportSide["runs"][number] | undefined {
  return runs[0];
}

const shared = viewedByFile();

test("the rows of a batch are paged, filtered, sorted and searched in every script", async () => {
  const { tandem, caller } = await shared();
  const { id, ready, summary, counts } = await opened(caller);
  expect(ready).toBe(true);
  expect(summary.cases).toBe(prompts.length);
  expect(summary.next).toMatchObject({ step: { kind: "look", rows: "worse" }, commands: [["tandem", "view"]] });
  expect(counts[0]).toMatchObject({ all: 6, worse: 6, errors: 1 });
  const rows = (query: string): Promise<RowPage> => json(caller.get(`/api/rows?id=${id}&${query}&limit=100`));
  expect((await rows("sort=place")).heads.map(({ key }) => key)).toEqual(prompts.map(([key]) => key));
  expect(await rows("sort=place&offset=4&limit=1")).toMatchObject({ matched: 6, heads: [{ key: "emoji-1" }] });
  expect((await rows("q=errors")).heads.map(({ key }) => key)).toEqual(["emoji-1"]);
  expect((await rows("q=language:hi")).heads.map(({ key }) => key)).toEqual(["hi-1"]);
  const ofTwo = await rows("sort=place&q=language==hi,ar,xx");
  expect(ofTwo.heads.map(({ key }) => key)).toEqual(["hi-1", "ar-1"]);
  expect(await json(caller.get(`/api/rows?id=${id}&q=nothing:x`))).toMatchObject({
    error: "Character 1 of the query: nothing here is called `nothing`.",
  });
  for (const [text, key] of [
    ["किताब", "hi-1"],
    ["إعارة", "ar-1"],
    ["👍🏽", "emoji-1"],
    ["RENEW book", "en-1"],
    ["%20", "a&b=c #1/%20"],
  ] as const) {
    expect((await rows(`q=${encodeURIComponent(text)}`)).heads.map((head) => head.key)).toEqual([key]);
  }
  expect((await rows("q=nowhere")).matched).toBe(0);
  // As when the viewer was stopped before they were written: a search waits until they are.
  const index = join(tandem.folder, "results", ".view", id);
  rmSync(join(index, "texts.sqlite"));
  expect((await rows("q=renew%20book")).heads.map(({ key }) => key)).toEqual(["en-1"]);
  expect(readdirSync(index)).toContain("texts.sqlite");
  const at = await json(caller.get(`/api/at?id=${id}&sort=place&key=ar-1`));
  expect(at).toEqual({ index: 3 });
});

test("a row comes whole, and its answers can be labelled, also with what people take back", async () => {
  const { tandem, caller } = await viewed();
  const { id } = await opened(caller);
  const read = (): Promise<RowAnswer> =>
    json(caller.get(`/api/row?id=${id}&key=${encodeURIComponent("a&b=c #1/%20")}`));
  const { row } = await read();
  const [base, candidate] = row.sides.map(firstRun);
  expect([base?.answer, candidate?.answer]).toEqual([
    "A key of all kinds - answered.",
    "A key of all kinds - WHO KNOWS?",
  ]);
  expect(candidate?.scores[0]).toMatchObject({ pass: false, reason: expect.stringMatching(/answered/) });
  const label = { jobId: candidate?.jobId ?? 0, scorer: "", label: "bad", note: "rude 👎🏽", author: "Ada" };
  expect(await json(caller.send("POST", "/api/labels", label))).toEqual({
    kept: "added",
    label: "bad",
    before: null,
  });
  expect((await read()).labels[candidate?.jobId ?? 0]).toMatchObject([
    { scorer: "", label: "bad", note: "rude 👎🏽", author: "Ada", edits: false },
  ]);
  expect(tandem.query("SELECT label, value FROM label")).toEqual([{ label: "bad", value: 0 }]);
  for (const wrong of [{ ...label, label: "perhaps" }, { ...label, jobId: 999_999 }, { label: "bad" }]) {
    expect((await caller.send("POST", "/api/labels", wrong)).status).toBe(400);
  }
  const { jobId, scorer, author } = label;
  expect(await json(caller.send("DELETE", "/api/labels", { jobId, scorer, author }))).toEqual({ removed: true });
  expect((await caller.send("DELETE", "/api/labels", { jobId, scorer, author })).status).toBe(400);
  expect((await read()).labels).toEqual({});
});

test("a label waits while a run writes, and others are answered meanwhile", async () => {
  const { tandem, caller } = await viewed();
  const { id } = await opened(caller);
  const { row } = await json<RowAnswer>(caller.get(`/api/row?id=${id}&key=en-1`));
  const label = { jobId: row.sides.map(firstRun)[0]?.jobId ?? 0, scorer: "", label: "good", note: null, author: "Ada" };
  const run = new Database(join(tandem.folder, "results/tandem.db"));
  run.exec("BEGIN IMMEDIATE");
  const kept = json(caller.send("POST", "/api/labels", label));
  expect((await caller.get("/api/batches")).status).toBe(200);
  expect(tandem.query("SELECT 1 FROM label")).toEqual([]);
  // The run is not kept from writing.
  run.exec("INSERT INTO rate_slot (service, at) VALUES ('x', 1)");
  run.exec("COMMIT");
  run.close();
  expect(await kept).toMatchObject({ kept: "added" });
});

test("a row with a label is labelled: in the list, to its filter, and to who looks for the next", async () => {
  const { caller } = await shared();
  const { id } = await opened(caller);
  const rows = (query: string): Promise<RowPage> =>
    json(caller.get(`/api/rows?id=${id}&sort=place&offset=0&limit=9&${query}`));
  const unlabelled = await rows("q=labelled:no&list=looked-at");
  const done: object[] = [];
  for (const [key, label, author] of [
    ["en-2", "bad", "Ada"],
    ["en-2", "bad", "Ben"],
    ["hi-1", "good", "Ada"],
  ] as const) {
    const { row } = await json<RowAnswer>(caller.get(`/api/row?id=${id}&key=${key}`));
    const [, side] = row.sides;
    const given = { jobId: side === undefined ? 0 : (firstRun(side)?.jobId ?? 0), scorer: "", author };
    done.push(given);
    expect((await caller.send("POST", "/api/labels", { ...given, note: null, label })).status).toBe(200);
  }
  const { heads } = await rows("");
  expect(heads.flatMap(({ key, judged }) => (judged === undefined ? [] : [[key, judged]]))).toEqual([
    ["en-2", { labels: ["bad"] }],
    ["hi-1", { labels: ["good"] }],
  ]);
  expect((await rows("q=labelled:yes")).heads.map(({ key }) => key)).toEqual(["en-2", "hi-1"]);
  expect((await rows("q=labelled:no")).heads.map(({ key }) => key)).not.toContain("en-2");
  // In a list that somebody looks at the rows stay where they were: its next page leaves out none.
  expect((await rows("q=labelled:no&list=looked-at")).heads.map(({ key }) => key)).toEqual(
    unlabelled.heads.map(({ key }) => key),
  );
  const at = caller.get(`/api/at?id=${id}&sort=place&q=labelled:no&list=looked-at&key=hi-1`);
  expect(await json(at)).toEqual({ index: 2 });
  expect(await json(caller.get(`/api/unlabelled?id=${id}&sort=place&key=en-1`))).toEqual({ key: "ar-1" });
  for (const given of done) await caller.send("DELETE", "/api/labels", given);
  expect((await rows("q=labelled:yes")).matched).toBe(0);
});

test("an edited score counts in the comparison and in reports made again, marked with who and why, until it is taken back", async () => {
  const { tandem, caller } = await viewed();
  const before = await opened(caller);
  const key = "hi-1";
  const { row } = await json<RowAnswer>(caller.get(`/api/row?id=${before.id}&key=${key}`));
  const jobId = row.sides.map(firstRun)[1]?.jobId ?? 0;
  const edit = { jobId, scorer: "correct", label: "good", note: "दूसरे शब्दों में सही", author: "Ada" };
  for (const [wrong, said] of [
    [{ ...edit, note: " " }, /for a reason/],
    [{ ...edit, author: "" }, /by somebody/],
    [{ ...edit, label: "0.5" }, /passes or fails/],
    [{ ...edit, scorer: "nothing" }, /It has: correct/],
  ] as const) {
    const refused = await caller.send("POST", "/api/labels", wrong);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(said)]);
  }
  expect(await json(caller.send("POST", "/api/labels", edit))).toMatchObject({ kept: "added", before: null });
  const after = await opened(caller);
  expect(after.id).not.toBe(before.id);
  expect([before, after].map(({ summary }) => summary.gates[0]?.now)).toEqual([0, 1 / 6]);
  expect(tandem.query("SELECT value FROM scores WHERE job_id = ?", jobId)).toEqual([{ value: 0 }]);

  await tandem.run("report", "-o", "again.html", "-o", "again.csv", "-o", "again.json");
  const { row: again } = await json<RowAnswer>(caller.get(`/api/row?id=${after.id}&key=${key}`));
  expect(again.sides[1]?.runs[0]?.scores[0]).toMatchObject({
    value: 1,
    pass: true,
    reason: edit.note,
    edited: { author: "Ada", was: { value: 0, pass: false } },
  });
  const report = JSON.parse(readFileSync(join(tandem.folder, "again.json"), "utf8")) as ReportSummary;
  expect(report.gates[0]?.now).toBeCloseTo(1 / 6);
  // Labels of people about a scorer are compared with its own scores.
  const { out } = await tandem.run("label", "agreement", "--json");
  expect(out).not.toContain("error");

  await caller.send("DELETE", "/api/labels", { jobId, scorer: "correct", author: "Ada" });
  expect((await opened(caller)).id).toBe(before.id);
});

test("what is filtered is exported with the columns of tandem export, by case and by run, without formulas", async () => {
  const { tandem, caller } = await shared();
  const { id } = await opened(caller);
  const exported = async (query: string): Promise<string[]> => {
    const text = await (await caller.get(`/api/export.csv?id=${id}&${query}`)).text();
    return text
      .replace(/^\uFEFF/, "")
      .trim()
      .split(/\r?\n/);
  };
  for (const form of ["comparison", "runs"]) {
    const { out } = await tandem.run("export", "--form", form);
    expect(await exported(`form=${form}&sort=rank`)).toEqual(out.trim().split("\n"));
  }
  const [, ...errors] = await exported("q=errors");
  expect(errors).toEqual([expect.stringContaining("emoji-1")]);
  // Read one by one, and all in one pass.
  expect(await exported("q=renew")).toHaveLength(3);
});

slowTest("two targets of two batches are compared, and a batch is pinned", async () => {
  const { tandem, caller } = await viewed();
  await tandem.run("run", "suite.yaml");
  const list = async (): Promise<BatchList | null> =>
    (await json<Versioned<BatchList>>(caller.get("/api/batches"))).value;
  const [later, earlier] = (await list())?.batches.map(({ name }) => name) ?? [];
  const query = new URLSearchParams([
    ["side", `${earlier}:test`],
    ["side", `${later}:test`],
  ]);
  const { summary } = await opened(caller, query.toString());
  expect(summary.pairs).toHaveLength(1);
  expect(summary.gates[0]).toMatchObject({ difference: 0 });
  // Whole batches: each target with its own of the earlier one.
  const whole = await opened(caller, `batch=${later}&against=${earlier}`);
  expect(whole.summary.pairs.map(({ candidate }) => candidate)).toEqual(["prod", "test"]);

  const pin = (body: object): Promise<Response> => caller.send("POST", "/api/pins", body);
  expect(await json(pin({ name: "release", batch: earlier }))).toEqual({ taken: null });
  expect(await json(pin({ name: "release", batch: later }))).toEqual({ taken: [earlier] });
  expect((await pin({ name: "../release", batch: later })).status).toBe(400);
  const listed = await list();
  expect(listed?.batches.map((batch) => batch.pins)).toEqual([[], ["release"]]);
  expect(listed?.pins).toEqual([{ name: "release", batches: [earlier], targets: ["prod", "test"] }]);
  expect((await opened(caller, `batch=${later}&against=release`)).id).not.toBe(whole.id);
  expect(await json(pin({ name: "release", batch: later, replace: true }))).toEqual({ taken: null });
  await caller.send("DELETE", "/api/pins", { name: "release" });
  expect((await list())?.pins).toEqual([]);
  expect((await caller.get("/api/open?batch=nothing")).status).toBe(404);
});

test("a suite over time has the scores of its batches", async () => {
  const { tandem, caller } = await viewed();
  await tandem.run("run", "suite.yaml");
  type Past = Versioned<SuiteNights>;
  const { version: nightsVersion, value: history } = await json<Past>(caller.get("/api/past?suite=two"));
  const { nights = [], metrics = [] } = history ?? {};
  expect(nights.map(({ scores }) => scores["prod"]?.["correct"]?.value)).toEqual([1, 1]);
  expect(metrics.map(({ name }) => name)).toEqual(["correct"]);
  expect((await json<Past>(caller.get("/api/past?suite=nothing"))).value?.nights).toEqual([]);
  const past = async () => json<Past>(caller.get(`/api/past?suite=two&known=${nightsVersion}`));
  expect(await past()).toEqual({ version: nightsVersion, value: null });
  // At home the same suite needs a look, and an asker who knows that is told nothing twice.
  const home = (known = ""): Promise<Versioned<KnownSuites>> => json(caller.get(`/api/home?known=${known}`));
  await expect.poll(async () => (await home()).value?.open).toBe(0);
  const { value: known, version } = await home();
  expect(known?.suites.map(({ suite, reasons }) => [suite, reasons.map(({ kind }) => kind)])).toEqual([
    ["two", ["regression"]],
  ]);
  expect(known?.suites[0]?.past).toHaveLength(2);
  expect((await home(version)).value).toBeNull();
  const list = (since = ""): Promise<Versioned<BatchList>> => json(caller.get(`/api/batches?known=${since}`));
  const { version: listed, value: before } = await list();
  expect(await list(listed)).toEqual({ version: listed, value: null });
  const db = new Database(join(tandem.folder, "results/tandem.db"));
  db.exec("UPDATE batch SET suite = json_set(suite, '$.decision.stopWhen', 'decided') WHERE id = 2");
  db.exec("UPDATE job SET outcome = 'spared' WHERE id IN (SELECT max(id) FROM job)");
  db.close();
  expect(before?.batches.map(({ finished, spared }) => [finished, spared])).toEqual([
    [12, 0],
    [12, 0],
  ]);
  // Who has the list is sent the new one, and the nights as they are now.
  expect((await past()).value).toBeNull();
  const after = (await list(listed)).value;
  expect(after?.batches.map(({ finished, spared }) => [finished, spared])).toEqual([
    [11, 1],
    [12, 0],
  ]);
});
