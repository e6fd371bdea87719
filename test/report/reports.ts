import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import type { ReportFrame, Reporter } from "../../src/report/shape/reporter.ts";
import { syntheticRows } from "./synthetic.ts";

/** The frame of a report, known before its rows. */
export function frameOf({ targets, pairs, metrics }: ReportSummary): ReportFrame {
  return { targets: targets.map(({ name }) => name), pairs, metrics };
}

/** A whole report of a format that makes its text at once, as the pipeline writes it. */
export function reportOf(reporter: Reporter, rows: Iterable<ReportRow>, summary: ReportSummary): string {
  let text = reporter.start;
  for (const row of rows) {
    const piece = reporter.add(row);
    if (typeof piece !== "string") throw new TypeError("a piece of it is still in the making");
    text += piece;
  }
  const settled = reporter.settle?.(summary)(text) ?? text;
  if (typeof settled !== "string") throw new TypeError("a text became bytes");
  return [reporter.head?.(summary) ?? "", settled, reporter.end(summary), ...(reporter.rest?.() ?? [])].join("");
}

/** A row that got worse, in which every text is this one. */
export function hostileRow(text: string): ReportRow {
  const [row] = syntheticRows(1);
  if (row === undefined) throw new Error("there is no row");
  const sides = row.sides.map((side, place) => ({
    scores: side.scores.map((score) => score && { ...score, passes: place === 0 ? 1 : 0, runs: 1 }),
    runs: side.runs.map((run) => ({
      ...run,
      outcome: "answered" as const,
      failed: false,
      answer: text,
      error: text,
      url: text,
      scores: run.scores.map((score) => score && { ...score, pass: place === 0, reason: text }),
    })),
  }));
  return {
    ...row,
    key: text,
    expected: text,
    tags: { [text]: text },
    columns: { [text]: text },
    input: [{ field: "input_prompt", text }],
    sides,
    changes: row.changes.map((change) => ({ ...change, kind: "changed", trend: "worse", distance: 1, excess: 1 })),
  };
}

/** Every text of the summary that comes from bots, suites or datasets is this one. */
export function hostileSummary(summary: ReportSummary, text: string): ReportSummary {
  const { verdict, flips, members, slices, places, behaviour, gates, validity } = summary;
  return {
    ...summary,
    suite: text,
    batch: text,
    reason: text,
    state: "stopped",
    verdict: { ...verdict, sentence: text },
    findings: {
      ...summary.findings,
      facts: [
        { kind: "note", label: "caution", texts: [text] },
        { kind: "reasons", texts: [text] },
      ],
    },
    flips: flips.map((flip) => ({ ...flip, keys: [text], rows: [{ row: 2, file: text }] })),
    members: members.map((member) => ({ ...member, path: text, about: text })),
    slices: slices.map((slice) => ({ ...slice, tag: text, value: text })),
    places: places.map((place) => ({ ...place, tag: text, value: text, and: { tag: text, value: text } })),
    behaviour: behaviour.map((each) => ({ ...each, reason: text, moved: [text], measured: text })),
    gates: gates.map((gate) => ({ ...gate, advice: text, method: text })),
    validity: { ...validity, checks: [{ ok: true, text }] },
    cautions: [text],
    notes: [text, `${text} too`],
  };
}

/** Texts that would do harm where they are not taken for text. */
export const hostileTexts: readonly string[] = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "[click](javascript:alert(1)) javascript:alert(1)",
  "</script><svg onload=alert(1)>",
  "\u001b[31mred\u001b[0m \u009b31m \u0007 \u001b]8;;http://evil.test\u001b\\link",
  '=HYPERLINK("http://evil.test","x")',
  "+cmd|' /C calc'!A0",
  "]]> --> <![CDATA[ &amp; &#0; %25 %0A::error::x",
  "nul \u0000 here",
  "half \ud83d and \udc00 half",
  "\u202egnp.exe\u202c \u2066isolate\u2069",
  "a | b ` c ``` d ~~~ * _ # > $x$ :smile: </details></pre></code>",
  "@everyone @org/team #1 GH-1 www.evil.test https://evil.test <https://evil.test> me@evil.test",
  "line\nbreak\r\n::error::owned\n| a | b |\n| --- | --- |\n# title\n- item",
  "सवाल क्या है? ما السؤال؟ ጥያቄ 👩🏽‍🌾",
];
