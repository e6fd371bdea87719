import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempSuffix } from "../../src/lib/leftovers.ts";
import type { RowPage } from "../../src/viewer/api.ts";
import { smallDisk } from "../e2e/small-disk.ts";
import { Tandem } from "../e2e/tandem.ts";
import { type Caller, enter, json, opened, startView } from "./viewing.ts";

const cells = [
  ["nine", "9", "9", "Where is the Straße?"],
  ["nine-0", "9.0", "gold", "Wo ist die STRASSE?"],
  ["ninety", "90", "10", "मैं किताब कैसे लूँ?"],
  ["hi", "कि", "Silver", "कब?"],
  ["ar", "أحمد", "2.5", "أين مُحَمَّد؟"],
  ["en", "Café", "", "Is it 100% sure?"],
];

/** Results with answers that the sheet brought; `more`: characters beside each answer. */
async function results(more = 0): Promise<Tandem> {
  const lines = cells.map(([id, golden, plan, question]) =>
    [id, question, golden, plan, golden, `${id} ${"x".repeat(more)}`].join(","),
  );
  const tandem = new Tandem().file("sheet.csv", ["id,question,golden,plan,before,after", ...lines].join("\n")).file(
    "suite.yaml",
    `name: stored
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets:
  before: { answers: before, endpoint: video-bots }
  after: { answers: after, endpoint: video-bots }
scorers: [{ name: correct, type: contains, primary: true }]
compare: { baseline: before, candidates: [after] }
reports: [terminal]
`,
  );
  await tandem.run("run", "suite.yaml", "--quiet");
  return tandem;
}

const asks = (caller: Caller, id: string) => async (text: string) => {
  const page = await json<RowPage>(caller.get(`/api/rows?id=${id}&sort=place&limit=100&q=${encodeURIComponent(text)}`));
  return page.heads.map(({ key }) => key).join(" ");
};

test("numbers, columns and texts of every script are found by what a person types, as in a page", async () => {
  const tandem = await results();
  const { url } = await startView(tandem);
  const caller = await enter(url);
  const { id } = await opened(caller);
  const found = asks(caller, id);
  for (const [text, keys] of [
    ["expected=9", "nine nine-0"],
    ["expected=9.0", "nine nine-0"],
    ["expected!=9.00", "ninety hi ar en"],
    ["expected:9", "nine nine-0 ninety"],
    ["plan>9", "ninety"],
    ["plan=9.0", "nine"],
    ["plan in (GOLD, silver)", "nine-0 hi"],
    ["plan==Silver", "hi"],
    ["plan==silver", ""],
    ['plan=""', "en"],
    ["plan~l", "nine-0 hi"],
    ["question:strasse", "nine nine-0"],
    ["straße", "nine nine-0"],
    ["किताब", "ninety"],
    ["कि", "ninety hi"],
    ["احمد", "ar"],
    ["محمد", "ar"],
    ["CAFE", "en"],
    ["100%", "en"],
    ["1%0", ""],
    ["answer@after:ni -plan:gold", "nine ninety"],
  ] as const) {
    expect([text, await found(text)]).toEqual([text, keys]);
  }
});

test("two viewers of one folder make an index at the same time, and what a killed one left is gone", async () => {
  const tandem = await results();
  const view = join(tandem.folder, "results", ".view");
  // No process has so great a number.
  const left = join(view, `.0123456789abcdef01234567-${tempSuffix().replace(`-${process.pid}-`, "-99999999-")}`);
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, "rows.sqlite"), "half");
  const views = await Promise.all([startView(tandem), startView(tandem)]);
  expect(existsSync(left)).toBe(false);
  const callers = await Promise.all(views.map(({ url }) => enter(url)));
  const ids = await Promise.all(callers.map(async (caller) => (await opened(caller)).id));
  const found = await Promise.all(callers.map((caller, at) => asks(caller, ids[at] ?? "")("straße")));
  expect(found).toEqual(["nine nine-0", "nine nine-0"]);
  expect(new Set(ids).size).toBe(1);
  await expect.poll(() => readdirSync(view).toSorted()).toEqual([".gitignore", ids[0]]);
});

test("an index that cannot be kept beside the results is kept in the user's cache, for its owner alone", async () => {
  const tandem = await results();
  writeFileSync(join(tandem.folder, "results", ".view"), "in the way");
  const first = await startView(tandem);
  const { id } = await opened(await enter(first.url));
  const cache = join(tandem.folder, ".cache", "tandem");
  const folder = readdirSync(cache).find((name) => name.startsWith("view-")) ?? "";
  const index = join(cache, folder, id);
  expect(await asks(await enter(first.url), id)("straße")).toBe("nine nine-0");
  for (const [path, mode] of [
    [join(cache, folder), 0o700],
    [index, 0o700],
    [join(index, "rows.sqlite"), 0o600],
    [join(index, "texts.sqlite"), 0o600],
  ] as const) {
    expect([path, statSync(path).mode & 0o777]).toEqual([path, mode]);
  }
  first.child.kill("SIGTERM");
  await first.ended;
  const again = await enter((await startView(tandem)).url);
  expect(await json(again.get("/api/open?batch=latest"))).toMatchObject({ id, ready: true });
});

test.for([
  { what: "rows", kib: 12 },
  { what: "texts", kib: 200 },
])(
  "a disk that is full before the $what of an index are written is named, and the viewer goes on",
  async ({ what, kib }, { skip }) => {
    const tandem = await results(100_000);
    const view = join(tandem.folder, "results", ".view");
    mkdirSync(view);
    if (smallDisk(kib, view) === null) skip("only root mounts a small disk");
    const caller = await enter((await startView(tandem)).url);
    const hint = "Make room on the disk, then load the page again.";
    if (what === "rows") {
      await expect(opened(caller)).rejects.toThrow(hint);
    } else {
      const { id } = await opened(caller);
      expect(await asks(caller, id)("worse")).not.toBe("");
      const search = await caller.get(`/api/rows?id=${id}&q=nine`);
      expect([search.ok, await search.text()]).toEqual([false, expect.stringContaining(hint)]);
      expect(await asks(caller, id)("row<4")).toBe("nine nine-0");
    }
    expect((await caller.get("/api/batches")).status).toBe(200);
    expect(readdirSync(view).filter((name) => name.startsWith(".") && name !== ".gitignore")).toEqual([]);
  },
);
