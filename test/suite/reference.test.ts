import { describe, expect, test } from "vitest";
import { suiteReference } from "../../scripts/reference/suite.ts";

describe("the reference of the suite file", () => {
  test("has a sentence for every key", () => {
    const lines = suiteReference()
      .split("\n")
      .filter((line) => line.startsWith("- `") && !line.endsWith(": as above"));
    expect(lines.length).toBeGreaterThan(90);
    for (const line of lines) expect(line).toMatch(/\): .*\.$/);
  });
});
