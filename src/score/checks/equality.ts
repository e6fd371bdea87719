import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import { canonicalJson } from "../../lib/json.ts";
import type { JsonValue } from "../../lib/json.ts";
import { parseJson } from "../../text/json-in-text.ts";
import { caseless } from "../../text/fold.ts";
import { normalise } from "../../text/normalise.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, passScale, quote, verdict } from "../contract/finding.ts";
import { selectionKeys, nameOf, textReader, valueReader } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import {
  orExpected,
  orExpectedTexts,
  prepareValue,
  type valuesKey,
  expectedText,
  expectedTexts,
} from "../contract/expected.ts";

/** Options that bring two texts to one form before they are compared. */
export const formKeys = {
  ignore_case: z.boolean().default(false).describe("Small and capital letters are alike. Default: false."),
  exact: z
    .boolean()
    .default(false)
    .describe(
      "Character by character. Default: false, normal forms of Unicode, invisible characters and the amount of white space make no difference.",
    ),
};

/** Brings a text to the form in which it is compared. */
function formOf(options: { ignore_case: boolean; exact: boolean }): (text: string) => string {
  const { ignore_case: ignoreCase, exact } = options;
  if (exact) return ignoreCase ? caseless : (text) => text;
  return ignoreCase ? remembered((text) => caseless(normalise(text))) : remembered(normalise);
}

/** The same function, which knows its last texts again: what is wanted is often the same, and answers are looked at in turn. */
function remembered(form: (text: string) => string): (text: string) => string {
  let [first, second] = [
    { text: "", formed: form("") },
    { text: "", formed: form("") },
  ];
  return (text) => {
    if (text === first.text) return first.formed;
    if (text === second.text) {
      [first, second] = [second, first];
      return first.formed;
    }
    [first, second] = [{ text, formed: form(text) }, first];
    return first.formed;
  };
}

const plainKeys = { ...selectionKeys, value: orExpected, not: notKey, ...formKeys };

type Compare = (text: string, wanted: string) => boolean;

/** Options of a scorer that compares a text with one other. */
export interface PlainOptions {
  on?: string | undefined;
  clean: boolean;
  value?: string | number | boolean | undefined;
  not: boolean;
  ignore_case: boolean;
  exact: boolean;
}

/** Grades by one comparison of two texts in the same form; `does` and `does not` are words for the reason. */
export function plainGrade(
  options: PlainOptions,
  words: { does: string; doesNot: string; compare: Compare },
): (answer: Answer) => Score {
  const read = textReader(options);
  const wanted = expectedText(options.value);
  const form = formOf(options);
  const what = nameOf(options.on);
  return (answer) => {
    const value = wanted(answer);
    if (typeof value !== "string") return value;
    const text = read(answer) ?? "";
    const holds = words.compare(form(text), form(value));
    return verdict(
      holds,
      options.not,
      `${what} ${holds ? words.does : words.doesNot} ${quote(value)}${holds ? "" : gotText(text)}`,
    );
  };
}

/** The text that was found instead, for the end of a reason. */
export function gotText(text: string): string {
  return text === "" ? ": there is no text" : `: ${quote(text)}`;
}

