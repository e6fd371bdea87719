import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands/run/run.ts";
import { checkNumbers, checkSwitches } from "../../src/cli/parse.ts";

test.each([
  [["suite.yaml", "--concurrency", "4x"], '--concurrency takes a number; got "4x".'],
  [["suite.yaml", "-j", "four"], '--concurrency takes a number; got "four".'],
  [["-j4x", "suite.yaml"], '--concurrency takes a number; got "4x".'],
  [["--budget=1_000"], '--budget takes a number; got "1_000".'],
  [["--limit", "NaN"], '--limit takes a number; got "NaN".'],
  [["--max-failures", "1e999"], '--max-failures takes a number; got "1e999".'],
  [["--repeats", "--quiet"], '--repeats takes a number; got "--quiet".'],
  [["--repeats"], "--repeats takes a number; got nothing."],
  [["--limit=0"], "--limit takes a whole number of 1 or more; got 0."],
  [["--sample", "1.5"], "--sample takes a whole number of 1 or more; got 1.5."],
  [["--budget", "0"], "--budget takes a whole number of 1 or more; got 0."],
  [["--max-cost=0"], "--max-cost takes a number above 0; got 0."],
])("a number that is none, or too small, is told as it was typed: %j", (args, message) => {
  expect(() => checkNumbers(args, runCommand)).toThrow(message);
});

test("numbers, and words that are not for flags of numbers, are left alone", () => {
  const args = [
    "4x.yaml",
    "--repeats",
    "-3",
    "--max-cost",
    "0.5",
    "--limit",
    "3",
    "--rate",
    "10/m",
    "-j=4",
    "-j4",
    "--",
    "--limit",
    "x",
  ];
  expect(() => checkNumbers(args, runCommand)).not.toThrow();
});

test.each([
  [["suite.yaml", "--json=1"], '--json takes no value; got "1".'],
  [["--json="], '--json takes no value; got "".'],
  [["--quiet=no", "suite.yaml"], '--quiet takes no value; got "no".'],
])("a value of a flag that takes none is refused, and not taken for false: %j", (args, message) => {
  expect(() => checkSwitches(args, runCommand)).toThrow(message);
});

test("true and false are values of such a flag, and what stands behind -- is none", () => {
  const args = ["--json=true", "--quiet=false", "--rate=10/m", "--", "--json=1"];
  expect(() => checkSwitches(args, runCommand)).not.toThrow();
});
