import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import type { Cell } from "../../src/report/tables/spreadsheet.ts";
import { readWhere } from "../../src/report/tables/where.ts";

const header = ["case_key", "outcome", "latency_ms", "test.excess", "My column", "भाषा", "not"];
const row: Cell[] = ["a", "ok", 1200, 0.25, 'Say "Hello", World', "हिन्दी", null];

const wants = async (text: string, cells: readonly Cell[] = row): Promise<boolean> =>
  (await readWhere(text, header))(cells);

async function faultOf(text: string): Promise<string> {
  try {
    await readWhere(text, header);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return "no fault";
}

describe("a filter of rows", () => {
  test.each([
    "outcome=ok",
    "outcome = OK",
    "outcome:o",
    "-outcome:failed",
    "outcome=ok AND case_key=a",
    "outcome:failed,ok",
    "outcome = ok case_key = a",
    "hello world",
    '-"hello there"',
    "(case_key = b OR hello) ok",
    "outcome == ok",
    "outcome != failed",
    'outcome = "ok"',
    "latency_ms > 999.5",
    "latency_ms >= 1.2e3 and latency_ms <= 1200",
    "latency_ms = 1200.0",
    "test.excess<0.3",
    '"My column" ~ hello',
    String.raw`"My column" = "Say \"Hello\", World"`,
    "'My column' !~ bye",
    "भाषा = हिन्दी",
    "outcome in (failed, ok)",
    "outcome not in (failed, timeout)",
    '"not" = ""',
    "not outcome = failed",
    "not (outcome = failed or latency_ms < 5)",
    "outcome = failed and case_key = b or case_key = a",
    "case_key = a or case_key = a and outcome = failed",
    "outcome < p",
    "OUTCOME_ = x or outcome = ok".replace("OUTCOME_", "outcome"),
  ])("wants the row: %s", async (text) => expect(await wants(text)).toBe(true));

  test.each([
    "outcome = okay",
    "outcome > 5",
    "outcome < 5",
    '"not" < 5',
    '"not" > 0',
    "latency_ms = 12",
    "(outcome = failed or case_key = a) and outcome = failed",
    "outcome in (failed)",
  ])("does not want the row: %s", async (text) => expect(await wants(text)).toBe(false));

  test("compares as numbers what is written as a number, also in the dataset's own cells", async () => {
    expect(await wants("case_key > 9", ["10"])).toBe(true);
    expect(await wants("case_key = 10.0", ["10"])).toBe(true);
    expect(await wants('case_key = "10"', ["10"])).toBe(true);
    expect(await wants("case_key > 2026-11-20", ["2026-11-21"])).toBe(true);
  });

  test.each([
    ["outcme=ok", "character 1: there is no such column."],
    ["outcome ok", "character 8: `outcome` is a column, and nothing is asked of it."],
    ["outcome =", "character 10: a value is expected, got the end."],
    ["(outcome = ok", "character 14: `)` is expected, got the end."],
    ["outcome = ok outcome", "character 21: `outcome` is a column, and nothing is asked of it."],
    ['भाषा = "हि', "character 8: this quote has no end."],
    ["outcome = ok & case_key = a", "character 14: `&` means nothing here."],
    ["outcome = ok ! ok", "character 14: `!` means nothing here."],
    ["", "character 1: a condition is expected, got the end."],
    ["outcome in (ok", "character 15: `,` or `)` is expected, got the end."],
    ["worse", "no fault"],
    ["time>2s", "character 1: there is no such column."],
  ])("says where it cannot be understood: %s", async (text, message) => {
    expect(await faultOf(text)).toContain(message === "no fault" ? message : `--where, ${message}`);
  });

  test("marks the place, and suggests the column that was meant", async () => {
    expect(await faultOf("case_key = a and outcme = ok")).toContain(
      `\n  case_key = a and outcme = ok\n  ${" ".repeat(17)}^`,
    );
    await expect(readWhere("outcme = ok", header)).rejects.toThrow(
      expect.objectContaining({ hint: 'Did you mean "outcome"?' }),
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
      "outcome",
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
