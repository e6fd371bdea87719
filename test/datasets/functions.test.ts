import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { FunctionsOutput } from "../../src/api/functions-schema.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { runFunction, stopSandbox } from "../../src/deployment/sandbox/run-function.ts";
import { sandboxLimits } from "../../src/deployment/sandbox/sandbox-limits.ts";
import { datasets, readSheet } from "./sheet.ts";

const folder = join(datasets, "functions");
const functions = ["bike-fee", "late-fee", "read-date"];

afterAll(stopSandbox);

/** Runs a function on a row as its suite sends it: every cell is a variable, and text. */
async function run(side: string, name: string, row: JsonObject): Promise<FunctionsOutput> {
  const fileName = `${name}.js`;
  const source = await readFile(join(folder, side, "functions", fileName), "utf8");
  return runFunction({ source, fileName, variables: row, body: { variables: row }, limits: sandboxLimits.parse({}) });
}

/** The ids of the rows that a function gets wrong. */
async function wrongRows(side: string, name: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id = "", expected = "", kind, ...row } of readSheet(`functions/${name}.csv`)) {
    const output = await run(side, name, row);
    const value: JsonValue = JSON.parse(expected);
    const threw = output.return_value === null && Boolean(output.error);
    const same = JSON.stringify(output.return_value) === JSON.stringify(value);
    if (!same || threw !== (kind === "thrown-error")) wrong.push(id);
  }
  return wrong;
}

describe("the inputs of the shipped functions", () => {
  const rows = functions.flatMap((name) => readSheet(`functions/${name}.csv`));

  test("are at least 30, each with an id of its own and an expected value that is JSON", () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
    for (const name of functions) {
      const ids = readSheet(`functions/${name}.csv`).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    for (const { expected = "" } of rows) expect(() => JSON.parse(expected)).not.toThrow();
  });

  test("hold some that must throw, for each function, and some that must return an error", () => {
    for (const name of functions) {
      const kinds = readSheet(`functions/${name}.csv`).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "thrown-error").length).toBeGreaterThan(1);
      expect(kinds.filter((kind) => kind === "returned-error").length).toBeGreaterThan(1);
    }
  });

  test("hold dates in the digits of several scripts", () => {
    const dates = readSheet("functions/read-date.csv").map(({ text = "" }) => text);
    for (const digits of [/[०-९]/, /[٠-٩]/, /[۰-۹]/, /[０-９]/])
      expect(dates.some((text) => digits.test(text))).toBe(true);
  });
});

describe("the shipped functions, run in the sandbox", () => {
  test.each(functions)("%s of prod is right in every row", async (name) => {
    expect(await wrongRows("prod", name)).toEqual([]);
  });

  test("bike-fee of test is wrong where a begun quarter is less than half used, and nowhere else", async () => {
    expect(await wrongRows("test", "bike-fee")).toEqual([
      "standard-31",
      "standard-37",
      "standard-46",
      "standard-30-and-a-half",
      "standard-year-pass-50",
    ]);
  });

  test("late-fee of test is wrong where a leap day matters, and nowhere else", async () => {
    expect(await wrongRows("test", "late-fee")).toEqual(["book-leap-day", "film-leap-day", "book-due-on-leap-day"]);
  });

  test("read-date is the same on both sides", async () => {
    const path = "functions/read-date.js";
    expect(await readFile(join(folder, "test", path), "utf8")).toBe(await readFile(join(folder, "prod", path), "utf8"));
  });

  test("what they log and throw can be seen", async () => {
    const fine = await run("prod", "bike-fee", { bike: "standard", minutes: "31", pass: "none" });
    expect(fine.logs).toEqual([{ level: "debug", message: "bike = standard, minutes = 31, pass = false" }]);
    const failed = await run("prod", "bike-fee", { bike: "standard", minutes: "half an hour" });
    expect(failed.error).toContain('TypeError: minutes must be a number, got "half an hour"');
  });
});
