import { describe, expect, test } from "vitest";
import { markdownReport } from "../../src/report/formats/markdown/markdown.ts";
import { markdownBlock, markdownCode, markdownText } from "../../src/report/text/markdown-text.ts";
import type { ReportSummary } from "../../src/report/shape/model.ts";
import { frameOf, hostileRow, hostileSummary, hostileTexts, reportOf } from "./reports.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

const whole = (rows: Parameters<typeof reportOf>[1], summary: ReportSummary): string =>
  reportOf(markdownReport(frameOf(summary)), rows, summary);

/** The tags that the report itself is made of. */
const ownTags = /<\/?(?:details|summary|code|pre)(?: dir="auto")?>/g;

describe("report.md", () => {
  test("tells the verdict, the gates and what is newly failing before anything else", () => {
    expect(whole(syntheticRows(40), syntheticSummary(40)).split("### Rows to look at")[0]).toMatchSnapshot();
  });

  test("says beside the figures of data that are not complete that they do not count", () => {
    const summary = syntheticSummary(40);
    const word = "No result: worse and better do not count here";
    expect(whole(syntheticRows(40), summary)).not.toContain(word);
    const invalid = whole(syntheticRows(40), { ...summary, verdict: { ...summary.verdict, state: "invalid" } });
    for (const title of ["Metrics", "Newly failing and newly passing", "Where it differs"])
      expect(invalid).toContain(`### ${title}\n\n${word}`);
  });

  test("names no case by a key that was made of its input", () => {
    const summary = syntheticSummary(40);
    const [flip] = summary.flips;
    if (flip === undefined) throw new Error("no flips");
    const listed = (keys: string[]) => {
      const rows = keys.map(() => ({ row: null, file: null }));
      const text = whole([], { ...summary, flips: [{ ...flip, cases: keys.length, keys, rows }] });
      return /\*\*\d\*\* newly.*/.exec(text)?.[0];
    };
    expect(listed(["34769089d11b390b", "34769089d11b390b#2"])).toBe("**2** newly failing");
    expect(listed(["34769089d11b390b", "tools-00011"])).toBe("**2** newly failing: <code>tools-00011</code>, …");
    expect(listed(["tools-00011"])).toBe("**1** newly failing: <code>tools-00011</code>");
  });

  test("has what each target cost where there are prices", () => {
    const summary = syntheticSummary(40);
    const costing = (cost: number | null) => ({
      ...summary,
      targets: summary.targets.map((target) => ({ ...target, cost })),
    });
    const reported = (cost: number | null) => reportOf(markdownReport(frameOf(summary)), [], costing(cost));
    expect(reported(12.5)).toMatch(/\| 99 % within \| cost \|[\s\S]*\| 12\.5 \|/);
    expect(reported(null)).not.toContain("| cost |");
  });

  test("shows the rows that a person should look at, the worst first, each folded", () => {
    const text = whole(syntheticRows(200), syntheticSummary(200));
    const rows = text.split("### Rows to look at")[1] ?? "";
    expect(rows.match(/<details>/g)).toHaveLength(20);
    expect(rows).toMatch(/^\s*<details><summary>row \d+ · [^<]+ · <code>[^<]+<\/code>: answered, now an error/);
  });

  test("fits a comment, however long names, texts and lists are", () => {
    const long = "अनुच्छेद 👩🏽‍🌾 <&> ".repeat(5_000);
    const summary = hostileSummary(syntheticSummary(50), long);
    const many = { ...summary, notes: Array.from({ length: 500 }, () => long) };
    for (const each of [summary, many]) {
      const text = whole(
        Array.from({ length: 60 }, () => hostileRow(long)),
        each,
      );
      expect(text.length).toBeLessThan(65_536);
      expect(text).toContain("What does not fit here");
      expect(text.match(/<details>/g)?.length ?? 0).toBe(text.match(/<\/details>/g)?.length ?? 0);
    }
  });

  test.each(hostileTexts)("takes a text for nothing but a text: %j", (hostile) => {
    const text = whole([hostileRow(hostile)], hostileSummary(syntheticSummary(1), hostile));
    // No tag but our own, no control character, nothing that turns the direction, no half characters.
    expect(text.replaceAll(ownTags, "")).not.toMatch(/<[a-z/!]/i);
    expect(text).not.toMatch(/[^\n\P{Cc}]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u);
    // Outside of blocks no mention, no reference, no address, no markup.
    const lines = text.replaceAll(/<pre dir="auto">[\s\S]*?<\/pre>/g, "").replaceAll(ownTags, "");
    expect(lines).not.toMatch(/@\w|(?<![&\n#])#\d|https?:\/\/|www\.|\]\(|`|\bjavascript:/);
    for (const line of lines.split("\n").filter((each) => each.startsWith("|"))) {
      expect(line.match(/(?<!\\)\|/g)?.length).toBeLessThanOrEqual(12);
    }
    expect(lines).not.toContain("\n# title");
  });

  test("of a batch that compares nothing has its targets", () => {
    const summary = syntheticSummary(5);
    const [target] = summary.targets;
    const alone: ReportSummary = {
      ...summary,
      verdict: {
        state: "none",
        word: null,
        claim: "none",
        metric: null,
        sentence: "prod answered 5 of 5 rows",
      },
      baseline: null,
      candidates: [],
      pairs: [],
      targets: target === undefined ? [] : [target],
      gates: [],
      flips: [],
      behaviour: [],
      members: [],
      slices: [],
      notes: [],
      validity: { state: "unknown", checks: [] },
    };
    expect(whole([], alone)).toMatchInlineSnapshot(`
      "## ❌ Regression: prod answered 5 of 5 rows

      <code>help-desk</code> · batch <code>help-desk-20261121-051200</code> · 5 rows · <code>prod</code> · 12 min 34 s

      | metric | <code>prod</code> | likely range (95 %) | rows |
      | --- | --- | --- | --- |
      | <code>correct</code> | 81.0 % | 78 % to 84 % | 5 |
      | <code>similar</code> | 62 | 60 to 64 | 5 |

      Next: look at the rows that got worse: <code>tandem view</code>

      ### Targets

      | target | jobs | median time | 99 % within | runs by outcome | <code>correct</code> | <code>similar</code> |
      | --- | --- | --- | --- | --- | --- | --- |
      | <code>prod</code> | 5 | 900 ms | 4.5 s | 5 answered, 0 run-failed | 81 % (78 % to 84 %) | 62 (60 to 64) |
      "
    `);
  });
});

describe("a text in Markdown", () => {
  test.each([
    ["a | b", "a &#124; b"],
    ["1. not a list", "1&#46; not a list"],
    ["- not a list", "&#45; not a list"],
    ["see #12 and @me", "see &#35;\u206012 and &#64;\u2060me"],
    ["50 % → 3.5, C#", "50 % → 3.5, C#"],
    ["time 10:30, a: b", "time 10:30, a: b"],
    ["snake_case *bold*", "snake&#95;case &#42;bold&#42;"],
    ["नमस्ते السلام 🙂", "नमस्ते السلام 🙂"],
  ])("%s", (text, markdown) => expect(markdownText(text)).toBe(markdown));

  test("is cut between characters, not in them", () => {
    expect(markdownCode("👩🏽‍🌾".repeat(10), 2)).toBe("<code>👩🏽‍🌾👩🏽‍🌾…</code>");
    expect(markdownBlock("ab\ncd", 3)).toBe('<pre dir="auto">ab\n…</pre>');
  });
});
