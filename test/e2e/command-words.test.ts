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
  expect(wrong.err).toContain('deployments.prod.retries must be a number, got "many"');
  expect(wrong.err).toContain('unknown key "reapets". Did you mean "repeats"?');
  const flag = await tandem.run("run", "suite.yaml", "--retries", "0");
  expect([flag.code, flag.err]).toEqual([2, expect.stringContaining("Type: tandem run --set retries=3")]);
});
