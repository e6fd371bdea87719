import { z } from "zod";
import { showText } from "../../lib/show.ts";
import { cleanAnswer } from "../../text/clean.ts";
import { foldCase } from "../../text/fold.ts";
import { isInLanguage, knownLanguages, languageOf } from "../../text/language.ts";
import { normalise } from "../../text/normalise.ts";
import { plainTypography } from "../../text/typography.ts";
import { refusalPhrases, refusalSentences } from "../../text/refusal-phrases.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { selectionKeys, measureSelectionKeys, nameOf, textReader } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { languageColumns, saidLanguage } from "./case-language.ts";
import { expectedText } from "../contract/expected.ts";

const languageKeys = {
  ...measureSelectionKeys,
  value: z
    .string()
    .optional()
    .describe(
      "The language that is wanted: a code such as hi or pt-BR, an English name, or a template. Default: the case's tag or column language, else the language of what was expected, else that of the question.",
    ),
  not: notKey,
};

const refusalKeys = {
  ...selectionKeys,
  phrases: z
    .array(z.string().regex(/\S/))
    .default([])
    .describe("Further phrases that mean a refusal, in any capital letters. Default: none."),
  known: z
    .boolean()
    .default(true)
    .describe("Look for the phrases that are known of many languages too. Default: true."),
  within: z
    .int()
    .min(1)
    .default(400)
    .describe("Look at so many characters from the beginning: who refuses, begins with it. Default: 400."),
  not: notKey,
};

/** Scorers of what language an answer is in, and whether it is a refusal. */
export const languageScorers = [
  defineScorer({
    type: "language-of-answer",
    family: "service",
    about: `The answer is in the language that is wanted, by its script and, among languages of one script, by its commonest words. Where it cannot be recognised (a number, a name) it is unscored. Known: ${knownLanguages.join(", ")}.`,
    keys: languageKeys,
    examples: [
      { about: "Hindi", scorer: { value: "hi" }, answer: "पुस्तकालय सोमवार को बंद है।", score: "passes" },
      {
        about: "the language of the case",
        scorer: {},
        answer: "The library is closed.",
        with: { case: { tags: { language: "sw" } } },
        score: "fails",
      },
      { about: "too little", scorer: { value: "en" }, answer: "42", score: { unscored: true } },
    ],
    columns: ({ value }) => (value === undefined ? languageColumns : []),
    grade: languageGrade,
  }),
  defineScorer({
    type: "refusal",
    family: "service",
    about: `The answer is a refusal: near its beginning stands one of the phrases that are known of ${Object.keys(refusalPhrases).length} languages, or one of your own. With not it passes when the bot did not refuse.`,
    keys: refusalKeys,
    examples: [
      { about: "in English", scorer: {}, answer: "I’m sorry, but I can’t help with that.", score: "passes" },
      { about: "in Swahili", scorer: {}, answer: "Samahani, siwezi kukusaidia na hilo.", score: "passes" },
      {
        about: "what should not be refused",
        scorer: { not: true },
        answer: "The library opens at nine.",
        score: "passes",
      },
      {
        about: "a phrase of one's own",
        scorer: { phrases: ["ask a librarian"], known: false },
        answer: "Please Ask a librarian.",
        score: "passes",
      },
    ],
    grade: refusalGrade,
  }),
];

function languageGrade(options: z.output<z.ZodObject<typeof languageKeys>>): (answer: Answer) => Score {
  const read = textReader(options);
  const wanted = options.value === undefined ? languageOfCase : expectedText(options.value);
  const what = nameOf(options.on);
  return (answer) => {
    const language = wanted(answer);
    if (typeof language !== "string") return language;
    const text = read(answer) ?? "";
    const reported = isInLanguage(text, language);
    if (reported === "unknown")
      return { unscored: `the language ${showText(language)} is none of those that are known` };
    const found = reported.found.language ?? `an unknown language in ${reported.found.script ?? "no"} script`;
    if (reported.holds === null) return { unscored: `the language of ${what} could not be recognised: ${quote(text)}` };
    return verdict(
      reported.holds,
      options.not,
      `${what} is in ${reported.holds ? language : found}${reported.holds ? "" : `, and not in ${language}`}`,
    );
  };
}

function languageOfCase(answer: Answer): string | { unscored: string } {
  const reported = saidLanguage(answer);
  if (reported !== "") return reported;
  const { expected, input } = answer.case;
  const question = input["input_prompt"];
  for (const text of [expected, question]) {
    const language = typeof text === "string" ? languageOf(text).language : null;
    if (language !== null) return language;
  }
  return { unscored: "the scorer names no language, and the case tells none" };
}

function refusalGrade(options: z.output<z.ZodObject<typeof refusalKeys>>): (answer: Answer) => Score {
  const read = textReader(options);
  const known = options.known ? Object.values(refusalPhrases).flat() : [];
  const phrases = [...known, ...options.phrases].map(formOf);
  return (answer) => {
    const beginning = formOf(cleanAnswer(read(answer) ?? "").slice(0, options.within));
    const sentence = options.known
      ? refusalSentences.map((each) => each.exec(beginning)?.[0]).find(Boolean)
      : undefined;
    const found = phrases.find((phrase) => beginning.includes(phrase)) ?? sentence;
    return verdict(
      found !== undefined,
      options.not,
      found === undefined ? "it has no phrase of a refusal" : `it says ${quote(found)}`,
    );
  };
}

/** Apostrophes are written in several ways. */
const formOf = (text: string): string => foldCase(plainTypography(normalise(text)));
