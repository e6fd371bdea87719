import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import { suiteJsonSchema } from "../../src/suite/json-schema.ts";
import { suiteFile } from "../../src/suite/schema/schema.ts";

const fits = new Ajv2020({ strict: false }).compile(suiteJsonSchema());

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");
const guides = readdirSync(new URL("docs/guides/", root)).map((name) => `docs/guides/${name}`);

/** The suites that come with tandem, and whole ones of the guides. */
const suites: [where: string, suite: JsonObject][] = [
  ...["suite.yaml", "conversations.yaml"].map((name) => `datasets/help-desk/${name}`).map((name) => [name, text(name)]),
  ...guides.flatMap((name) =>
    Array.from(text(name).matchAll(/^```yaml\n([^]*?)^```/gm), ([, block = ""]) => [name, block]),
  ),
].flatMap(([where = "", source = ""]) => {
  if (!/^dataset:/m.test(source) || !/^(targets|matrix):/m.test(source)) return [];
  const suite: JsonValue = parse(source);
  return isJsonObject(suite) ? [[where, suite]] : [];
});

/** Every map of a value, by its path. */
function* mapsOf(value: JsonValue, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield path;
  for (const [name, inner] of Object.entries(value)) yield* mapsOf(inner, [...path, name]);
}

/** The suite with one more key in the map at a path. */
function withKey(suite: JsonObject, path: readonly (string | number)[], key: string): JsonObject {
  const changed = structuredClone(suite);
  let map: JsonValue = changed;
  for (const name of path) map = Object(map)[name];
  Object.assign(Object(map), { [key]: "x" });
  return changed;
}

describe("the schema that editors check suites by", () => {
  test.each(suites)("takes the suite of %s", (_, suite) => {
    expect(suiteFile.safeParse(suite).error?.issues ?? []).toEqual([]);
    fits(suite);
    expect(fits.errors ?? []).toEqual([]);
  });

  test("finds a key that is misspelt, wherever tandem finds it", () => {
    let refused = 0;
    for (const [where, suite] of suites) {
      for (const path of mapsOf(suite)) {
        const changed = withKey(suite, path, "no_such_key");
        const isRefused = !suiteFile.safeParse(changed).success;
        expect([where, path.join("."), !fits(changed)]).toEqual([where, path.join("."), isRefused]);
        if (isRefused) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  test.each([
    ["a word where a number belongs", { repeats: "two" }],
    ["a duration without a unit", { scorers: [{ name: "s", type: "latency", max: "20" }] }],
    ["a scorer that there is none of", { scorers: [{ name: "s", type: "nonsense" }] }],
    ["a dataset that is a number", { dataset: 7 }],
    ["a report that there is none of", { reports: ["pdf"] }],
    ["a margin that is a word", { gates: [{ metric: "correct", margin: "small" }] }],
  ])("finds %s", (_, change) => {
    const [, suite] = suites[0] ?? ["", {}];
    const changed = { ...suite, ...change };
    expect(suiteFile.safeParse(changed).success).toBe(false);
    expect(fits(changed)).toBe(false);
  });
});
