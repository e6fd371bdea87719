import { z } from "zod";
import { chrf2, chrfLongest } from "../../text/chrf/chrf.ts";
import { editDistance, type EditUnit } from "../../text/edit-distance.ts";
import { foldCase } from "../../text/fold.ts";
import { editSimilarity, errorRate, type Measured } from "../../text/measures.ts";
import { mostUnits, editUnitsOf } from "../../text/units.ts";
import { defineScorer } from "../contract/define.ts";
import {
  boundedMetric,
  errorMetric,
  errorRateMetric,
  ignoreCaseKey,
  measureGrade,
  measureKeys,
  type Measure,
} from "./measure.ts";
import type { Unscored } from "../contract/scorer.ts";

const characterUnit = z.enum(["graphemes", "code-points"]);
const editKeys = {
  ...measureKeys,
  ignore_case: ignoreCaseKey,
  unit: z
    .enum(["graphemes", "code-points", "words"])
    .default("graphemes")
    .describe(
      "What counts as one: graphemes (characters as a reader counts them), code-points or words. Default: graphemes.",
    ),
};

/** Measures of how alike the characters or words of two texts are, in their order. */
export const similarityScorers = [
  defineScorer({
    type: "chrf",
    family: "text",
    isLikeness: true,
    about:
      "chrF2: the share of character n-grams (1 to 6) that the text and the wanted one have in common, recall weighted twice; 0 to 100. Good for every language, with no need to find words.",
    keys: measureKeys,
    examples: [
      {
        about: "a small difference",
        scorer: { threshold: 60 },
        expected: "the cat is on the mat",
        answer: "the cat sat on the mat",
        score: { value: 64.5779420625287, pass: true },
      },
      {
        about: "without threshold it measures only",
        scorer: {},
        expected: "المكتبة مفتوحة يوم الأحد",
        answer: "تفتح المكتبة يوم الأحد",
        score: { value: 61.984068577193995, pass: null },
      },
      {
        about: "a citation mark is no part of the answer",
        scorer: {},
        expected: "ten cm",
        answer: "ten cm [1]",
        score: { value: 100, pass: null },
      },
    ],
    metric: boundedMetric(0, 100),
    grade: (options) => measureGrade(options, chrf),
  }),
  defineScorer({
    type: "edit-similarity",
    family: "text",
    isLikeness: true,
    about:
      "1 - edits / length of the longer text, where an edit inserts, deletes or replaces one character; 1 for equal texts, 0 where nothing stays.",
    keys: editKeys,
    examples: [
      {
        about: "the textbook's example",
        scorer: { value: "sitting" },
        answer: "kitten",
        score: { value: 0.5714285714285714, pass: null },
      },
      {
        about: "an emoji of four code points is one character",
        scorer: { value: "x", threshold: 0.9 },
        answer: "👩🏽‍🌾x",
        score: { value: 0.5, pass: false },
      },
      {
        about: "by code points",
        scorer: { value: "hello 👋", unit: "code-points" },
        answer: "héllo 👋🏽",
        score: { value: 0.75, pass: null },
      },
    ],
    metric: boundedMetric(0, 1),
    grade: (options) => measureGrade(options, byEdits("edit similarity", options, editSimilarity)),
  }),
  defineScorer({
    type: "edit-distance",
    family: "text",
    isLikeness: true,
    about: "How many edits make the text the wanted one (Levenshtein's distance); lower is better.",
    keys: editKeys,
    examples: [
      {
        about: "at most three",
        scorer: { value: "sitting", threshold: 3 },
        answer: "kitten",
        score: { value: 3, pass: true },
      },
      {
        about: "by words",
        scorer: { value: "the blue cat", unit: "words" },
        answer: "The cat",
        score: { value: 2, pass: null },
      },
    ],
    metric: errorMetric("edits"),
    grade: (options) => measureGrade(options, byEdits("edit distance", options, edits, true)),
  }),
  defineScorer({
    type: "wer",
    family: "text",
    isLikeness: true,
    about:
      "Word error rate: edits of words for each word of the wanted text; lower is better, and it may exceed 1: a gate counts what is more as 1. Words are runs of letters, marks and digits.",
    keys: { ...measureKeys, ignore_case: ignoreCaseKey },
    examples: [
      {
        about: "one word of three is missing",
        scorer: { threshold: 0.5 },
        expected: "the cat sat",
        answer: "the cat",
        score: { value: 1 / 3, pass: true },
      },
      {
        about: "more than was asked for",
        scorer: {},
        expected: "hi",
        answer: "oh hi there you",
        score: { value: 3, pass: null },
      },
      { about: "without a word to compare with", scorer: { value: "!" }, answer: "hi", score: { unscored: true } },
    ],
    metric: errorRateMetric,
    grade: (options) => measureGrade(options, byEdits("word error rate", { ...options, unit: "words" }, rate, true)),
  }),
  defineScorer({
    type: "cer",
    family: "text",
    isLikeness: true,
    about:
      "Character error rate: edits of characters, white space among them, for each character of the wanted text; lower is better, and it may exceed 1: a gate counts what is more as 1.",
    keys: {
      ...measureKeys,
      ignore_case: ignoreCaseKey,
      unit: characterUnit
        .default("code-points")
        .describe("What counts as one: code-points, as others count them, or graphemes. Default: code-points."),
    },
    examples: [
      {
        about: "longer than what was meant",
        scorer: {},
        expected: "hi",
        answer: "oh hi there you",
        score: { value: 6.5, pass: null },
      },
      {
        about: "one vowel sign of six",
        scorer: { max: 0.2 },
        expected: "नमस्ते",
        answer: "नमस्ता",
        score: { value: 1 / 6, pass: true },
      },
    ],
    metric: errorRateMetric,
    grade: (options) => measureGrade(options, byEdits("character error rate", options, rate, true)),
  }),
];

