import { z } from "zod";
import { showText } from "../../lib/show.ts";
import { guardedPattern } from "../../text/pattern.ts";
import { defineScorer } from "../contract/define.ts";
import { gotText } from "./comparisons.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { selectionKeys, nameOf, textReader } from "../contract/text-selection.ts";
import type { Answer, OptionFault, Score } from "../contract/scorer.ts";

const patternKey = z
  .string()
  .min(1)
  .describe(
    "A JavaScript regular expression, looked for anywhere in the text unless ^ and $ tie it. It is always read with the flag u; \\w and \\b know English letters only, \\p{L} is a letter of any script.",
  );

const regexKeys = {
  ...selectionKeys,
  not: notKey,
  value: patternKey,
  flags: z
    .string()
    .regex(/^[imsv]*$/, { error: "must be some of i, m, s and v" })
    .default("")
    .describe(
      "i: capital letters make no difference; m: ^ and $ match at lines; s: . matches line ends; v: sets of sets. Default: none.",
    ),
};

export const regexScorers = [
  defineScorer({
    type: "regex",
    family: "plain",
    about:
      "A regular expression matches the text. One that takes too long (some patterns need years for some texts) ends as unscored after half a second.",
    keys: regexKeys,
    faults: ({ value, flags }) => [...placeholderFaults(value), ...patternFaults("value", value, flags)],
    examples: [
      { about: "a date", scorer: { value: "\\b\\d{4}-\\d{2}-\\d{2}\\b" }, answer: "Due 2026-11-21.", score: "passes" },
      {
        about: "letters of any script",
        scorer: { value: "^\\p{Script=Devanagari}+", flags: "i" },
        answer: "नमस्ते",
        score: "passes",
      },
      {
        about: "a pattern that would take years",
        scorer: { value: "^(\\w+\\s?)*$" },
        answer: `${"word ".repeat(30)}!`,
        score: { unscored: true },
      },
    ],
    grade: regexGrade,
  }),
];

function regexGrade(options: z.output<z.ZodObject<typeof regexKeys>>): (answer: Answer) => Score {
  const read = textReader(options);
  const pattern = guardedPattern(options.value.normalize("NFC"), options.flags);
  const what = nameOf(options.on);
  const shown = `/${options.value}/${options.flags}`;
  return (answer) => {
    const text = (read(answer) ?? "").normalize("NFC");
    const found = pattern.find(text);
    if (typeof found === "object" && found !== null) return { unscored: `${shown} on ${what}: ${found.gaveUp}` };
    if (found === null) return verdict(false, options.not, `${what} does not match ${shown}${gotText(text)}`);
    return verdict(true, options.not, `${what} matches ${shown} with ${quote(found)}`);
  };
}

/** A pattern is filled with nothing, and who writes `{{ expected }}` into one expects that it is. */
function placeholderFaults(pattern: string): OptionFault[] {
  const [found, inside = ""] = /\{\{-?\s*([\p{L}_][\p{L}\p{N}_.]*(?:\["[^"\]]*"\])?)\s*-?\}\}/u.exec(pattern) ?? [];
  if (found === undefined) return [];
  const meant = `\\{\\{ ${inside} \\}\\}`;
  return [
    {
      key: "value",
      message: `holds ${showText(found)}, and a regular expression is not filled from the row: use contains, icontains or equals, whose value may be a template, or write ${showText(meant)} for the characters themselves`,
    },
  ];
}

/** Faults of a regular expression at a key; empty when it is sound. */
export function patternFaults(key: string, pattern: string, flags: string): OptionFault[] {
  try {
    guardedPattern(pattern, flags);
    return [];
  } catch (cause) {
    return [{ key, message: `is not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}` }];
  }
}
