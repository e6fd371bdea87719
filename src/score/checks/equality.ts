import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import { canonicalJson, type JsonValue } from "../../lib/json.ts";
import { parseExactJson } from "../../text/json-in-text.ts";
import { caseless } from "../../text/fold.ts";
import { normalise } from "../../text/normalise.ts";
import { isOfTypography, plainTypography } from "../../text/typography.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, passScale, quote, verdict } from "../contract/finding.ts";
import { exactOf, selectionKeys, nameOf, textReader, valueReader } from "../contract/text-selection.ts";
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
      "Character by character. Default: false, normal forms of Unicode, invisible characters, the amount of white space, and how quotes, dashes, dots and full width are written make no difference.",
    ),
};

/** Compares a text with a wanted one in the form that some options ask for. */
function comparedBy(options: { ignore_case: boolean; exact: boolean }, compare: Compare): Compare {
  const { ignore_case: ignoreCase, exact } = options;
  const cased = ignoreCase ? caseless : (text: string): string => text;
  const asWritten: Compare = (text, wanted) => compare(cased(text), cased(wanted));
  if (exact) return asWritten;
  const marked = ignoreCase ? (text: string): string => caseless(normalise(text)) : normalise;
  const form = remembered((text) => cased(plainTypography(normalise(text))));
  return (text, wanted) => {
    if (!isOfTypography(wanted)) return compare(form(text), form(wanted));
    // A text of odd spaces alone has no form.
    return marked(wanted) === "" ? asWritten(text, wanted) : compare(marked(text), marked(wanted));
  };
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

const isSame: Compare = (text, wanted) => text === wanted;

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
  const wanted = expectedText(options.value, { ...options, whole: words.compare === isSame });
  const compare = comparedBy(options, words.compare);
  const what = nameOf(options.on);
  return (answer) => {
    const value = wanted(answer);
    if (typeof value !== "string") return value;
    const text = read(answer) ?? "";
    const holds = compare(text, value);
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
      { about: "an empty answer", scorer: { value: "" }, answer: { output_text: [] }, score: "passes" },
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
    compare: isSame,
  });
  const wanted = expectedText(options.value, { ...options, whole: true });
  const read = options.on === undefined ? returnValue : valueReader(options.on);
  return (answer) => {
    const value = read(answer);
    if (value === undefined || typeof value === "string") return asTexts(answer);
    const text = wanted(answer);
    const parsed = typeof text === "string" ? parseExactJson(text) : undefined;
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
  return record === null ? null : (valueOf(exactOf(record)) ?? null);
}

function oneOf(options: SeveralOptions): (answer: Answer) => Score {
  const what = nameOf(options.on);
  return severalGrade(options, isSame, ({ text, values, holds }) => {
    const found = values.find(holds);
    if (found !== undefined) return verdict(true, options.not, `${what} is ${quote(found)}`);
    return verdict(false, options.not, `${what} is none of ${values.map(quote).join(", ")}${gotText(text)}`);
  });
}

type SeveralOptions = Omit<PlainOptions, "value"> & { value?: z.infer<typeof valuesKey> | undefined };

/** A text and the texts that it is compared with, at least one; `holds` compares it with one of them. */
interface HeldAgainst {
  text: string;
  values: string[];
  holds: (value: string) => boolean;
}

/** Grades a text compared with several; an answer without expected text is unscored. */
export function severalGrade(
  options: SeveralOptions,
  compare: Compare,
  grade: (held: HeldAgainst) => Score,
): (answer: Answer) => Score {
  const read = textReader(options);
  const wanted = expectedTexts(options.value, options);
  const compared = comparedBy(options, compare);
  return (answer) => {
    const values = wanted(answer);
    if (!Array.isArray(values)) return values;
    const text = read(answer) ?? "";
    return grade({ text, values, holds: (value) => compared(text, value) });
  };
}
