import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { loadSuite } from "../../src/suite/load.ts";
import { datasets, readSheet } from "./sheet.ts";

const suites = [
  "help-desk/suite.yaml",
  "help-desk/conversations.yaml",
  "functions/bike-fee.yaml",
  "functions/late-fee.yaml",
  "functions/read-date.yaml",
];

describe.each(suites)("%s", (path) => {
  const file = join(datasets, path);

  test("loads, for the embedded deployments when nothing is set", async () => {
    const { suite } = await loadSuite(file, {});
    expect(suite.targets.map(({ name }) => name)).toEqual(["prod", "test"]);
    for (const { baseUrl } of suite.deployments) {
      expect(baseUrl).toMatch(/^local:/);
      expect(existsSync(baseUrl.slice("local:".length))).toBe(true);
    }
    expect(suite.compare).toMatchObject({ baseline: "prod", candidates: ["test"] });
  });

  test("runs against real services when two base URLs and two keys are named", async () => {
    const env = { PROD_BASE_URL: "https://bots.example.test", TEST_BASE_URL: "https://test.example.test" };
    const { suite } = await loadSuite(file, env);
    expect(suite.deployments.map(({ baseUrl, keyNames }) => [baseUrl, keyNames[0]])).toEqual([
      ["https://bots.example.test", "PROD_API_KEY"],
      ["https://test.example.test", "TEST_API_KEY"],
    ]);
  });

  test("maps columns that its dataset has", async () => {
    const { suite } = await loadSuite(file, {});
    const { key, input, expected, cluster, turn, tags } = suite.mapping;
    const named = [key, ...Object.values(input ?? {}), expected, cluster, turn, ...tags];
    for (const dataset of suite.datasets) {
      const columns = Object.keys(readSheet(relative(datasets, dataset))[0] ?? {});
      expect(columns).toEqual(expect.arrayContaining(named.filter((name) => name !== null)));
    }
  });

  test("names the schema of suites for editors, which the build makes", async () => {
    const [first = ""] = (await readFile(file, "utf8")).split("\n");
    const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? [];
    expect(schema).not.toBe("");
    expect(existsSync(join(dirname(file), schema))).toBe(true);
  });
});
