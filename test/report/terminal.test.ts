import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { terminalText } from "../../src/report/terminal.ts";
import { displayWidth } from "../../src/report/width.ts";
import type { RunSummary } from "../../src/report/run-summary.ts";
import type { PairedResult } from "../../src/compare/case-comparison.ts";
import { aCase, answered, aTarget, candidate, failed, prod, says, unfinished } from "../compare/case-result.ts";
import { summaryOf } from "./run-summary.ts";

const screen = { width: 100, lines: 40, color: false };
const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

const long = "Leave ten centimetres between the plants and water them twice a week; in dry weather, ";

/** Answers in many scripts, with everything that could garble a screen. */
const rows: PairedResult[] = [
  aCase("same", [says(prod, "Same."), says(candidate, "Same.", { sentAt: 1_040 })]),
  aCase("hindi-दूरी", [says(prod, "पौधों के बीच १० सेमी रखें [1]"), says(candidate, "पौधों के बीच २० सेमी रखें")], {
    expected: "१० सेमी",
  }),
  aCase("arabic", [
    says(prod, "اترك عشرة سنتيمترات بين الشتلات"),
    failed(candidate, "ValueError: \u001b[31mboom\u001b[0m\r\nat line 1"),
  ]),
  aCase("amharic", [says(prod, "በተክሎች መካከል 10 ሴ.ሜ ይተዉ"), says(candidate, "በተክሎች መካከል 20 ሴ.ሜ ይተዉ\n\nአመሰግናለሁ")]),
  aCase("long", [says(prod, `${long}three times.`), says(candidate, `${long}every day, in the evening.`)]),
  aCase("emoji", [
    says(prod, "👩🏽‍🌾🌱 cafe\u0301 日本語のテキスト"),
    says(candidate, "🇮🇳 \u202egnp.exe\u2066 \u0007\u0085 ＝１＋１"),
  ]),
  aCase("open", [says(prod, "x"), unfinished(candidate)]),
  aCase("members", [
    answered(prod, { output_text: ["a"], references: [1, 2, 3] }),
    answered(candidate, { output_text: ["a"], references: null, metrics: null }),
  ]),
];

describe("the summary in the terminal", () => {
  test("shows targets, what differs, the most different answers, files and what to do next", () => {
    expect(terminalText(summaryOf(rows), screen)).toMatchSnapshot();
  });

  test("has the same text with colours", () => {
    const coloured = terminalText(summaryOf(rows), { ...screen, color: true });
    expect(coloured).toContain("\u001b[1m");
    expect(stripVTControlCharacters(coloured)).toBe(terminalText(summaryOf(rows), screen));
  });

  test("lets no control or bidi character of an answer through", () => {
    const hostile = "\u001b]0;title\u0007\u009b31m\u202e\u2066\r\b\u0000";
    const results = [aCase(hostile, [says(prod, `a${hostile}`), failed(candidate, hostile)])];
    const text = terminalText(summaryOf(results, { batch: hostile, reason: hostile, state: "stopped" }), screen);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    expect(text).toContain("␛]0;title␇");
  });

  test.each([100, 72, 60])("keeps to %i columns and one screen, whatever the answers are", (width) => {
    const nasty = [
      "日本語".repeat(500),
      "नि".repeat(900),
      "👩🏽‍🌾".repeat(300),
      "x".repeat(5_000),
      "\n".repeat(900),
      "e\u0301".repeat(900),
    ];
    const results = nasty.flatMap((text, i) => [
      aCase(`${text}${i}`, [says(prod, text), says(candidate, `${text}!`)], { expected: text }),
      aCase(`failed ${i}`, [says(prod, text), failed(candidate, text)]),
    ]);
    const lines = linesOf(terminalText(summaryOf(results, { files: [] }), { ...screen, width }));
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  test("leaves cases out where the screen is low", () => {
    const lines = linesOf(terminalText(summaryOf(rows), { ...screen, lines: 34 }));
    expect(lines.length).toBeLessThanOrEqual(34);
    expect(lines.join("\n")).toMatch(/Most different answers \(the first \d\)/);
  });

  test("of one target is its table and the files", () => {
    const results = [
      aCase("a", [says(prod, "Ten")], { expected: "ten" }),
      aCase("b", [says(prod, "x", { doneAt: 3_500 })]),
    ];
    const summary = summaryOf(results, { next: null }, { sides: [prod], pairs: [] });
    expect(terminalText(summary, screen)).toMatchSnapshot();
  });

  test("of an empty batch says so", () => {
    expect(terminalText(summaryOf([], { files: [], next: null }), screen)).toMatchSnapshot();
  });

  test("of a batch with only failures shows the errors and calls the comparison invalid", () => {
    const results = ["a", "b"].map((key) => aCase(key, [failed(prod, "boom"), failed(candidate, "boom")]));
    const given = {
      state: "stopped",
      reason: "prod: the same error in 5 runs in a row",
      files: [],
      next: "tandem resume latest",
    } satisfies Partial<RunSummary>;
    expect(terminalText(summaryOf(results, given), screen)).toMatchSnapshot();
  });

  test("of functions with several candidates shows each", () => {
    const sides = ["v1", "v2", "v3"].map((target, i) => aTarget(i + 1, target, { endpoint: "functions" }));
    const results = [1, 2, 3].map((n) =>
      aCase(
        `case ${n}`,
        sides.map((side, i) => answered(side, { return_value: { price: n * (i + 1), items: [n] }, logs: [] })),
      ),
    );
    const settings = { sides, pairs: [1, 2].map((place) => ({ baseline: 0, candidate: place })) };
    expect(terminalText(summaryOf(results, { files: [] }, settings), screen)).toMatchSnapshot();
  });
});
