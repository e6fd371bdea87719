import { describe, expect, test } from "vitest";
import { githubAnnotations } from "../../src/report/formats/github.ts";
import { hostileSummary, hostileTexts } from "./reports.ts";
import { syntheticSummary } from "./synthetic.ts";

describe("annotations of GitHub", () => {
  test("say the verdict, and each gate that did not pass", () => {
    expect(githubAnnotations(syntheticSummary(200))).toMatchInlineSnapshot(`
      [
        "::error title=help-desk%3A regression::test is worse on correct: 81 %25 → 74 %25",
        "::error title=help-desk%3A correct of test::regression: 81 %25 -> 74 %25 (-7.1 points, between -11.1 and -3.2, with 95 %25 each, p 0.002; 200 cases, Tango's score test); 14 cases got worse, 5 better",
        "::warning title=help-desk%3A similar of test::too few cases: 62 -> 61.2 (-0.8, between -3.1 and +1.5, with 95 %25 each, p 0.30; 200 cases, cluster-robust t); 14 cases got worse, 5 better; About 340 cases, or 3 repeats of these, would settle it.",
      ]
    `);
  });

  test.each(hostileTexts)("are one command each, whatever the texts are: %j", (hostile) => {
    for (const line of githubAnnotations(hostileSummary(syntheticSummary(1), hostile))) {
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]*::/);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(line).not.toMatch(/%(?!25|0D|0A|3A|2C)/);
    }
  });
});
