import { describe, expect, test } from "vitest";
import { sqlDialects } from "../../src/text/sql-dialects.ts";
import { readSql, sqlBlocks } from "../../src/text/sql.ts";

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
