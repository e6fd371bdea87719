import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import type { RowCondition } from "../../src/report/query/row-conditions.ts";
import type { Query } from "../../src/report/query/query-text.ts";
import type { TypedColumn } from "../../src/report/tables/table.ts";
import { rowsBehind } from "./read-table.ts";
import type { Cell } from "../../src/report/tables/spreadsheet.ts";
import { readWhere } from "../../src/report/tables/where.ts";

const columns: TypedColumn[] = [
  { name: "case_key", type: "text" },
  { name: "purpose", type: "text" },
  { name: "outcome", type: "text", values: ["ok", "failed"] },
  { name: "flaky", type: "boolean" },
  { name: "latency_ms", type: "integer" },
  { name: "test.excess", type: "number" },
  { name: "My column", type: "text" },
  { name: "भाषा", type: "text" },
  { name: "not", type: "text" },
];
const row: Cell[] = ["a", "ok", "failed", false, 1200, 0.25, 'Say "Hello", World', "हिन्दी", null];

/** Rows that meet whatever is asked of them, and what was. */
const asked: Query<RowCondition>[] = [];
const behind = rowsBehind((query) => asked.push(query));

const wants = async (text: string, cells: readonly Cell[] = row): Promise<boolean> =>
  (await readWhere(text, columns, behind))(cells);

