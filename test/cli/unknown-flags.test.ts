import { expect, test } from "vitest";
import { labelCommand } from "../../src/cli/commands/label/label.ts";
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

test.each([
  ["--next", "label draw --labels N"],
  ["--labellers", "label export --draw --author NAME"],
  ["--disagreements", "label export --draw --author NAME"],
])("%s of label names the command that does what it did", (flag, command) => {
  expect(() => checkFlags([flag, "20"], labelCommand)).toThrow(
    expect.objectContaining({ code: "USAGE", hint: `Type: tandem ${command}` }),
  );
});
