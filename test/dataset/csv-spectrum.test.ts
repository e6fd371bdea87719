import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mapping, readDataset } from "./reading.ts";

const spectrum = new URL("../../node_modules/csv-spectrum/", import.meta.url);
/** Its sheet has a bare quote inside of a cell, which RFC 4180 does not allow, and its expected cells are of another sheet. */
const faulty = "location_coordinates";
const names = readdirSync(new URL("csvs/", spectrum))
  .map((name) => name.replace(/\.csv$/, ""))
  .filter((name) => name !== faulty);

// A constant for a prompt: these sheets have none.
const constant = mapping({ input: { "variables.x": "{{ 1 }}" } });
const read = (name: string) =>
  readDataset({
    files: [fileURLToPath(new URL(`csvs/${name}.csv`, spectrum))],
    mapping: constant,
    endpoints: ["functions"],
  });

test.each(names)("reads %s of csv-spectrum cell by cell", async (name) => {
  const expected: unknown = JSON.parse(readFileSync(new URL(`json/${name}.json`, spectrum), "utf8"));
  const rows: unknown[] = [];
  for await (const page of read(name)) for (const { columns } of page) rows.push(columns);
  expect(rows).toEqual(expected);
});

test("refuses a bare quote inside of a cell with its place", async () => {
  await expect(read(faulty).next()).rejects.toMatchObject({
    message: expect.stringMatching(/\.csv:2 \(row 2\).*quote/s),
  });
});