async function faultOf(text: string): Promise<string> {
  try {
    await readWhere(text, columns, behind);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return "no fault";
}

describe("a filter of rows", () => {
  test.each([
    "purpose=ok",
    "purpose = OK",
    "purpose:o",
    "-purpose:failed",
    "purpose=ok AND case_key=a",
    "purpose:failed,ok",
    "purpose = ok case_key = a",
    "hello world",
    '-"hello there"',
    "(case_key = b OR hello) ok",
    "purpose == ok",
    "purpose != failed",
    'purpose = "ok"',
    "latency_ms > 999.5",
    "latency_ms >= 1.2e3 and latency_ms <= 1200",
    "latency_ms = 1200.0",
    "test.excess<0.3",
    '"My column" ~ hello',
    String.raw`"My column" = "Say \"Hello\", World"`,
    "'My column' !~ bye",
    "भाषा = हिन्दी",
    "purpose in (failed, ok)",
    "purpose not in (failed, timeout)",
    '"not" = ""',
    "not purpose = failed",
    "not (purpose = failed or latency_ms < 5)",
    "purpose = failed and case_key = b or case_key = a",
    "case_key = a or case_key = a and purpose = failed",
    "purpose < p",
    "purpose = x or purpose = ok",
  ])("wants the row: %s", async (text) => expect(await wants(text)).toBe(true));

  test.each([
    "purpose = okay",
    "purpose > 5",
    "purpose < 5",
    '"not" < 5',
    '"not" > 0',
    "latency_ms = 12",
    "(purpose = failed or case_key = a) and purpose = failed",
    "purpose in (failed)",
  ])("does not want the row: %s", async (text) => expect(await wants(text)).toBe(false));

  test("compares as numbers what is written as a number, also in the dataset's own cells", async () => {
    expect(await wants("case_key > 9", ["10"])).toBe(true);
    expect(await wants("case_key = 10.0", ["10"])).toBe(true);
    expect(await wants('case_key = "10"', ["10"])).toBe(true);
    expect(await wants("case_key > 2026-11-20", ["2026-11-21"])).toBe(true);
  });

  test.each([
    ["purpse=ok", "character 1: there is no such column."],
    ["purpose ok", "character 8: `purpose` is a column, and nothing is asked of it."],
    ["purpose =", "character 10: a value is expected, got the end."],
    ["(purpose = ok", "character 14: `)` is expected, got the end."],
    ["purpose = ok purpose", "character 21: `purpose` is a column, and nothing is asked of it."],
    ['भाषा = "हि', "character 8: this quote has no end."],
    ["purpose = ok & case_key = a", "character 14: `&` means nothing here."],
    ["purpose = ok ! ok", "character 14: `!` means nothing here."],
    ["", "character 1: a condition is expected, got the end."],
    ["purpose in (ok", "character 15: `,` or `)` is expected, got the end."],
    ["worse", "no fault"],
    ["table.outcome = foo", "character 17: `outcome` is never `foo`."],
    ["table.outcome in (ok, foo)", "character 19: `outcome` is never `foo`."],
    ["table.outcome ~ foo", "character 17: `outcome` is never `foo`."],
    ["table.outcome > ok", "character 17: `outcome` has no more or less."],
    ["outcome = foo", "character 11: `outcome` is never `foo`."],
    ["table.flaky = 1", "character 15: `flaky` is never `1`."],
    ["latency_ms > 2s", "character 14: a number is expected, got `2s`."],
    ["latency_ms ~ 2", "character 1: `latency_ms` is a number, which contains no text."],
    ["tags.x = 1", "character 1: there is no such column."],
  ])("says where it cannot be understood: %s", async (text, message) => {
    expect(await faultOf(text)).toContain(message === "no fault" ? message : `--where, ${message}`);
  });

  test("names every value that a column can have", async () => {
    await expect(readWhere("table.outcome = fialed", columns, behind)).rejects.toMatchObject({
      exitCode: 2,
      hint: "Did you mean `failed`? There is: ok, failed.",
    });
  });

  test("takes a name as the page does, and table.NAME for the column that is called alike", async () => {
    asked.length = 0;
    await wants('outcome:auth flaky lang:hi "My column" ~ hello');
    expect(asked).toMatchObject([
      {
        parts: [
          { condition: { ask: "outcome", side: 1 } },
          { condition: { ask: "filter", filter: "flaky" } },
          { condition: { ask: "tag", name: "lang" } },
          { condition: { ask: "column", name: "My column" } },
        ],
      },
    ]);
    expect(await wants("table.outcome:ok")).toBe(false);
    expect(await wants("table.outcome:FAILED")).toBe(true);
    expect(await wants('table.outcome = ""', ["a", "ok", null])).toBe(true);
    expect(await wants("table.flaky = false and latency_ms = 1200")).toBe(true);
    expect(await wants("latency_ms = none", ["a"])).toBe(true);
  });

  test("says how the column is named that is called like a term, where the term is asked what it cannot be", async () => {
    const own: TypedColumn[] = [{ name: "change", type: "text", values: ["same"] }];
    await expect(readWhere("change = same", own, behind)).rejects.toMatchObject({
      hint: "The column of the table is table.change. For example: change:time>1s",
    });
    expect((await readWhere("table.change = same", own, behind))(["same"])).toBe(true);
  });

  test("refuses a name that a column of the table and one of the sheet have", async () => {
    const both = [
      { name: "My column", type: "text" } as const,
      { name: "dataset.My column", type: "text", sheet: "My column" } as const,
    ];
    await expect(readWhere('"My column" = x', both, behind)).rejects.toThrow(
      expect.objectContaining({ hint: 'Write "table.My column", or "dataset.My column" for that of the sheet.' }),
    );
    expect((await readWhere('"table.My column" = x', both, behind))(["x", "y"])).toBe(true);
    expect((await readWhere('"dataset.My column" = x', both, behind))(["x", "y"])).toBe(false);
  });

  test("marks the place, and suggests the column that was meant", async () => {
    expect(await faultOf("case_key = a and purpse = ok")).toContain(
      `\n  case_key = a and purpse = ok\n  ${" ".repeat(17)}^`,
    );
    await expect(readWhere("purpse = ok", columns, behind)).rejects.toThrow(
      expect.objectContaining({ hint: 'Did you mean "purpose"?' }),
    );
  });

  test("either is a filter or is refused as one, whatever is written", async () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      "not",
      "and",
      "or",
      "in",
      "purpose",
      "=",
      "<",
      "~",
      "!",
      '"',
      "'",
      ",",
      "5",
      "\\",
      "é",
      "\n",
      " ",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join(" ")),
        ),
        async (text) => {
          try {
            expect(typeof (await wants(text))).toBe("boolean");
          } catch (error) {
            expect(error).toMatchObject({ code: "USAGE" });
          }
        },
      ),
    );
    expect(await faultOf("(".repeat(2000))).toContain("more than 100 parentheses");
    expect(await faultOf(`${"not ".repeat(490)}"a"`)).toContain("more than 100 parentheses");
  });
});
