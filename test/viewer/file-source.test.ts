import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openFileSource } from "../../src/viewer/app/data/file-source.ts";
import { syntheticSummary } from "../report/synthetic.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const page = (version: number): string =>
  gzipSync(JSON.stringify({ summary: { ...syntheticSummary(2), version }, rows: 2, view: null })).toString("base64");

test.each([
  [1, `This report is of an unreleased tandem (version 1; this tandem reads ${storedVersion}).`],
  [
    storedVersion + 1,
    `This report is of a newer one (version ${storedVersion + 1}; this tandem reads ${storedVersion}).`,
  ],
])("the page of a report refuses data of version %i", async (version, message) => {
  await expect(openFileSource(page(version))).rejects.toThrow(message);
});

test("the page of a report takes data of its own version", async () => {
  const source = await openFileSource(page(storedVersion));
  expect(source.summary.version).toBe(storedVersion);
});
