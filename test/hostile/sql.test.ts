import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sqlDialects } from "../../src/text/sql-dialects.ts";
import { readSql, sqlBlocks } from "../../src/text/sql.ts";
import { cpuMs } from "../cpu-time.ts";
import { often } from "../often.ts";

describe("hostile SQL", () => {
  const fill = (part: string): string => part.repeat(Math.floor(9_900 / part.length));
  test.each([
    ["nested without an end", `SELECT ${fill("(")}`],
    ["nested and closed", `SELECT ${"(".repeat(4_000)}1${")".repeat(4_000)}`],
    ["columns", `SELECT ${fill("a,")}b FROM t`],
    ["unions", `${fill("SELECT 1 UNION ")}SELECT 1`],
    ["cases", `SELECT ${fill("CASE WHEN a THEN ")}`],
    ["negations", `SELECT ${fill("NOT ")}`],
    ["comments that never end", fill("/*")],
    ["quotes that never end", `SELECT ${fill("'")}'`],
  ])("is read or given up within seconds: %s", { timeout: 60_000 }, (_, text) => {
    for (const dialect of sqlDialects.slice(0, often(1, sqlDialects.length)))
      expect(cpuMs(() => readSql(text, dialect))).toBeLessThan(8_000);
  });

  test("of more than 10,000 characters is not read", () => {
    expect(readSql(`SELECT '${"x".repeat(10_000)}'`, "mysql")).toHaveProperty("unread");
    expect(sqlBlocks("```\n".repeat(200_000)).length).toBe(100_000);
  });

  test("ends with an answer, whatever it is", () => {
    expect.hasAssertions();
    const part = fc.constantFrom(
      "SELECT ",
      "a",
      ",",
      "(",
      ")",
      "'",
      '"',
      "`",
      "--",
      "\n",
      "FROM t ",
      "1",
      ";",
      "/*",
      "$$",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.constantFrom(...sqlDialects), (parts, dialect) => {
        expect(Object.keys(readSql(parts.join(""), dialect)).length).toBeGreaterThan(0);
      }),
    );
  });
});
