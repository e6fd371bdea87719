import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";
import { twoSides } from "./two-sides.ts";

const suite = (url: string): string => `name: colours
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: expected, tags: [lang] }
${twoSides(url)}
scorers: [{ type: contains }, { type: chrf }]
reports: [csv, jsonl]
`;

const hashOf = (content: string): string => createHash("sha256").update(content).digest("hex");

test("a table is the same in every form, in the folder of its batch and where it is exported, and an unknown form is refused", async () => {
  const service = await startService(({ path, prompt }) =>
    record(path.startsWith("/test") && prompt === "two" ? "=red()" : "It is blue. नमस्ते"),
  );
  const sheet = "id,question,expected,lang,note\nk1,one,blue,hi,007\nk2,two,blue,en,\nk3,three,blue,,x\n";
  const tandem = new Tandem().file("prompts.csv", sheet).file("suite.yaml", suite(service.url));
  await tandem.run("run", "suite.yaml", "--quiet");

  const names = ["runs.csv", "runs.jsonl"];
  for (const name of names) expect(await tandem.run("export", "-o", name)).toMatchObject({ code: 0, out: "" });
  expect(statSync(join(tandem.folder, "runs.jsonl")).mode & 0o777).toBe(0o600);
  const lines: Record<string, unknown>[] = tandem
    .text("runs.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(6);
  expect(lines[2]).toMatchObject({
    case_key: "k2",
    row: 3,
    target: "prod",
    contains: 1,
    error: null,
    tags: { lang: "en" },
  });
  expect(lines[3]).toMatchObject({ output_text: "=red()", contains: 0, note: "" });
  const cells: Record<string, string>[] = parse(tandem.text("runs.csv"), { columns: true });
  expect(cells.map(({ case_key, target, latency_ms }) => [case_key, target, Number(latency_ms)])).toEqual(
    lines.map(({ case_key, target, latency_ms }) => [case_key, target, latency_ms]),
  );

  const [batch = ""] = readdirSync(join(tandem.folder, "results")).flatMap((name) =>
    name.startsWith("colours") ? [name] : [],
  );
  const written = readdirSync(join(tandem.folder, "results", batch));
  expect(written.toSorted()).toEqual(["comparison.csv", "comparison.jsonl", "runs.csv", "runs.jsonl"]);
  expect(tandem.text(`results/${batch}/runs.jsonl`)).toBe(tandem.text("runs.jsonl"));
  const worse = ["export", "--form", "comparison", "--columns", "row,test.chrf", "--where", "verdict = worse"];
  expect((await tandem.run(...worse, "--format", "jsonl")).out).toMatch(/^\{"row":3,"test\.chrf":\d\.\d+\}\n$/);
  expect((await tandem.run("report", "-o", "again.jsonl")).code).toBe(0);
  expect(tandem.text("again.jsonl")).toBe(tandem.text(`results/${batch}/comparison.jsonl`));

  // The questions of a night can be the dataset of another one.
  const planned = await tandem.run("check", "--offline", "again.jsonl");
  expect([planned.code, planned.out]).toEqual([0, expect.stringContaining("3 rows (utf-8, JSON Lines)")]);

  for (const args of [
    ["-o", "runs.ods"],
    ["-o", "runs.csv", "--format", "xlsx"],
    ["-o", "new.jsonl", "--excel"],
  ]) {
    const before = hashOf(tandem.text("runs.csv"));
    expect((await tandem.run("export", ...args)).code).toBe(2);
    expect([tandem.has("runs.ods"), tandem.has("new.jsonl"), hashOf(tandem.text("runs.csv"))]).toEqual([
      false,
      false,
      before,
    ]);
  }
});

test("`reports: [parquet]` is refused with what serves in its place, and nothing is sent", async () => {
  let asked = 0;
  const service = await startService(() => record(String(asked++)));
  const written = suite(service.url).replace("[csv, jsonl]", "[csv, parquet]");
  const tandem = new Tandem()
    .file("prompts.csv", "id,question,expected,lang\nk1,one,blue,hi\n")
    .file("suite.yaml", written);
  const refused = await tandem.run("run", "suite.yaml");
  expect([refused.code, asked]).toEqual([2, 0]);
  expect(refused.err.replaceAll(/\s+/g, " ")).toContain("Write jsonl: DuckDB");
});

test("the index of --where lies with the results for its owner alone, and is gone at the end, on a signal, and after a kill", async () => {
  const service = await startService(() => record("blue ".repeat(3_000)));
  const tandem = new Tandem().file("p.csv", prompts(150)).alone();
  await tandem.run(...runAt({ prod: service }, "--quiet", "-j", "50"));
  const view = join(tandem.folder, "results/.view");
  const left = (): string[] =>
    readdirSync(view, { recursive: true, encoding: "utf8" }).filter((name) => name.startsWith(".where"));
  const exported = ["export", "--where", "answer:blue", "-o", "blue.jsonl"];
  expect((await tandem.run(...exported)).code).toBe(0);
  expect(tandem.text("blue.jsonl").split("\n")).toHaveLength(151);
  expect([statSync(view).mode & 0o777, left()]).toEqual([0o700, []]);
  tandem.remove("blue.jsonl");

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGKILL", null],
  ] as const) {
    const { child, ended } = tandem.start(...exported);
    await expect
      .poll(() => left().some((name) => name.endsWith(".sqlite")), { timeout: 20_000, interval: 2 })
      .toBe(true);
    child.kill(signal);
    expect([(await ended).code, left().length > 0, tandem.has("blue.jsonl")]).toEqual([
      code,
      signal === "SIGKILL",
      false,
    ]);
  }
  for (const name of left()) {
    const place = statSync(join(view, name));
    expect([name, place.mode & 0o777]).toEqual([name, place.isDirectory() ? 0o700 : 0o600]);
  }
  expect((await tandem.run(...exported)).code).toBe(0);
  expect(left()).toEqual([]);
});
