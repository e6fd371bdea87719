import { describe, expect, test } from "vitest";
import { faultKinds } from "../../src/deployment/faults/fault-rules.ts";
import { deploymentReference } from "../../scripts/reference/deployment.ts";

describe("the reference of the deployment", () => {
  const [keys = "", faults = ""] = deploymentReference().split("## Kinds of faults");
  const lines = Array.from(keys.matchAll(/^- `([^`]+)` \((.*?)\)(?=:|$)(?:: (.+))?$/gm), ([, name, kind, about]) => ({
    name: name ?? "",
    kind: kind ?? "",
    about: about ?? "",
  }));

  test("says what every key is", () => {
    const shapes = new Set(["messages[].role", "messages[].content", "settings.retention_policy"]);
    expect(lines.filter(({ name, about }) => about === "" && !shapes.has(name))).toEqual([]);
    expect(lines.length).toBeGreaterThan(80);
  });

  test("names the kind of every value", () => {
    expect(lines.filter(({ kind }) => /^any\b/.test(kind))).toEqual([]);
  });

  test("has every fault", () => {
    const named = new Set(Array.from(faults.matchAll(/^- `([^`]+)`/gm), ([, name]) => name));
    expect(Object.keys(faultKinds).filter((kind) => !named.has(kind))).toEqual([]);
  });
});
