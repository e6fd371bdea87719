import { expect, test } from "vitest";
import { withBareFlags } from "../../src/cli/parse.ts";

const words = (line: string): string[] => line.split(" ");

test.each([
  ["run --failed suite.yaml", "run --failed= suite.yaml"],
  ["run --changed prompts.csv.gz --limit 3", "run --changed= prompts.csv.gz --limit 3"],
  ["run --failed -", "run --failed= -"],
  ["run --failed more.jsonl", "run --failed= more.jsonl"],
  ["run --events suite.yml", "run --events= suite.yml"],
])("what stands behind a flag that needs no value is still the suite or the dataset: %s", (line, meant) => {
  expect(withBareFlags(words(line))).toEqual(words(meant));
});

test.each([
  "run suite.yaml --failed",
  "run --failed help-desk-20261121-093000 suite.yaml",
  "run --failed latest~2 suite.yaml",
  "run --failed=suite.yaml",
  "run --events run.jsonl suite.yaml",
  "run --events - suite.yaml",
  "run --results results.csv",
  "run -- --failed suite.yaml",
])("other words are left as they are: %s", (line) => {
  expect(withBareFlags(words(line))).toEqual(words(line));
});
