import type { z } from "zod";
import { defineScorer } from "../contract/define.ts";
import { formKeys, gotText, plainGrade, severalGrade, type PlainOptions } from "./equality.ts";
import { notKey, passScale, quote, verdict } from "../contract/finding.ts";
import { selectionKeys, nameOf } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { orExpected, orExpectedTexts, prepareValue, type valuesKey } from "../contract/expected.ts";

const oneKeys = { ...selectionKeys, value: orExpected, not: notKey };
const severalKeys = { ...selectionKeys, value: orExpectedTexts, not: notKey, ...formKeys };

const holds = {
  does: "contains",
  doesNot: "does not contain",
  compare: (text: string, wanted: string) => text.includes(wanted),
};

export const containmentScorers = [
  defineScorer({
    type: "contains",
    family: "plain",
    about: "The wanted text stands somewhere in the text, with the same capital letters.",
    keys: { ...oneKeys, ...formKeys },
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
        with: {
          case: { key: "1", input: {}, expected: null, cluster: "1", turn: 1, tags: {}, columns: { city: "Paris" } },
        },
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
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({ kind: "pure", grade: plainGrade(options, holds) }),
  }),
  defineScorer({
    type: "icontains",
    family: "plain",
    about: "The wanted text stands somewhere in the text; capital letters make no difference.",
    keys: { ...oneKeys, exact: formKeys.exact },
    examples: [{ about: "in capitals", scorer: { value: "ΟΔΟΣ" }, answer: "οδος 5", score: "passes" }],
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({ kind: "pure", grade: plainGrade({ ...options, ignore_case: true }, holds) }),
  }),
  defineScorer({
    type: "contains-any",
    family: "plain",
    about: "At least one of the wanted texts stands in the text.",
    keys: severalKeys,
    examples: [
      { about: "two spellings", scorer: { value: ["colour", "color"] }, answer: "Any color.", score: "passes" },
      { about: "none of them", scorer: { value: ["red", "blue"] }, answer: "green", score: "fails" },
    ],
    metric: () => passScale,
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({ kind: "pure", grade: anyOf(options) }),
  }),
  defineScorer({
    type: "contains-all",
    family: "plain",
    about:
      "Every one of the wanted texts stands in the text. Its value is the share of them that does, and it passes at 1.",
    keys: severalKeys,
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
    metric: () => ({ scale: { kind: "bounded", min: 0, max: 1 }, lowerIsBetter: false, passes: true }),
    prepare: ({ value }) => prepareValue(value),
    make: (options) => ({ kind: "pure", grade: allOf(options) }),
  }),
];

type Several = Omit<PlainOptions, "value"> & { value?: z.infer<typeof valuesKey> | undefined };

function anyOf(options: Several): (answer: Answer) => Score {
  return foundGrade(options, (text, found, missing) => {
    const [first] = found;
    if (first !== undefined) return verdict(true, options.not, `${nameOf(options.on)} contains ${quote(first)}`);
    return verdict(
      false,
      options.not,
      `${nameOf(options.on)} contains none of ${missing.map(quote).join(", ")}${gotText(text)}`,
    );
  });
}

function allOf(options: Several): (answer: Answer) => Score {
  return foundGrade(options, (text, found, missing) => {
    const what = nameOf(options.on);
    const count = found.length + missing.length;
    const share = found.length / count;
    const pass = (missing.length === 0) !== options.not;
    const reason =
      missing.length === 0
        ? `${what} contains ${count === 1 ? "the wanted text" : `all ${count} wanted texts`}`
        : `${what} lacks ${missing.map(quote).join(", ")}${gotText(text)}`;
    return { value: options.not ? 1 - share : share, pass, reason };
  });
}

function foundGrade(
  options: Several,
  grade: (text: string, found: string[], missing: string[]) => Score,
): (answer: Answer) => Score {
  return severalGrade(options, holds.compare, ({ text, values, holds: isHeld }) => {
    const found = values.filter(isHeld);
    return grade(text, found, found.length === values.length ? [] : values.filter((value) => !found.includes(value)));
  });
}