const chrf: Measure = {
  name: "chrF2",
  lowerIsBetter: false,
  measure: (text, wanted) => {
    const cut = text.length > chrfLongest || wanted.length > chrfLongest;
    return { value: chrf2(text, wanted), note: cut ? cutNote(chrfLongest, "code-points") : "" };
  },
};

interface EditOptions {
  ignore_case: boolean;
  unit: EditUnit;
}

/** A measure by edits of two texts; `cut`: only their beginnings were compared. */
type TakenByEdits = (text: string, wanted: string, unit: EditUnit) => (Measured & { note?: string }) | Unscored;

function byEdits(
  name: string,
  { unit, ignore_case: ignoreCase }: EditOptions,
  take: TakenByEdits,
  lowerIsBetter = false,
): Measure {
  const form = ignoreCase ? foldCase : (text: string): string => text;
  return {
    name,
    lowerIsBetter,
    measure: (text, wanted) => {
      const taken = take(form(text), form(wanted), unit);
      if ("unscored" in taken) return taken;
      const { value, note = "", cut } = taken;
      return { value, note: `${note}${cut ? cutNote(mostUnits[unit], unit) : ""}` };
    },
  };
}

const edits: TakenByEdits = (text, wanted, unit) => {
  const [said, meant] = [editUnitsOf(text, unit), editUnitsOf(wanted, unit)];
  return { value: editDistance(said.units, meant.units), cut: said.cut || meant.cut };
};

const rate: TakenByEdits = (text, wanted, unit) => {
  const found = errorRate(text, wanted, unit);
  if (found.rate === null)
    return { unscored: `the wanted text has no ${unit === "words" ? "word" : "character"} to compare with` };
  return { value: found.rate, note: ` (${found.edits} edits of ${found.length} ${unit})`, cut: found.cut };
};

function cutNote(most: number, unit: EditUnit): string {
  return ` (of the first ${most.toLocaleString("en")} ${unit} only)`;
}
