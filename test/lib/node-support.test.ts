import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isSupportedNode, oldestNode } from "../../src/lib/node-support.ts";

test("what the command checks is what package.json promises", () => {
  expect(manifest.engines.node).toBe(`^${oldestNode}.0 || >=24.0.0`);
});

test.each([
  ["18.20.0", false],
  ["20.20.2", false],
  ["22.18.9", false],
  ["22.19.0", true],
  ["22.23.3", true],
  ["23.5.0", false],
  ["24.0.0", true],
  ["26.10.0", true],
  ["100.0.0-nightly", true],
])("Node %s is supported: %s", (version, isSupported) => {
  expect(isSupportedNode(version)).toBe(isSupported);
});
