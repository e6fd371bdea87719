import { expect, test } from "vitest";
import { commandHere } from "../../src/cli/progress/summary.ts";

const checkout = { npm_package_name: "@tandem-eval/tandem" };

test("a command is told by the script of a checkout where that ran the one before", () => {
  for (const npm_lifecycle_event of ["demo", "tandem"]) {
    expect(commandHere("tandem view --results 'my nights'", { ...checkout, npm_lifecycle_event })).toBe(
      "npm run tandem -- view --results 'my nights'",
    );
  }
});

test("everywhere else it is tandem: alone, by another script, and by a script of the user's own project", () => {
  expect(commandHere("tandem view", {})).toBe("tandem view");
  expect(commandHere("tandem view", { ...checkout, npm_lifecycle_event: "test" })).toBe("tandem view");
  expect(commandHere("tandem view", { npm_package_name: "mine", npm_lifecycle_event: "demo" })).toBe("tandem view");
});
