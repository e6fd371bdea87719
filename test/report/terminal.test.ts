import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { hashText } from "../../src/lib/hash.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import { displayWidth } from "../../src/report/text/width.ts";
import type { ChangesSinceNotice } from "../../src/report/shape/changes-since-notice.ts";
import type { RunSummary } from "../../src/report/shape/run-summary.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import {
  aCase,
  answered,
  aTarget,
  candidate,
  failed,
  passing,
  prod,
  says,
  someCases,
  scored,
  unfinished,
} from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

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
    expect(terminalText(toldOf(rows), screen)).toMatchSnapshot();
  });

  test("cuts the name of a long suite, not how it ended and how long it took", () => {
    const reported = toldOf(rows);
    const batch = `customer-support-regression-${"suite-".repeat(10)}20261123-032755`;
    const model = { ...reported.model, batch, state: "finished" as const, durationMs: 7400 };
    for (const width of [60, 80, 100]) {
      const lines = linesOf(terminalText({ ...reported, model }, { ...screen, width, details: true }));
      const first = lines.find((line) => line.startsWith("customer")) ?? "";
      expect(displayWidth(first)).toBeLessThanOrEqual(width);
      expect(first).toMatch(/^customer.*  8 rows, 2 targets, finished in 7\.4 s$/);
    }
  });

  test("has the same text with colours", () => {
    const coloured = terminalText(toldOf(rows), { ...screen, color: true });
    expect(coloured).toContain("\u001b[1m");
    expect(stripVTControlCharacters(coloured)).toBe(terminalText(toldOf(rows), screen));
  });

  test("lets no control or bidi character of an answer through", () => {
    const hostile = "\u001b]0;title\u0007\u009b31m\u202e\u2066\r\b\u0000";
    const results = [aCase(hostile, [says(prod, `a${hostile}`), failed(candidate, hostile)])];
    const text = terminalText(toldOf(results, { batch: hostile, reason: hostile, state: "stopped" }), screen);
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
    const lines = linesOf(terminalText(toldOf(results, { files: [] }), { ...screen, width }));
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    expect(lines.length).toBeLessThanOrEqual(40);
  });

  test("answers in the first lines, without statistics: the verdict, three rows with both answers, the page and one next step", () => {
    const { metrics } = { metrics: [passing(), { ...passing({ name: "polite", primary: false }), gates: [] }] };
    const results = Array.from({ length: 40 }, (_, i) =>
      aCase(`case-${i}`, [
        says(prod, `The answer is ${i}.`, scored(true)),
        says(candidate, `It is ${i}, or not.`, scored(i > 12)),
      ]),
    );
    const reported = toldOf(results, {}, { metrics });
    const text = terminalText(reported, { ...screen, width: 80, lines: 23 });
    const lines = linesOf(text);
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
    expect(text).toMatchSnapshot();
  });

  test("shows the question of a row in one line whole beside short answers, and wraps what stands around it", () => {
    const results = Array.from({ length: 40 }, (_, i) =>
      aCase(`k${i}`, [says(prod, `answer ${i}`, scored(true)), says(candidate, "no idea", scored(i > 12))], {
        input: JSON.stringify({ input_prompt: `How long is loan ${i}?` }),
      }),
    );
    const text = terminalText(toldOf(results, {}, { metrics: [passing()] }), { ...screen, width: 80, lines: 23 });
    expect(text).toContain("  row 2  newly fails  How long is loan 10?\n    prod  answer 10\n    test  no idea\n");
    const narrow = linesOf(
      terminalText(toldOf(results, {}, { metrics: [passing()] }), { ...screen, width: 60, lines: 23 }),
    );
    // A path is never cut.
    const cut = narrow.filter((line) => !line.startsWith("Report: "));
    expect(Math.max(...cut.map(displayWidth))).toBeLessThanOrEqual(60);
  });

  test("says beside the verdict whether a regression is new or since when, and below one that is fine what is over", () => {
    const since = new Date(2021, 10, 19, 12).getTime();
    const worse = someCases(100, (i) => [says(prod, "a", scored(true)), says(candidate, "a", scored(i > 40))]);
    const same = someCases(100, () => [says(prod, "a", scored(true)), says(candidate, "a", scored(true))]);
    const text = (rowsOfAll: PairedResult[], changesSinceNotice: Partial<ChangesSinceNotice> | null): string => {
      const ofNights =
        changesSinceNotice === null
          ? null
          : { state: "none" as const, since: null, sentence: null, troubles: [], ...changesSinceNotice };
      return terminalText({ ...toldOf(rowsOfAll, {}, { metrics: [passing()] }), ofNights }, screen);
    };
    expect(text(worse, null)).toMatch(/^REGRESSION {2}\S/m);
    expect(text(worse, { state: "new" })).toMatch(/^REGRESSION \(new\) {2}\S/m);
    expect(text(worse, { state: "still", since, sentence: "It" })).toMatch(
      /^REGRESSION \(since 19 November 2021\) {2}\S/m,
    );
    expect(text(same, { state: "over", since, sentence: "The regression is over" })).toMatch(
      /^PASS {2}[\s\S]*\n {2}history {3}The regression is over\n/m,
    );
  });

  test("says what would settle an open gate, and why a comparison is invalid", () => {
    const open = someCases(30, (i) => [says(prod, "a", scored(true)), says(candidate, "a", scored(i > 0))]);
    expect(terminalText(toldOf(open, {}, { metrics: [passing()] }), screen)).toMatch(
      /^TOO FEW ROWS {2}1 of 30 rows newly fails in test on `correct`, none newly pass; 5\s+newly failing rows would prove a regression\n/,
    );
  });

  test("says below the figures of data that are not complete that they do not count", () => {
    const results = someCases(40, (i) => [
      says(prod, "a", scored(true)),
      i < 10 ? failed(candidate, "(HTTP 503) overloaded") : says(candidate, "a", scored(i > 20)),
    ]);
    const detailed = terminalText(toldOf(results, {}, { metrics: [passing()] }), {
      ...screen,
      lines: 60,
      details: true,
    });
    expect(detailed.replaceAll(/\s+/g, " ")).toContain("No result: worse and better do not count here");
  });

  test("says which drop could have been found at all, where there is room, and at which level it was decided", () => {
    const results = someCases(100, () => [says(prod, "a", scored(true)), says(candidate, "a", scored(true))]);
    const shown = (lines: number, alpha = 0.05) =>
      terminalText(toldOf(results, {}, { metrics: [passing()], alpha }), { ...screen, lines, details: lines > 5 });
    expect(shown(60)).toMatch(/^PASS [\s\S]* A drop of [\d.]+ points is the smallest/m);
    expect(shown(5)).not.toContain("A drop of");
    expect(shown(60)).not.toContain("proof than usual");
    expect(shown(60, 0.4)).toContain("The gates ask for less proof than usual (40 % instead of 5 %).");
    expect(shown(60, 0.01)).toContain("The gates ask for more proof than usual (1 % instead of 5 %).");
  });

  test("says beside the verdict that the sides were graded by other expected texts", () => {
    const [old, now] = [aTarget(1, "prod", { batchIds: [1] }), aTarget(2, "test", { batchIds: [2] })];
    const results = Array.from({ length: 60 }, (_, i) => {
      const expectations = [
        { batchId: 1, expected: "a" },
        { batchId: 2, expected: "b" },
      ];
      const jobs = [says(old, "a", scored(true)), says(now, "a", scored(i > 20))];
      return aCase(`k${i}`, jobs, { variants: [[1, 2]], ...(i <= 20 ? { expectations } : {}) });
    });
    const reported = toldOf(results, {}, { metrics: [{ ...passing(), byExpected: true }], sides: [old, now] });
    expect(terminalText(reported, { ...screen, width: 200 }).replaceAll(/\s+/g, " ")).toContain(
      "21 rows expect another answer in test than in prod, and are left out of correct: k0, k1, k2, k3, k4 ...",
    );
  });

  test("says beside the verdict what to weigh before relying on it, on a low screen too", () => {
    const late = { ...scored(true), sentAt: 40 * 60_000, doneAt: 40 * 60_000 + 100 };
    const results = someCases(100, () => [says(prod, "a", scored(true)), says(candidate, "a", late)]);
    const reported = toldOf(results, {}, { metrics: [passing()] });
    for (const lines of [23, 60]) {
      const text = terminalText(reported, { ...screen, width: 200, lines });
      expect(text).toMatch(
        /^PASS [\s\S]*^ {2}note {6}test: half of the rows were sent .* more than 40\s+minutes apart/m,
      );
    }
  });

  test("shows gates and metrics without one apart, each table with one kind of range and one question of its p", () => {
    const results = someCases(60, (i) => {
      const scores = (pass: boolean) => ({
        scores: [
          { value: Number(pass), pass, reason: null },
          { value: i % 7, pass: null, reason: null },
        ],
      });
      return [says(prod, "a", scores(true)), says(candidate, "a", scores(i > 20))];
    });
    const free = {
      ...passing({ name: "length", scale: { kind: "unbounded", unit: null }, passes: false, primary: false }),
    };
    const metrics = [passing(), { ...free, gates: [] }];
    const text = terminalText(toldOf(results, {}, { metrics }), { ...screen, details: true });
    const heads = text.split("\n").filter((line) => /^ *metric .* p /.test(line));
    expect(heads).toHaveLength(2);
    expect(heads[0]).toMatch(/between, 95 % each +p lost more/);
    expect(heads[1]).toMatch(/95 % range +p any change/);
  });

  test("names the gate that advice is for where there are several", () => {
    const third = aTarget(3, "third");
    const results = someCases(40, (i) => [
      says(prod, "a", scored(true)),
      says(candidate, "a", scored(i > 0)),
      says(third, "a", scored(i % 2 === 0)),
    ]);
    const pairs = [1, 2].map((place) => ({ baseline: 0, candidate: place }));
    const reported = toldOf(results, {}, { metrics: [passing()], sides: [prod, candidate, third], pairs });
    expect(terminalText(reported, { ...screen, details: true })).toMatch(
      /^REGRESSION {2}third [\s\S]*^ {2}to decide {2}test needs 560 rows in all \(here are 40\)$/m,
    );
  });

  test("shows the expected answer of a row, the part of an answer that holds it, and how often it passed", () => {
    const filler = "A card can be blocked at any desk. ".repeat(5);
    const results = Array.from({ length: 40 }, (_, i) =>
      aCase(
        `k${i}`,
        [
          says(prod, "No idea.", scored(i > 12)),
          says(prod, `${filler}It costs 8 crowns to replace it.`, { repeat: 2, ...scored(true) }),
          says(candidate, "I do not know.", scored(i > 12)),
        ],
        { expected: "8 crowns" },
      ),
    );
    const text = terminalText(toldOf(results, {}, { metrics: [passing()] }), { ...screen, width: 100 });
    expect(text).toMatch(/ {2}passed 1 of 2 times, now fails\n {4}expected {2}8 crowns\n/);
    expect(text).toMatch(
      /\n {4}prod {6}its 2nd run, which passed: ….*It costs 8 crowns to .*\n {4}test {6}I do not know\.\n/,
    );
  });

  test("says why a row fails that has no expected answer", () => {
    const reason = 'the answer does not contain "9:00": "We open."';
    const results = someCases(20, (i) => [
      says(prod, "We open at 9:00.", scored(true)),
      says(candidate, "We open.", { scores: [{ value: Number(i > 8), pass: i > 8, reason }] }),
    ]);
    const text = terminalText(toldOf(results, {}, { metrics: [passing()] }), { ...screen, width: 100 });
    expect(text).toContain('\n    why   the answer does not contain "9:00": "We open."\n    prod  ');
  });

  test("of rows that ask the same says how many questions they are", () => {
    const copies = someCases(60, () => [says(prod, "a", scored(true)), says(candidate, "b", scored(false))]);
    const results = copies.map((row, i) => ({
      ...row,
      input: `{"input_prompt":"${i % 4}"}`,
      inputHash: hashText(String(i % 4), 32),
    }));
    const text = terminalText(toldOf(results, {}, { metrics: [passing()] }), { ...screen, width: 200 });
    expect(text).toMatch(
      /^TOO FEW ROWS {2}60 of 60 rows newly fail [\s\S]* about\s+8\s+different\s+questions, here are 4$/m,
    );
  });

  test("of incomplete data shows each error once, and no row for it", () => {
    const results = someCases(40, (i) => [
      says(prod, "a", scored(true)),
      i > 9 ? says(candidate, "a", scored(true)) : failed(candidate, "overloaded"),
    ]);
    const text = terminalText(toldOf(results, {}, { metrics: [passing()] }), screen);
    expect(text.split("overloaded")).toHaveLength(2);
    expect(text).not.toMatch(/^ {2}row /m);
  });

  test("shows the member where both answers are alike", () => {
    const results = someCases(20, () => [
      answered(prod, { output_text: ["a"], references: [1, 2] }),
      answered(candidate, { output_text: ["a"], references: null }),
    ]);
    expect(terminalText(toldOf(results), screen)).toMatch(/ {4}prod {2}references: .*\n {4}test {2}references: /);
  });

  test("names judges with what they cost, and what runs cost", () => {
    const judge = {
      name: "strict",
      deployment: "judge",
      questions: 1_200,
      asked: 400,
      failed: 2,
      cost: 0.8,
      checks: [],
    };
    const sides = [{ ...prod, price: 0.5 }, candidate];
    const text = terminalText(toldOf(rows, { judges: [judge] }, { sides }), { ...screen, lines: 80, details: true });
    expect(text).toContain("strict: 1,200 questions, 400 of them asked now, 2 without a reply, cost 0.8");
    expect(text).toMatch(/^target .* cost {2}errors$/m);
  });

  test("of one target is its table and the files", () => {
    const results = [
      aCase("a", [says(prod, "Ten")], { expected: "ten" }),
      aCase("b", [says(prod, "x", { doneAt: 3_500 })]),
    ];
    const summary = toldOf(results, {}, { sides: [prod], pairs: [] });
    expect(terminalText(summary, screen)).toMatchSnapshot();
  });

  test("of an empty batch says so", () => {
    expect(terminalText(toldOf([], { files: [] }), screen)).toMatchSnapshot();
  });

  test("of a batch with only failures shows the errors and calls the comparison invalid", () => {
    const results = ["a", "b"].map((key) => aCase(key, [failed(prod, "boom"), failed(candidate, "boom")]));
    const given = {
      state: "stopped",
      reason: "prod: the same error in 5 runs in a row",
      files: [],
      next: "tandem resume latest",
    } satisfies Partial<RunSummary>;
    expect(terminalText(toldOf(results, given), screen)).toMatchSnapshot();
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
    expect(terminalText(toldOf(results, { files: [] }, settings), screen)).toMatchSnapshot();
  });
});
