import { stemmer } from "stemmer";
import { z } from "zod";
import { bleu, gleu } from "../../text/bleu.ts";
import type { WordKind } from "../../text/tokens.ts";
import { meteor } from "../../text/meteor.ts";
import { orExpectedTexts, prepareValue } from "../contract/expected.ts";
import { defineScorer } from "../contract/define.ts";
import type { Answer } from "../contract/scorer.ts";
import { languageKey, languageReader, prepareWords } from "./case-language.ts";
import { comparedWords, cutWordsNote, wordsKey } from "./compared-words.ts";
import { boundedMetric, measureKeys, referencesGrade, type ReferencesMeasure } from "./measure.ts";

const keys = { ...measureKeys, value: orExpectedTexts, words: wordsKey };
const cat = "the cat sat on the mat";

/** Measures that were made for translations. */
export const translationScorers = [
  defineScorer({
    type: "bleu",
    family: "text",
    about:
      "BLEU of one answer: the share of its sequences of 1 to 4 words that the wanted text has, less where it is shorter; 0 to 1. With several wanted texts a sequence may stand in any of them. Words in lower case, without punctuation.",
    keys: {
      ...keys,
      smoothing: z
        .enum(["exp", "epsilon", "tiny", "none"])
        .default("exp")
        .describe(
          "What counts where no sequence of a length is found. exp: a half, a quarter ... of one, as sacrebleu does; epsilon: a tenth, as NLTK's method1; tiny: a share of 0.0000001, as promptfoo does; none: the whole is 0. Default: exp.",
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
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({
      kind: "pure",
      grade: referencesGrade(
        options,
        byWords("BLEU", options.words, (said, meant) => bleu(said, meant, options.smoothing)),
      ),
    }),
  }),
  defineScorer({
    type: "gleu",
    family: "text",
    about:
      "GLEU, Google's BLEU for single sentences: sequences of 1 to 4 words that both texts have, divided by those of the one that has more; 0 to 1. Of several wanted texts the best one counts. Words in lower case, without punctuation.",
    keys,
    examples: [
      {
        about: "one word is another",
        scorer: { threshold: 0.5 },
        expected: cat,
        answer: "The cat sat on a mat.",
        score: { value: 11 / 18, pass: true },
      },
      {
        about: "Hindi",
        scorer: {},
        expected: "पुस्तकालय सोमवार को बंद है।",
        answer: "पुस्तकालय सोमवार को खुला है",
        score: { value: 0.5, pass: null },
      },
    ],
    metric: boundedMetric(0, 1),
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({
      kind: "pure",
      grade: referencesGrade(
        options,
        byWords("GLEU", options.words, (said, meant) =>
          gleu(
            said.map(withoutStop),
            meant.map((words) => words.map(withoutStop)),
          ),
        ),
      ),
    }),
  }),
  defineScorer({
    type: "meteor",
    family: "text",
    about:
      "METEOR: how many words both texts have, those that the answer lacks weighing nine times as much as those too many, less where their order is another; 0 to 1. English words also meet by their stem (Porter's); synonyms do not. Of several wanted texts the best one counts.",
    keys: { ...keys, language: languageKey("Language of the answer; only for en are words compared by their stem") },
    examples: [
      {
        about: "another order",
        scorer: { threshold: 0.6 },
        expected: "The cat sat on the mat",
        answer: "On the mat sat the cat",
        score: { value: 0.5, pass: false },
      },
      {
        about: "other endings",
        scorer: {},
        expected: "She walked home",
        answer: "She walks home",
        score: { value: 53 / 54, pass: null },
      },
      {
        about: "no stems in another language",
        scorer: { language: "es" },
        expected: "la casa roja",
        answer: "las casas rojas",
        score: { value: 0, pass: null },
      },
    ],
    metric: boundedMetric(0, 1),
    prepare: ({ value, language }) => prepareWords(value, language),
    make: (options) => {
      const languageOf = languageReader(options.language);
      const measure = (said: readonly string[], meant: readonly string[][], answer: Answer): number => {
        const stem = languageOf(answer) === "en" ? stemmer : null;
        return Math.max(...meant.map((words) => meteor(said.map(withoutStop), words.map(withoutStop), stem)));
      };
      return { kind: "pure", grade: referencesGrade(options, byWords("METEOR", options.words, measure)) };
    },
  }),
];

/** A word between spaces without the full stop behind it, which GLEU and METEOR do not count. */
const withoutStop = (word: string): string => word.replace(/\.+$/, "");

function byWords(
  name: string,
  kind: WordKind,
  measure: (said: readonly string[], meant: readonly string[][], answer: Answer) => number,
): ReferencesMeasure {
  return {
    name,
    lowerIsBetter: false,
    measure: (text, wanted, answer) => {
      const said = comparedWords(text, kind);
      const meant = wanted.map((each) => comparedWords(each, kind));
      const value = measure(
        said.words,
        meant.map(({ words }) => words),
        answer,
      );
      return { value, note: cutWordsNote([said, ...meant]) };
    },
  };
}
