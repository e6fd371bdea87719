import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands/run/run.ts";
import { viewCommand } from "../../src/cli/commands/view.ts";
import { checkFlags } from "../../src/cli/parse.ts";

test("a flag that a command does not have is named as it was typed", () => {
  expect(() => checkFlags(["--no-open"], viewCommand)).toThrow('view has no flag "--no-open".');
  expect(() => checkFlags(["--no-open=yes"], viewCommand)).toThrow('view has no flag "--no-open".');
  expect(() => checkFlags(["--acept-changes", "suite.yaml"], runCommand)).toThrow('run has no flag "--acept-changes".');
});

test("flags that a command has, turned off or with a value, are left alone", () => {
  expect(() => checkFlags(["--no-json", "--port=0", "--", "--no-open"], viewCommand)).not.toThrow();
});
