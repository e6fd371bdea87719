import { describe, expect, test } from "vitest";
import { githubAnnotations } from "../../src/report/formats/github.ts";
import { hostileRow, hostileSummary, hostileTexts } from "./reports.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

describe("annotations of GitHub", () => {
  test("say the verdict, and each gate that did not pass", () => {
    expect(githubAnnotations(syntheticSummary(200))).toMatchInlineSnapshot(`
      [
        "::error title=help-desk%3A regression::test is worse on correct: 81 %25 → 74 %25",
        "::error title=help-desk%3A correct of test::regression: 81 %25 -> 74 %25, -7.1 points (likely -11.1 to -3.2, each end 95 %25), limit 2 points; 14 of 200 rows worse, 5 better",
        "::warning title=help-desk%3A similar of test::too few rows: 62 -> 61.2, -0.8 (likely -3.1 to +1.5, each end 95 %25), limit 2; 14 of 200 rows worse, 5 better; About 340 rows, or 3 repeats of these, would settle it",
      ]
    `);
  });

  test("say which rows got worse, beside their line where the dataset is of the repository", () => {
    const summary = syntheticSummary(4);
    const [row] = syntheticRows(1);
    const change = row?.changes[0];
    if (row === undefined || change === undefined) throw new Error("there is no change");
    const worse = { row, change: { ...change, trend: "worse" as const }, pair: 0 };
    const at = { file: "data/a, b.csv", line: 7 };
    const [placed, placeless, ...others] = githubAnnotations(summary, [
      { ...worse, at },
      { ...worse, at: null },
      { ...worse, change: { ...change, trend: "better" }, at },
    ]).slice(3);
    expect(placed).toMatch(/^::warning file=data\/a%2C b\.csv,line=7,title=help-desk%3A .*::.*%0Aprod: .*%0Atest: /);
    expect(placeless).toMatch(/^::warning title=help-desk%3A /);
    expect(others).toEqual([]);
    const invalid = { ...summary, verdict: { ...summary.verdict, state: "invalid" as const } };
    expect(githubAnnotations(invalid, [{ ...worse, at }]).join("\n")).not.toContain("file=");
    const many = Array.from({ length: 30 }, () => ({ ...worse, at }));
    expect(githubAnnotations(summary, many)).toHaveLength(10);
  });

  test.each(hostileTexts)("are one command each, whatever the texts are: %j", (hostile) => {
    const row = hostileRow(hostile);
    const worst = row.changes.map((change, pair) => {
      return { row, change: { ...change, trend: "worse" as const }, pair, at: { file: hostile, line: 2 } };
    });
    for (const line of githubAnnotations(hostileSummary(syntheticSummary(1), hostile), worst)) {
      expect(line).toMatch(/^::(?:error|warning|notice) (?:file=[^:,]*,line=2,)?title=[^:,]*::/);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(line).not.toMatch(/%(?!25|0D|0A|3A|2C)/);
    }
  });
});