export const equalityScorers = [
  defineScorer({
    type: "equals",
    family: "plain",
    about: "The whole text is the wanted one.",
    keys: plainKeys,
    examples: [
      {
        about: "white space around it makes no difference",
        scorer: { value: "Paris" },
        answer: " Paris\n",
        score: "passes",
      },
      {
        about: "the expected answer of the case",
        scorer: {},
        expected: "क़लम",
        answer: "\u0915\u093c\u0932\u092e",
        score: "passes",
      },
      { about: "another case is another text", scorer: { value: "paris" }, answer: "Paris", score: "fails" },
      {
        about: "unless asked otherwise",
        scorer: { value: "paris", ignore_case: true },
        answer: "Paris",
        score: "passes",
      },
      { about: "a case without expected answer", scorer: {}, answer: "Paris", score: { unscored: true } },
    ],
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({ kind: "pure", grade: equalsGrade(options) }),
  }),
  defineScorer({
    type: "starts-with",
    family: "plain",
    about: "The text begins with the wanted one.",
    keys: plainKeys,
    examples: [
      { about: "a greeting", scorer: { value: "नमस्ते" }, answer: "नमस्ते! कैसे मदद करूँ?", score: "passes" },
      {
        about: "not at its beginning",
        scorer: { value: "Sorry", not: true },
        answer: "Sorry, I cannot.",
        score: "fails",
      },
    ],
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({
      kind: "pure",
      grade: plainGrade(options, {
        does: "begins with",
        doesNot: "does not begin with",
        compare: (text, wanted) => text.startsWith(wanted),
      }),
    }),
  }),
  defineScorer({
    type: "ends-with",
    family: "plain",
    about: "The text ends with the wanted one.",
    keys: plainKeys,
    examples: [
      { about: "a closing question", scorer: { value: "?" }, answer: "Shall I go on?\n", score: "passes" },
      { about: "the expected answer", scorer: {}, expected: "ሰላም", answer: "ሰላም ነው", score: "fails" },
    ],
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({
      kind: "pure",
      grade: plainGrade(options, {
        does: "ends with",
        doesNot: "does not end with",
        compare: (text, wanted) => text.endsWith(wanted),
      }),
    }),
  }),
  defineScorer({
    type: "one-of",
    family: "plain",
    about: "The whole text is one of the wanted ones.",
    keys: { ...plainKeys, value: orExpectedTexts },
    examples: [
      { about: "a closed set", scorer: { value: ["yes", "no"], ignore_case: true }, answer: "Yes", score: "passes" },
      { about: "a list in the row", scorer: {}, expected: '["A", "B"]', answer: "C", score: "fails" },
    ],
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({ kind: "pure", grade: oneOf(options) }),
  }),
];

/** Texts by their form; what is no text (a number, an object, null) by the value that the wanted text has as JSON. */
function equalsGrade(options: PlainOptions): (answer: Answer) => Score {
  const asTexts = plainGrade(options, {
    does: "equals",
    doesNot: "does not equal",
    compare: (text, wanted) => text === wanted,
  });
  const wanted = expectedText(options.value);
  const read = options.on === undefined ? returnValue : valueReader(options.on);
  return (answer) => {
    const value = read(answer);
    if (value === undefined || typeof value === "string") return asTexts(answer);
    const text = wanted(answer);
    const parsed = typeof text === "string" ? parseJson(text) : undefined;
    if (parsed === undefined || typeof parsed === "string") return asTexts(answer);
    const holds = canonicalJson(parsed) === canonicalJson(value);
    const found = quote(canonicalJson(value));
    const reason = `${nameOf(options.on)} ${holds ? "equals" : "does not equal"} ${quote(canonicalJson(parsed))}`;
    return verdict(holds, options.not, holds ? reason : `${reason}: ${found}`);
  };
}

/** The value that a function returned; undefined for an answer that is a text. */
function returnValue({ endpoint, record }: Answer): JsonValue | undefined {
  const { answersWith, valueOf } = endpointOf(endpoint);
  if (answersWith === "text") return undefined;
  return record === null ? null : (valueOf(record.output) ?? null);
}

function oneOf(options: SeveralOptions): (answer: Answer) => Score {
  const what = nameOf(options.on);
  return severalGrade(options, ({ text, formed, values, form }) => {
    const found = values.find((value) => form(value) === formed);
    if (found !== undefined) return verdict(true, options.not, `${what} is ${quote(found)}`);
    return verdict(false, options.not, `${what} is none of ${values.map(quote).join(", ")}${gotText(text)}`);
  });
}

type SeveralOptions = Omit<PlainOptions, "value"> & { value?: z.infer<typeof valuesKey> | undefined };

/** A text and the texts that it is compared with, at least one; `form` brings a text to the form of `formed`. */
interface HeldAgainst {
  text: string;
  formed: string;
  values: string[];
  form: (text: string) => string;
}

/** Grades a text compared with several; an answer without expected text is unscored. */
export function severalGrade(options: SeveralOptions, grade: (held: HeldAgainst) => Score): (answer: Answer) => Score {
  const read = textReader(options);
  const wanted = expectedTexts(options.value);
  const form = formOf(options);
  return (answer) => {
    const values = wanted(answer);
    if (!Array.isArray(values)) return values;
    const text = read(answer) ?? "";
    return grade({ text, formed: form(text), values, form });
  };
}
