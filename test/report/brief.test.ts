import { expect, test } from "vitest";
import { briefMarkdown } from "../../src/report/formats/markdown/brief.ts";
import { graphemes } from "../../src/text/graphemes.ts";
import { markdownHarm } from "../hostile/harm.ts";
import { hostile } from "../hostile/texts.ts";
import { syntheticSummary } from "./synthetic.ts";

const plain = syntheticSummary(60);

/** A summary whose names are all the text: of the suite, the run, targets, metrics, tags and their values. */
function named(text: string): typeof plain {
  return {
    ...plain,
    suite: text,
    batch: text,
    verdict: { ...plain.verdict, metric: text, sentence: `\`${text}\` is worse than \`prod\` on ${text}. Look.` },
    candidates: [text, "other"],
    metrics: plain.metrics.map((metric) => ({ ...metric, name: text })),
    gates: plain.gates.map((gate) => ({ ...gate, candidate: text, metric: text, name: text })),
    findings: {
      isSameBot: false,
      also: [],
      headline: {
        kind: "difference",
        word: "regression",
        is: "worse",
        candidate: text,
        baseline: "prod",
        metric: text,
        slice: null,
        turned: { rows: 60, worse: 9, better: 0, by: "flips" },
        difference: -0.15,
        margin: 0.05,
        stoppedEarly: false,
      },
      facts: [
        {
          kind: "where",
          isOther: false,
          candidate: text,
          metric: text,
          places: [
            {
              tag: text,
              value: text,
              and: { tag: "topic", value: text },
              rows: 9,
              worse: 8,
              flips: true,
              difference: null,
            },
          ],
          rest: { rows: 51, worse: 1, better: 0 },
        },
      ],
    },
    next: {
      step: { kind: "find-out", target: text, runs: 3 },
      commands: [[text]],
    },
  };
}

test("a summary to be sent stays five lines of text, whatever suites, targets, tags and answers are called", () => {
  for (const [what, text] of hostile) {
    const brief = briefMarkdown(named(text));
    expect([what, markdownHarm(brief)]).toEqual([what, []]);
    expect([what, brief.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/).length]).toEqual([what, 5]);
    // A bar or a line break in a name would end a cell of the table that somebody puts it into.
    expect([what, brief.replaceAll(/ {2}\n/g, "")]).toEqual([what, expect.not.stringMatching(/[|\t\r]/)]);
  }
});

/** True for a sign of the sentences around the names. */
function isOwn(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  return code < 0x250 || (code >= 0x2000 && code < 0x2c00);
}

test("a long name is cut between characters, in every script", () => {
  for (const character of ["कि", "👩🏽‍🌾", "e\u0301\u0323", "لا"]) {
    for (const before of ["", "x", "xx", "xxx"]) {
      const lines = briefMarkdown(named(before + character.repeat(900))).split("\n");
      expect(lines).toHaveLength(6);
      for (const line of lines) {
        const known = new Set([...graphemes(character), ...graphemes("\u2060")]);
        const odd = Array.from(graphemes(line)).filter(
          (each) => !known.has(each) && Array.from(each).some((sign) => !isOwn(sign)),
        );
        expect([character, odd]).toEqual([character, []]);
      }
    }
  }
  for (const line of briefMarkdown(named("y".repeat(20_000))).split("\n")) expect(line.length).toBeLessThan(1_500);
});

test("a summary that is sent says that somebody edited scores", () => {
  const [first, ...others] = plain.targets;
  const targets = first === undefined ? [] : [{ ...first, edited: 2 }, ...others];
  const lines = briefMarkdown({ ...plain, targets }).split("\n");
  expect(lines.some((line) => line.startsWith(`${first?.name}: 2 scores edited by hand`))).toBe(true);
  expect(briefMarkdown(plain)).not.toContain("edited");
});
