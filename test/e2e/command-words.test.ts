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
