import { z } from "zod";
import { rougeL, rougeN, type Overlap } from "../../text/measures.ts";
import type { WordKind } from "../../text/tokens.ts";
import { squadExact, squadF1 } from "../../text/squad.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { measureSelectionKeys, nameOf, textReader } from "../contract/text-selection.ts";
import { comparedWords, cutWordsNote, wordsKey } from "./compared-words.ts";
import { boundedMetric, measureGrade, measureKeys, type Measure } from "./measure.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { languageKey, languageReader, prepareWords } from "./case-language.ts";
import { orExpected, expectedText } from "../contract/expected.ts";

const articles = languageKey("Language whose articles are left out");

const exactKeys = { ...measureSelectionKeys, value: orExpected, not: notKey, language: articles };

const rougeKeys = {
  ...measureKeys,
  of: z.enum(["f1", "precision", "recall"]).default("f1").describe("Which of its three numbers. Default: f1."),
  words: wordsKey,
};

/** Measures by the words that two texts share. */
export const overlapScorers = [
  defineScorer({
    type: "exact-match",
    family: "text",
    asks: { place: "words", of: "one" },
    about:
      "The text and the wanted one are the same by the rules of SQuAD: capital letters, punctuation, articles (of the case's language) and white space make no difference.",
    keys: exactKeys,
    examples: [
      { about: "another article", scorer: {}, expected: "the cat", answer: "A cat.", score: "passes" },
      {
        about: "a word more",
        scorer: {},
        expected: "The Eiffel Tower, in Paris",
        answer: "Eiffel tower is in paris",
        score: "fails",
      },
      { about: "Spanish articles", scorer: { language: "es" }, expected: "la torre", answer: "Torre", score: "passes" },
    ],
    prepare: ({ value, language }) => prepareWords(value, language),
    grade: exactGrade,
  }),
  defineScorer({
    type: "token-f1",
    family: "text",
    about:
      "F1 of the words that the text and the wanted one share, by the rules of SQuAD (no punctuation, articles or capital letters); 0 to 1.",
    keys: { ...measureKeys, language: articles },
    examples: [
      {
        about: "a word too many",
        scorer: { threshold: 0.8 },
        expected: "The Eiffel Tower, in Paris",
        answer: "Eiffel tower is in paris",
        score: { value: 0.888888888888889, pass: true },
      },
      {
        about: "Hindi",
        scorer: {},
        expected: "पुस्तकालय सोमवार को बंद है।",
        answer: "पुस्तकालय सोमवार को खुला है",
        score: { value: 0.8, pass: null },
      },
    ],
    metric: boundedMetric(0, 1),
    prepare: ({ value, language }) => prepareWords(value, language),
    grade: (options) => measureGrade(options, tokenF1(options.language)),
  }),
  defineScorer({
    type: "rouge-l",
    family: "text",
    isLikeness: true,
    about:
      "ROUGE-L: F1 by the longest sequence of words, with gaps, that both texts have in the same order; 0 to 1. Words in lower case, without stemming.",
    keys: rougeKeys,
    examples: [
      {
        about: "the example of its authors' package",
        scorer: {},
        expected: "The quick brown fox jumps over the lazy dog",
        answer: "The quick brown dog jumps on the log.",
        score: { value: 0.5882352941176471, pass: null },
      },
      {
        about: "its recall alone",
        scorer: { of: "recall", threshold: 0.5 },
        expected: "The quick brown fox jumps over the lazy dog",
        answer: "The quick brown dog jumps on the log.",
        score: { value: 0.5555555555555556, pass: true },
      },
    ],
    metric: boundedMetric(0, 1),
    grade: (options) => measureGrade(options, rouge("ROUGE-L", options, rougeL)),
  }),
  defineScorer({
    type: "rouge-n",
    family: "text",
    isLikeness: true,
    about:
      "ROUGE-1, ROUGE-2 ...: F1 of the sequences of n words that both texts have; 0 to 1. Words in lower case, without stemming.",
    keys: {
      ...rougeKeys,
      n: z.int().min(1).max(4).default(1).describe("Words in a sequence. Default: 1."),
    },
    examples: [
      {
        about: "single words",
        scorer: {},
        expected: "The quick brown fox jumps over the lazy dog",
        answer: "The quick brown dog jumps on the log.",
        score: { value: 0.7058823529411765, pass: null },
      },
      {
        about: "pairs of words",
        scorer: { n: 2, threshold: 0.3 },
        expected: "The quick brown fox jumps over the lazy dog",
        answer: "The quick brown dog jumps on the log.",
        score: { value: 0.26666666666666666, pass: false },
      },
    ],
    metric: boundedMetric(0, 1),
    grade: (options) => {
      const measure = (said: string[], meant: string[]): Overlap => rougeN(said, meant, options.n);
      return measureGrade(options, rouge(`ROUGE-${options.n}`, options, measure));
    },
  }),
];

function exactGrade(options: z.output<z.ZodObject<typeof exactKeys>>): (answer: Answer) => Score {
  const read = textReader(options);
  const wanted = expectedText(options.value);
  const languageOf = languageReader(options.language);
  return (answer) => {
    const value = wanted(answer);
    if (typeof value !== "string") return value;
    const text = read(answer) ?? "";
    const holds = squadExact(text, value, languageOf(answer));
    return verdict(
      holds,
      options.not,
      `${nameOf(options.on)} ${holds ? "is" : "is not"} ${quote(value)}${holds ? "" : `: ${quote(text)}`}`,
    );
  };
}

function tokenF1(language: string | undefined): Measure {
  const languageOf = languageReader(language);
  return {
    name: "token F1",
    lowerIsBetter: false,
    measure: (text, wanted, answer) => ({ value: squadF1(text, wanted, languageOf(answer)), note: "" }),
  };
}

function rouge(
  name: string,
  { of: part, words }: { of: keyof Overlap; words: WordKind },
  measure: (said: string[], meant: string[]) => Overlap,
): Measure {
  return {
    name: part === "f1" ? name : `the ${part} of ${name}`,
    lowerIsBetter: false,
    measure: (text, wanted) => {
      const [said, meant] = [comparedWords(text, words), comparedWords(wanted, words)];
      return { value: measure(said.words, meant.words)[part], note: cutWordsNote([said, meant]) };
    },
  };
}
