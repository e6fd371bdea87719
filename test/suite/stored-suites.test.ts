import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { suiteHashOf } from "../../src/store/batches.ts";
import { readSuite, storableSuite } from "../../src/store/stored-suite.ts";
import { resolveSuite } from "../../src/suite/resolve.ts";
import { suiteFile } from "../../src/suite/schema/schema.ts";
import type { Suite } from "../../src/suite/suite.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const fixture = (path: string): URL => new URL(`../fixtures/${path}`, import.meta.url);

function suiteOf(name: string): Suite {
  const written = suiteFile.parse(parse(readFileSync(fixture(`suites/${name}.yaml`), "utf8")));
  const context = { name, base: "/srv/bots", file: `/srv/bots/${name}.yaml`, folder: "/srv/bots", env: {} };
  return resolveSuite(written, context).suite;
}

test.each(["least", "matrix", "messages", "rich", "stored", "talk"])(
  "the suite %s is read as it was stored",
  (name) => {
    const suite = suiteOf(name);
    const stored = storableSuite(suite);
    expect(stored).toMatch(new RegExp(`^\\{"version":${storedVersion},"name":`));
    expect(JSON.stringify(readSuite(stored))).toBe(JSON.stringify(suite));
    expect(suiteHashOf(readSuite(stored))).toBe(suiteHashOf(suite));
  },
);

test("a suite of another version is refused, and so is what is none", () => {
  const stored = storableSuite(suiteOf("least"));
  const refused = (text: string): unknown => {
    try {
      return readSuite(text);
    } catch (error) {
      return error;
    }
  };
  for (const [version, writer] of [
    [1, "an unreleased tandem"],
    [storedVersion + 1, "a newer one"],
  ]) {
    expect(refused(stored.replace(`"version":${storedVersion}`, `"version":${version}`))).toMatchObject({
      code: "OTHER_VERSION",
      exitCode: 2,
      message: `A suite in the database is of ${writer} (version ${version}; this tandem reads ${storedVersion}).`,
    });
  }
  for (const other of [
    "[]",
    "{}",
    stored.replace(`"version":${storedVersion},`, ""),
    stored.replace(`"version":${storedVersion}`, `"version":"${storedVersion}"`),
    stored.replace('"concurrency":4', '"concurrency":0'),
    stored.replace('"rate":null', '"rate":{"count":1}'),
    stored.replace('"endpoint":"video-bots"', '"endpoint":"other"'),
  ]) {
    expect(other).not.toBe(stored);
    expect(refused(other)).toMatchObject({ code: "DATABASE_INVALID" });
  }
});
