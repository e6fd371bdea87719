import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";
import { twoSides } from "./two-sides.ts";

const suite = (url: string): string => `name: colours
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, expected: expected, tags: [lang] }
${twoSides(url)}
scorers: [{ type: contains }, { type: chrf }]
reports: [csv, jsonl, parquet]
`;

const parquetRows = (file: Buffer) => parquetReadObjects({ file: new Uint8Array(file).buffer });
const asNumber = (_name: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
const hashOf = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

test("a table is the same in every form, in the folder of its batch and where it is exported, and an unknown form is refused", async () => {
  const service = await startService(({ path, prompt }) =>
    record(path.startsWith("/test") && prompt === "two" ? "=red()" : "It is blue. नमस्ते"),
  );
  const sheet = "id,question,expected,lang,note\nk1,one,blue,hi,007\nk2,two,blue,en,\nk3,three,blue,,x\n";
  const tandem = new Tandem().file("prompts.csv", sheet).file("suite.yaml", suite(service.url));
  await tandem.run("run", "suite.yaml", "--quiet");

  const names = ["runs.csv", "runs.jsonl", "runs.json", "runs.parquet"];
  for (const name of names) expect(await tandem.run("export", "-o", name)).toMatchObject({ code: 0, out: "" });
  expect(statSync(join(tandem.folder, "runs.parquet")).mode & 0o777).toBe(0o600);
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
  expect(JSON.parse(tandem.text("runs.json"))).toEqual(lines);
  const rows = await parquetRows(readFileSync(join(tandem.folder, "runs.parquet")));
  // The time of the run is a time in one and its text in the others.
  const numbered = rows.map((row) => JSON.parse(JSON.stringify({ ...row, created_at: null }, asNumber)));
  expect(numbered).toEqual(lines.map((line) => ({ ...line, created_at: null })));
  const cells: Record<string, string>[] = parse(tandem.text("runs.csv"), { columns: true });
  expect(cells.map(({ case_key, target, latency_ms }) => [case_key, target, Number(latency_ms)])).toEqual(
    lines.map(({ case_key, target, latency_ms }) => [case_key, target, latency_ms]),
  );

  const [batch = ""] = readdirSync(join(tandem.folder, "results")).flatMap((name) =>
    name.startsWith("colours") ? [name] : [],
  );
  const written = readdirSync(join(tandem.folder, "results", batch));
  expect(written.toSorted()).toEqual([
    "comparison.csv",
    "comparison.jsonl",
    "comparison.parquet",
    "runs.csv",
    "runs.jsonl",
    "runs.parquet",
  ]);
  expect(tandem.text(`results/${batch}/runs.jsonl`)).toBe(tandem.text("runs.jsonl"));
  const worse = ["export", "--form", "comparison", "--columns", "row,test.chrf", "--where", "verdict = worse"];
  expect((await tandem.run(...worse, "--format", "jsonl")).out).toMatch(/^\{"row":3,"test\.chrf":\d\.\d+\}\n$/);
  expect((await tandem.run("report", "-o", "again.parquet")).code).toBe(0);
  const again = readFileSync(join(tandem.folder, "again.parquet"));
  expect(hashOf(again)).toBe(hashOf(readFileSync(join(tandem.folder, "results", batch, "comparison.parquet"))));

  // The questions of a night can be the dataset of another one.
  const planned = await tandem.run("validate", "again.parquet");
  expect([planned.code, planned.out]).toEqual([0, expect.stringContaining("3 rows (utf-8, Parquet)")]);

  for (const args of [
    ["-o", "runs.ods"],
    ["-o", "runs.csv", "--format", "parquet"],
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
