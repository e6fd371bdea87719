import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { listBatches, suiteHashOf } from "../../src/store/batches.ts";
import { readSuite, storableSuite } from "../../src/store/stored-suite.ts";
import { resolveSuite } from "../../src/suite/resolve.ts";
import { suiteFile } from "../../src/suite/schema/schema.ts";
import type { Suite } from "../../src/suite/suite.ts";
import { temporaryDatabase, temporaryFolder } from "../store/batch.ts";

const fixture = (path: string): URL => new URL(`../fixtures/${path}`, import.meta.url);

/** Hash and text of suites as an earlier tandem stored them. */
function earlier(file: string): { name: string; hash: string; text: string }[] {
  const lines = readFileSync(fixture(`suites-0.1.0/${file}`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const text = line.slice(line.indexOf(" ") + 1);
    return { name: String(parse(text).name), hash: line.slice(0, line.indexOf(" ")), text };
  });
}

function suiteOf(name: string): Suite {
  const written = suiteFile.parse(parse(readFileSync(fixture(`suites-0.1.0/${name}.yaml`), "utf8")));
  const context = { name, base: "/srv/bots", file: `/srv/bots/${name}.yaml`, folder: "/srv/bots", env: {} };
  return resolveSuite(written, context).suite;
}

test.each(earlier("stored.txt"))(
  "the suite $name is what 0.1.0 stored of the same file, with the same hash",
  (stored) => {
    const suite = suiteOf(stored.name);
    // The names of variables in an address came later, and are no part of the hash.
    const deployments = suite.deployments.map(({ writtenUrl: _names, ...each }) => each);
    expect(JSON.stringify({ ...suite, deployments })).toBe(stored.text);
    expect(suiteHashOf(suite)).toBe(stored.hash);
  },
);

test.each([...earlier("first.txt"), ...earlier("stored.txt")])(
  "the stored suite $name of 0.1.0 is read, and is stored again with its hash",
  ({ hash, text, name }) => {
    const suite = readSuite(text);
    const { judges, scorers, pass, decision, ...rest } = suite;
    // The first of them had no such keys, and the hash was made without.
    expect(suiteHashOf(name === "first" ? { ...rest, ...JSON.parse(text) } : suite)).toBe(hash);
    expect([judges, scorers].every(Array.isArray) && pass.kind !== undefined && decision.alpha > 0).toBe(true);
    const again = storableSuite(suite);
    expect(again).toMatch(/^\{"version":1,"name":/);
    expect(JSON.stringify(readSuite(again))).toBe(JSON.stringify(suite));
  },
);

test("the batches that 0.1.0 left have the hashes that they had", () => {
  const path = join(temporaryFolder(), "tandem.db");
  writeFileSync(path, gunzipSync(readFileSync(fixture("batches-0.1.0/tandem.db.gz"))));
  const batches = listBatches(temporaryDatabase(path));
  expect(batches).toHaveLength(6);
  expect(batches.map(({ suite }) => suiteHashOf(suite))).toEqual(batches.map(({ suiteHash }) => suiteHash));
});

test("a suite of a later version is refused, and so is what is none", () => {
  const stored = storableSuite(suiteOf("least"));
  const refused = (text: string): unknown => {
    try {
      return readSuite(text);
    } catch (error) {
      return error;
    }
  };
  expect(refused(stored.replace('"version":1', '"version":2'))).toMatchObject({ code: "DATABASE_NEWER", exitCode: 2 });
  for (const other of [
    "[]",
    "{}",
    stored.replace('"version":1', '"version":-1'),
    stored.replace('"version":1', '"version":"1"'),
    stored.replace('"concurrency":4', '"concurrency":0'),
    stored.replace('"rate":null', '"rate":{"count":1}'),
    stored.replace('"endpoint":"video-bots"', '"endpoint":"other"'),
  ]) {
    expect(other).not.toBe(stored);
    expect(refused(other)).toMatchObject({ code: "DATABASE_INVALID" });
  }
});
