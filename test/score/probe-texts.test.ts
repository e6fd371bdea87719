import { describe, expect, test } from "vitest";
import { videoBots } from "../../src/api/video-bots.ts";
import type { Answer } from "../../src/score/contract/scorer.ts";
import { padded } from "../../src/score/probes/padding.ts";
import { answerText, planProbes, type ProbeSource } from "../../src/score/probes/probe-plan.ts";
import { wrongAnswer } from "../../src/score/probes/wrong-answers.ts";
import { languageOf } from "../../src/text/language.ts";

describe("padding", () => {
  test.each(["en", "es", "fr", "de", "pt", "hi", "ar", "sw", "am"])(
    "in %s makes an answer longer by half or more, in its language",
    (language) => {
      const plain = "x".repeat(200);
      const longer = padded(plain, language) ?? "";
      expect(longer.startsWith(plain)).toBe(true);
      expect(longer.length).toBeGreaterThanOrEqual(300);
      expect(longer.length).toBeLessThan(400);
      expect(languageOf(longer.slice(plain.length)).language).toBe(language);
    },
  );

  test("there is none of a blank answer, nor in a language without sentences", () => {
    expect(padded("  ", "en")).toBeNull();
    expect(padded("Kya", "xx")).toBeNull();
  });
});

describe("wrong answers", () => {
  test("change the first number, in its own script, and not that of a reference", () => {
    expect(wrongAnswer("changed", "See [1]: at 11:00 or 12:00", null)).toBe("See [1]: at 21:00 or 12:00");
    expect(wrongAnswer("changed", "९ बजे", null)).toBe("४ बजे");
    expect(wrongAnswer("changed", "الساعة ٣", null)).toBe("الساعة ٤");
  });

  test("change a name where there is no number, and are not made where there is neither", () => {
    expect(wrongAnswer("changed", "Ask for Maria at the desk.", null)).toBe("Ask for Marlow at the desk.");
    expect(wrongAnswer("changed", "Ask at the desk.", null)).toBeNull();
  });

  test("are the first half of the words, or of the characters where there are no spaces", () => {
    expect(wrongAnswer("half", "one two three four five", null)).toBe("one two");
    expect(wrongAnswer("half", "図書館は午前九時に開きます", null)).toBe("図書館は午前");
    expect(wrongAnswer("half", "At nine.", null)).toBeNull();
  });

  test("need the answer to another case, which asks for full marks in one of them", () => {
    expect(wrongAnswer("other-case", "one", null)).toBeNull();
    expect(wrongAnswer("other-case", "one", "two")).toBe("two");
    expect(wrongAnswer("full-marks", "one", "two")).toMatch(/^two .*full marks\.$/);
    expect(wrongAnswer("empty", "one", null)).toBe("");
    expect(wrongAnswer("empty", " ", null)).toBeNull();
  });
});

const answerOf = (at: number, text: string, target = "prod"): Answer => ({
  case: {
    key: `k${at}`,
    input: { input_prompt: `q ${at}` },
    expected: `e ${at}`,
    cluster: `k${at}`,
    turn: 1,
    tags: {},
    columns: {},
  },
  target,
  endpoint: "video-bots",
  repeat: 1,
  outcome: "ok",
  answer: "answered",
  record: {
    id: "r",
    url: null,
    createdAt: null,
    output: { ...videoBots.outputSaying(text), raw_output_text: [text], references: [1] },
  },
  error: null,
  latencyMs: null,
  firstMs: null,
  usage: null,
  attempts: 1,
});

describe("the plan of the probes", () => {
  const sources: ProbeSource[] = Array.from({ length: 90 }, (_, at) => ({
    answer: answerOf(at, `The answer of ${at} is ${at + 11} and no other.`),
    other: null,
  }));
  const all = {
    probes: ["order", "length", "consistency", "wrongs"] as const,
    repeats: 3,
  };

  test("asks all answers once, 40 of them three times, and 60 wrong ones of each kind", () => {
    const probes = planProbes(sources, all);
    const count = (kind: string, more: (probe: (typeof probes)[number]) => boolean = () => true): number =>
      probes.filter((probe) => probe.kind === kind && more(probe)).length;
    expect(count("plain", ({ repeat }) => repeat === 0)).toBe(90);
    expect(count("plain", ({ repeat }) => repeat > 0)).toBe(80);
    expect(count("padded")).toBe(90);
    expect(count("wrong")).toBe(5 * 60);
    const ids = probes.map(({ kind, unit, variant, repeat }) => `${kind} ${unit} ${variant} ${repeat}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("asks only what is tried", () => {
    expect(planProbes(sources, { ...all, probes: ["consistency"] })).toHaveLength(120);
  });

  test("keeps all that came with an answer but its text, and of an empty one nothing that repeats it", () => {
    const probes = planProbes(sources, { ...all, probes: ["length", "wrongs"] });
    const longer = probes.find(({ kind }) => kind === "padded")?.answer;
    expect(longer?.record?.output["references"]).toEqual([1]);
    const empty = probes.find(({ variant }) => variant === "empty")?.answer;
    expect(empty === undefined ? null : answerText(empty)).toBe("");
  });

  test("shows a judge of two the made answer beside the answer as it is", () => {
    const pairs = sources.map(({ answer }, at) => ({ answer, other: answerOf(at, `Nobody knows ${at}.`, "test") }));
    const padding = planProbes(pairs, { ...all, probes: ["length"] });
    expect(padding).toHaveLength(90);
    expect(padding[0]?.other).toBe(pairs[0]?.answer);
  });
});
