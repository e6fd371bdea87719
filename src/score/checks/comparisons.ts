import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import { canonicalJson, type JsonValue } from "../../lib/json.ts";
import { parseExactJson } from "../../text/json-in-text.ts";
import { caseless } from "../../text/fold.ts";
import { normalise } from "../../text/normalise.ts";
import { isOfTypography, plainTypography } from "../../text/typography.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { selectionKeys, nameOf, textReader, valueReader } from "../contract/text-selection.ts";
import type { Answer, Score, ScorerType } from "../contract/scorer.ts";
import { orExpected, orExpectedTexts, expectedText, expectedTexts } from "../contract/expected.ts";

/** Options that bring two texts to one form before they are compared. */
const formKeys = {
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

type PlainOptions = z.output<z.ZodObject<typeof plainKeys>>;

/** Grades by one comparison of two texts in the same form. */
function plainGrade(options: PlainOptions, words: Comparison): (answer: Answer) => Score {
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

/** A comparison with one text, and the words for it in a reason. */
interface Comparison {
  does: string;
  doesNot: string;
  compare: Compare;
}

type Described = Pick<ScorerType<typeof plainKeys>, "type" | "about" | "examples"> &
  Required<Pick<ScorerType<typeof plainKeys>, "asks">>;

const containment: Comparison = {
  does: "contains",
  doesNot: "does not contain",
  compare: (text, wanted) => text.includes(wanted),
};

const comparisons: readonly (Described & Comparison)[] = [
  {
    type: "equals",
    about: "The whole text is the wanted one.",
    asks: { place: "whole", of: "one" },
    does: "equals",
    doesNot: "does not equal",
    compare: isSame,
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
  },
  {
    type: "starts-with",
    about: "The text begins with the wanted one.",
    asks: { place: "start", of: "one" },
    does: "begins with",
    doesNot: "does not begin with",
    compare: (text, wanted) => text.startsWith(wanted),
    examples: [
      { about: "a greeting", scorer: { value: "नमस्ते" }, answer: "नमस्ते! कैसे मदद करूँ?", score: "passes" },
      {
        about: "not at its beginning",
        scorer: { value: "Sorry", not: true },
        answer: "Sorry, I cannot.",
        score: "fails",
      },
    ],
  },
  {
    type: "ends-with",
    about: "The text ends with the wanted one.",
    asks: { place: "end", of: "one" },
    does: "ends with",
    doesNot: "does not end with",
    compare: (text, wanted) => text.endsWith(wanted),
    examples: [
      { about: "a closing question", scorer: { value: "?" }, answer: "Shall I go on?\n", score: "passes" },
      { about: "the expected answer", scorer: {}, expected: "ሰላም", answer: "ሰላም ነው", score: "fails" },
    ],
  },
  {
    type: "contains",
    about: "The wanted text stands somewhere in the text, with the same capital letters.",
    asks: { place: "within", of: "one" },
    ...containment,
    examples: [
      {
        about: "the expected answer of the case",
        scorer: {},
        expected: "5 rupees",
        answer: "It costs 5\nrupees a day.",
        score: "passes",
      },
      {
        about: "across a citation mark, when asked",
        scorer: { value: "5 rupees", clean: true },
        answer: "It costs 5 [1] rupees.",
        score: "passes",
      },
      {
        about: "in a member of an answer that is JSON",
        scorer: { value: "Rome", member: "$.city" },
        answer: '{"city": "Paris", "not": "Rome"}',
        score: "fails",
      },
      {
        about: "a text of the row",
        scorer: { value: "{{ row.city }}" },
        answer: "Not here",
        with: { case: { columns: { city: "Paris" } } },
        score: "fails",
      },
      {
        about: "another apostrophe",
        scorer: { value: "can't" },
        answer: "We can\u2019t say.",
        score: "passes",
      },
      {
        about: "a wanted text of such characters alone is exact",
        scorer: { value: "\u2014", not: true },
        answer: "well-known",
        score: "passes",
      },
      { about: "what must not be said", scorer: { value: "as an AI", not: true }, answer: "Hello!", score: "passes" },
      {
        about: "an empty answer contains nothing",
        scorer: { value: "x" },
        answer: { output_text: [] },
        score: "fails",
      },
    ],
  },
];

const severalKeys = { ...plainKeys, value: orExpectedTexts };

type Several = z.output<z.ZodObject<typeof severalKeys>>;

/** A comparison with several texts. */
interface ListComparison extends Described, Pick<ScorerType<typeof severalKeys>, "metric"> {
  compare: Compare;
  grade: (held: HeldAgainst, options: Several) => Score;
}

const listComparisons: readonly ListComparison[] = [
  {
    type: "one-of",
    about: "The whole text is one of the wanted ones.",
    asks: { place: "whole", of: "any" },
    compare: isSame,
    grade: isOneOf,
    examples: [
      { about: "a closed set", scorer: { value: ["yes", "no"], ignore_case: true }, answer: "Yes", score: "passes" },
      { about: "a list in the row", scorer: {}, expected: '["A", "B"]', answer: "C", score: "fails" },
    ],
  },
  {
    type: "contains-any",
    about: "At least one of the wanted texts stands in the text.",
    asks: { place: "within", of: "any" },
    compare: containment.compare,
    grade: hasAnyOf,
    examples: [
      { about: "two spellings", scorer: { value: ["colour", "color"] }, answer: "Any color.", score: "passes" },
      { about: "none of them", scorer: { value: ["red", "blue"] }, answer: "green", score: "fails" },
    ],
  },
  {
    type: "contains-all",
    about:
      "Every one of the wanted texts stands in the text. Its value is the share of them that does, and it passes at 1.",
    asks: { place: "within", of: "all" },
    compare: containment.compare,
    metric: () => ({ scale: { kind: "bounded", min: 0, max: 1 }, lowerIsBetter: false, passes: true }),
    grade: hasAllOf,
    examples: [
      {
        about: "all of them",
        scorer: { value: ["name", "address"] },
        answer: "your address and name",
        score: "passes",
      },
      {
        about: "one of two",
        scorer: { value: ["name", "address"] },
        answer: "your name",
        score: { value: 0.5, pass: false },
      },
    ],
  },
];

/** Scorers that look for wanted texts. */
export const comparisonScorers = [
  ...comparisons.map(({ type, about, asks, examples, ...words }) =>
    defineScorer({
      type,
      family: "plain",
      about,
      asks,
      keys: plainKeys,
      examples,
      grade: (options) => (words.compare === isSame ? equalsGrade(options, words) : plainGrade(options, words)),
    }),
  ),
  defineScorer({
    type: "icontains",
    family: "plain",
    about: "The wanted text stands somewhere in the text; capital letters make no difference.",
    asks: { place: "within", of: "one" },
    keys: { ...selectionKeys, value: orExpected, not: notKey, exact: formKeys.exact },
    examples: [{ about: "in capitals", scorer: { value: "ΟΔΟΣ" }, answer: "οδος 5", score: "passes" }],
    grade: (options) => plainGrade({ ...options, ignore_case: true }, containment),
  }),
  ...listComparisons.map(({ grade, compare, ...described }) =>
    defineScorer({
      ...described,
      family: "plain",
      keys: severalKeys,
      grade: (options) => severalGrade(options, compare, (held) => grade(held, options)),
    }),
  ),
];

/** Texts by their form; what is no text (a number, an object, null) by the value that the wanted text has as JSON. */
function equalsGrade(options: PlainOptions, words: Comparison): (answer: Answer) => Score {
  const asTexts = plainGrade(options, words);
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
    const reason = `${nameOf(options.on)} ${holds ? words.does : words.doesNot} ${quote(canonicalJson(parsed))}`;
    return verdict(holds, options.not, holds ? reason : `${reason}: ${found}`);
  };
}

/** The value that a function returned; undefined for an answer that is a text. */
function returnValue({ endpoint, record }: Answer): JsonValue | undefined {
  const { answersWith, valueOf } = endpointOf(endpoint);
  if (answersWith === "text") return undefined;
  return record === null ? null : (valueOf(record.output) ?? null);
}

/** A text and the texts that it is compared with, at least one; `holds` compares it with one of them. */
interface HeldAgainst {
  text: string;
  values: string[];
  holds: (value: string) => boolean;
}

/** Grades a text compared with several; an answer without expected text is unscored. */
function severalGrade(
  options: Several,
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

function isOneOf({ text, values, holds }: HeldAgainst, options: Several): Score {
  const what = nameOf(options.on);
  const found = values.find(holds);
  if (found !== undefined) return verdict(true, options.not, `${what} is ${quote(found)}`);
  return verdict(false, options.not, `${what} is none of ${values.map(quote).join(", ")}${gotText(text)}`);
}

function hasAnyOf({ text, values, holds }: HeldAgainst, options: Several): Score {
  const what = nameOf(options.on);
  const found = values.find(holds);
  if (found !== undefined) return verdict(true, options.not, `${what} contains ${quote(found)}`);
  return verdict(false, options.not, `${what} contains none of ${values.map(quote).join(", ")}${gotText(text)}`);
}

function hasAllOf({ text, values, holds }: HeldAgainst, options: Several): Score {
  const what = nameOf(options.on);
  const missing = values.filter((value) => !holds(value));
  const share = (values.length - missing.length) / values.length;
  const reason =
    missing.length === 0
      ? `${what} contains ${values.length === 1 ? "the wanted text" : `all ${values.length} wanted texts`}`
      : `${what} lacks ${missing.map(quote).join(", ")}${gotText(text)}`;
  return { value: options.not ? 1 - share : share, pass: (missing.length === 0) !== options.not, reason };
}
