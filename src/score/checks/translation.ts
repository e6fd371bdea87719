import { z } from "zod";
import { bleu, type BleuSmoothing } from "../../text/bleu.ts";
import type { WordKind } from "../../text/tokens.ts";
import { orExpectedTexts } from "../contract/expected.ts";
import { defineScorer } from "../contract/define.ts";
import { comparedWords, cutWordsNote, wordsKey } from "./compared-words.ts";
import { boundedMetric, measureKeys, referencesGrade, type ReferencesMeasure } from "./measure.ts";

const cat = "the cat sat on the mat";

/** A measure that was made for translations. */
export const translationScorers = [
  defineScorer({
    type: "bleu",
    family: "text",
    about:
      "BLEU of one answer: the share of its sequences of 1 to 4 words that the wanted text has, less where it is shorter; 0 to 1. With several wanted texts a sequence may stand in any of them. Words in lower case, without punctuation.",
    keys: {
      ...measureKeys,
      value: orExpectedTexts,
      words: wordsKey,
      smoothing: z
        .enum(["exp", "epsilon", "tiny", "none"])
        .default("exp")
        .describe(
          "What counts where no sequence of a length is found. exp: as sacrebleu; epsilon: as NLTK's method1; tiny: as promptfoo; none: the whole is 0. Default: exp.",
        ),
    },
    examples: [
      {
        about: "one word is another",
        scorer: {},
        expected: cat,
        answer: "The cat sat on a mat.",
        score: { value: 0.5372849659117709, pass: null },
      },
      {
        about: "nothing of four words is found",
        scorer: { smoothing: "none", threshold: 0.5 },
        expected: cat,
        answer: "The cat lay on the mat.",
        score: "fails",
      },
      {
        about: "two ways to say it",
        scorer: { value: ["Good day to you", "Hello to you all"], threshold: 0.5 },
        answer: "Hello to you all",
        score: "passes",
      },
      {
        about: "a short answer is measured by the sequences that it has",
        scorer: {},
        expected: "hello world",
        answer: "Hello, world!",
        score: { value: 1, pass: null },
      },
    ],
    metric: boundedMetric(0, 1),
    grade: (options) => referencesGrade(options, bleuMeasure(options)),
  }),
];

function bleuMeasure({ words, smoothing }: { words: WordKind; smoothing: BleuSmoothing }): ReferencesMeasure {
  return {
    name: "BLEU",
    lowerIsBetter: false,
    measure: (text, wanted) => {
      const said = comparedWords(text, words);
      const meant = wanted.map((each) => comparedWords(each, words));
      const references = meant.map((each) => each.words);
      return { value: bleu(said.words, references, smoothing), note: cutWordsNote([said, ...meant]) };
    },
  };
}
