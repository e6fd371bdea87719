import { describe, expect, test } from "vitest";
import { faultKinds } from "../../src/deployment/faults/fault-rules.ts";
import { deploymentReference } from "../../scripts/reference/deployment.ts";

describe("the reference of the deployment", () => {
  const rows = deploymentReference()
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

  test("says what every key is", () => {
    const shapes = new Set(["`messages[].role`", "`messages[].content`", "`settings.retention_policy`"]);
    const silent = rows.filter((cells) => cells.at(-2) === "" && !shapes.has(cells[1] ?? ""));
    expect(silent).toEqual([]);
    expect(rows.length).toBeGreaterThan(100);
  });

  test("names the kind of every value", () => {
    expect(rows.filter((cells) => cells[2] === "any")).toEqual([]);
  });

  test("has every fault", () => {
    const named = new Set(rows.map((cells) => cells[1]));
    expect(Object.keys(faultKinds).filter((kind) => !named.has(`\`${kind}\``))).toEqual([]);
  });
});
