import { chrf2 } from "../text/chrf.ts";
import { boundsText, hasBounds, thresholdKeys, within } from "./bounds.ts";
import type { Bounds } from "./bounds.ts";
import { defineScorer } from "./define.ts";
import { cleanAnswer } from "../text/clean.ts";
import { measureLookKeys, nameOf, textReader } from "./look.ts";
import type { Answer, Score } from "./scorer.ts";
import { prepareValue, valueKey, wantedText } from "./wanted.ts";

const keys = { ...measureLookKeys, value: valueKey.optional(), ...thresholdKeys };

interface SimilarityOptions extends Bounds {
  on?: string | undefined;
  clean: boolean;
  value?: string | number | boolean | undefined;
}

export const similarityScorers = [
  defineScorer({
    type: "chrf",
    family: "text",
    about:
      "chrF2: the share of character n-grams (1 to 6) that the text and the wanted one have in common, recall weighted twice; 0 to 100. Good for every language, with no need to find words.",
    keys,
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
    metric: (options) => ({
      scale: { kind: "bounded", min: 0, max: 100 },
      lowerIsBetter: false,
      passes: hasBounds(options),
    }),
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({
      kind: "pure",
      grade: measureGrade(options, { name: "chrF2", lowerIsBetter: false, measure: chrf2 }),
    }),
  }),
];

/** Grades by a measure of two texts, both cleaned or neither. */
function measureGrade(
  options: SimilarityOptions,
  {
    name,
    lowerIsBetter,
    measure,
  }: { name: string; lowerIsBetter: boolean; measure: (text: string, wanted: string) => number },
): (answer: Answer) => Score {
  const read = textReader(options);
  const wanted = wantedText(options.value);
  const bounds = boundsText(options, lowerIsBetter);
  return (answer) => {
    const value = wanted(answer);
    if (typeof value !== "string") return value;
    const measured = measure(read(answer) ?? "", options.clean ? cleanAnswer(value) : value);
    const pass = within(measured, options, lowerIsBetter);
    const asked = bounds === "" ? "" : `; ${bounds} was asked for`;
    return { value: measured, pass, reason: `${name} of ${nameOf(options.on)} is ${round(measured)}${asked}` };
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
