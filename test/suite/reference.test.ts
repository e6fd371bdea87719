import { describe, expect, test } from "vitest";
import { suiteReference } from "../../scripts/reference/suite.ts";

describe("the reference of the suite file", () => {
  test("has a sentence for every key", () => {
    const rows = suiteReference()
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) expect(row).toMatch(/\. \|$/);
  });
});
