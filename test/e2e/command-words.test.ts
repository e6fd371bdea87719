import { describe, expect, test } from "vitest";
import { endedBatch } from "../viewer/viewing.ts";
import { Tandem } from "./tandem.ts";

describe("a word that people try", () => {
  test.each([
    ["validate", "check"],
    ["plan", "check"],
    ["doctor", "check"],
    ["eval", "run"],
    ["list", "batches"],
    ["prune", "batches prune --keep 30"],
    ["rm", "batches remove BATCH"],
    ["delete", "batches remove BATCH"],
    ["spans", "send spans"],
    ["rubric", "judge rubrics"],
  ])("%s is answered with the command", async (word, command) => {
    const { code, err } = await new Tandem().run(word, "suite.yaml");
    expect([code, err]).toEqual([2, expect.stringContaining(`Type: tandem ${command}`)]);
  });
});

test("batches show knows the id of a run over all batches, and prints its record", async () => {
  const { tandem } = await endedBatch();
  const [run] = tandem.query<{ id: string; batch: string; case_key: string }>(
    "SELECT id, batch, case_key FROM run_records WHERE target = 'prod' LIMIT 1",
  );
  const { code, out } = await tandem.run("batches", "show", run?.id ?? "");
  expect([code, out]).toEqual([0, expect.stringMatching(/^\S+: case .* for prod, run 1 of two-\S+, ok\n/)]);
  expect(out).toContain('"output_text"');
  const { records } = JSON.parse((await tandem.run("batches", "show", run?.id ?? "", "--json")).out);
  expect(records).toMatchObject([{ id: run?.id, batch: run?.batch, case: run?.case_key, body: { id: run?.id } }]);
  const none = await tandem.run("batches", "show", "nothing-has-this-id");
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("There is no batch")]);
});

test("--set sets a key of the suite, checked as in the file; the flag that it replaces is answered with it", async () => {
  const suite = "dataset: p.csv\ndeployments: { prod: { base_url: https://bots.example.test } }\n";
  const targets = "targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }\n";
  const tandem = new Tandem().file("p.csv", "id,input_prompt\n1,a\n").file("suite.yaml", suite + targets);
  const check = ["check", "suite.yaml", "--offline", "--json"];
  const { jobs } = JSON.parse((await tandem.run(...check, "--set", "repeats=3")).out);
  expect(jobs).toBe(3);
  const wrong = await tandem.run("run", "suite.yaml", "--set", "retries=many", "--set", "reapets=3");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('--set retries must be a number, got "many"');
  expect(wrong.err).toContain('--set reapets: unknown key "reapets". Did you mean "repeats"?');
  const flag = await tandem.run("run", "suite.yaml", "--retries", "0");
  expect([flag.code, flag.err]).toEqual([2, expect.stringContaining("Type: tandem run --set retries=3")]);
});

test.each([
  ["tmeout=30s", 'unknown key "tmeout". Did you mean "timeout"?'],
  ["noise_repeats=2", 'unknown key "noise_repeats". Did you mean "compare.noise_repeats"?'],
  ["compare.noise_repeat=2", 'unknown key "noise_repeat". Did you mean "compare.noise_repeats"?'],
  ["compare.baseline=nobody", "--set compare.baseline"],
  ["scorers.0.type=containz", '--set scorers.0.type is "containz", which does not exist. Did you mean "contains"?'],
  ["scorers.4.type=equals", "--set scorers.4.type names the position 4 of a list of 1"],
  ["timeout=", "--set timeout= has no value."],
])("--set %s is refused by its own name, with what was meant, also by check", async (set, told) => {
  const tandem = new Tandem().file("p.csv", "id,input_prompt,expected\n1,a,b\n").file(
    "suite.yaml",
    `dataset: p.csv
deployments: { prod: { base_url: https://bots.example.test } }
matrix: { deployments: [prod], endpoint: video-bots, example_ids: [a, b] }
scorers: [{ type: contains }]
`,
  );
  for (const command of [["check", "--offline"], ["run"]]) {
    const { code, out, err } = await tandem.run(...command, "suite.yaml", "--set", set);
    expect([code, out + err]).toEqual([2, expect.stringContaining(told)]);
    expect(out + err).not.toContain("suite.yaml:");
  }
});

test.each([
  [["batches", "rm", "x"], 'batches has no action "rm".', "tandem batches remove"],
  [["export", "--format", "parquet"], '--format takes csv, jsonl or xlsx; got "parquet".', "JSON Lines"],
  [["export", "--format", "xslx"], '--format takes csv, jsonl or xlsx; got "xslx".', "Did you mean xlsx?"],
])("%j is answered with what there is", async (args, told, advice) => {
  const { code, err } = await new Tandem().run(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  expect(err).toContain(advice);
});

test("history names the only suite with nights, and check says in one sentence that a file is not there", async () => {
  const { tandem } = await endedBatch();
  const { code, out, err } = await tandem.run("history");
  expect([code, err]).toEqual([0, expect.stringContaining("suite: two, the only one in results")]);
  expect(out).toContain("two");
  const missing = await tandem.run("check", "nothing.csv", "--offline");
  expect([missing.code, missing.out, missing.err]).toEqual([
    2,
    "",
    "error There is no file nothing.csv.\nName a suite (.yaml) or a dataset (.csv, .tsv, .xlsx, .jsonl).\n",
  ]);
});
