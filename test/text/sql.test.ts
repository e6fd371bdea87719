import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sqlDialects } from "../../src/text/sql/dialects.ts";
import { readSql, sqlBlocks } from "../../src/text/sql/sql.ts";

describe("SQL", () => {
  test.each(sqlDialects)("of %s is read, with its tables and columns", (dialect) => {
    expect(readSql("SELECT name FROM shops WHERE city = 'Paris'", dialect)).toEqual({
      tables: ["select::null::shops"],
      columns: ["select::null::name", "select::null::city"],
    });
    expect(readSql("SELECT FROM WHERE", dialect)).toEqual({ fault: `it is not SQL of ${dialect}` });
  });

  test("differs from database to database", () => {
    expect(readSql("SELECT now()::date", "postgresql")).toHaveProperty("tables");
    expect(readSql("SELECT now()::date", "mysql")).toHaveProperty("fault");
    expect(readSql("SELECT TOP 3 name FROM [shops]", "transactsql")).toHaveProperty("tables");
  });

  test.each(["", "  \n", "hello", "The answer is 42.", "SELECT a b FROM t", "select distinct a b from t"])(
    "%j is none",
    (text) => expect(readSql(text, "mysql")).toHaveProperty("fault"),
  );

  test("with two names that only look like a lost comma is one", () => {
    for (const text of [
      "SELECT a AS b FROM t",
      "SELECT a, b FROM t",
      "SELECT 'select a b from t'",
      "SELECT DISTINCT a FROM t",
    ])
      expect(readSql(text, "mysql")).toHaveProperty("tables");
  });

  test("in code fences is taken out of them; those of other languages are passed over", () => {
    const text =
      "One:\n```sql\nSELECT 1\n```\nTwo:\n~~~\nSELECT 2\n~~~\n```python\nprint(3)\n```\n   ````SQL\nSELECT 4\n```\n````";
    expect(sqlBlocks(text)).toEqual(["SELECT 1", "SELECT 2", "SELECT 4\n```"]);
    expect(sqlBlocks("```sql\nSELECT 1")).toEqual([]);
  });
});

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
    for (const dialect of sqlDialects) {
      const start = performance.now();
      readSql(text, dialect);
      expect(performance.now() - start).toBeLessThan(8_000);
    }
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
