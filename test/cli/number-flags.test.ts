import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands/run/run.ts";
import { checkNumbers } from "../../src/cli/parse.ts";

test.each([
  [["suite.yaml", "--concurrency", "4x"], '--concurrency takes a number; got "4x".'],
  [["suite.yaml", "-j", "four"], '--concurrency takes a number; got "four".'],
  [["-j4x", "suite.yaml"], '--concurrency takes a number; got "4x".'],
  [["--budget=1_000"], '--budget takes a number; got "1_000".'],
  [["--limit", "NaN"], '--limit takes a number; got "NaN".'],
  [["--max-failures", "1e999"], '--max-failures takes a number; got "1e999".'],
  [["--repeats", "--quiet"], '--repeats takes a number; got "--quiet".'],
  [["--repeats"], "--repeats takes a number; got nothing."],
])("a number that is none is quoted as it was typed: %j", (args, message) => {
  expect(() => checkNumbers(args, runCommand)).toThrow(message);
});

test("numbers, and words that are not for flags of numbers, are left alone", () => {
  const args = ["4x.yaml", "--limit", "-3", "--rate", "10/m", "-j=4", "-j4", "--", "--limit", "x"];
  expect(() => checkNumbers(args, runCommand)).not.toThrow();
});
