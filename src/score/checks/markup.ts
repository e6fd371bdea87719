import { z } from "zod";
import { hasHtml, htmlFault } from "../../text/markup/html.ts";
import { longestMarkup, readXml } from "../../text/markup/xml.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, passScale, verdict } from "../contract/finding.ts";
import { nameOf, selectionKeys, textReader } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";

const fence = "Here you are:\n<order><item>tea</item></order>\nAnything else?";

/** Scorers that say whether a text is XML or HTML. */
export const markupScorers = [
  defineScorer({
    type: "is-xml",
    family: "plain",
    about:
      "The text is one well-formed XML document. Nothing is loaded for it, and a DTD with declarations of its own is refused; longer texts than a million characters are unscored.",
    keys: {
      ...selectionKeys,
      within: z
        .boolean()
        .default(false)
        .describe("Take the XML that stands inside of the text, whatever is around it. Default: false."),
      elements: z
        .array(z.string().min(1))
        .default([])
        .describe(
          "Elements that must be there, by their path from the root: order.item, order.item.1 (the second one), order.item.@_id (its attribute). Default: none.",
        ),
      not: notKey,
    },
    examples: [
      { about: "a document", scorer: {}, answer: "<order><item>tea</item></order>", score: { value: 1, pass: true } },
      {
        about: "a tag that is not closed",
        scorer: {},
        answer: "<order><item>tea</order>",
        score: { value: 0, pass: false },
      },
      {
        about: "among prose, when asked, with an element in it",
        scorer: { within: true, elements: ["order.item"] },
        answer: fence,
        score: { value: 1, pass: true },
      },
      {
        about: "an element is missing",
        scorer: { elements: ["order.price"] },
        answer: "<order><item/></order>",
        score: { value: 0, pass: false },
      },
    ],
    metric: () => passScale,
    make: ({ within, elements, ...options }) => ({
      kind: "pure",
      grade: markupGrade(options, (text) => {
        const read = readXml(text, elements, within);
        if ("fault" in read) return read.fault;
        return read.missing.length === 0 ? null : `it has no ${read.missing.join(", ")}`;
      }),
    }),
  }),
  defineScorer({
    type: "is-html",
    family: "plain",
    about:
      "The text is HTML from its beginning to its end, as browsers read it: no text outside of its elements, and an element that HTML knows. Longer texts than a million characters are unscored.",
    keys: {
      ...selectionKeys,
      within: z
        .boolean()
        .default(false)
        .describe(
          "Enough when there are signs of HTML in the text: a known tag, a pair of tags, a doctype, or two of a single tag, an entity, a comment and an attribute. Default: false.",
        ),
      not: notKey,
    },
    examples: [
      { about: "a fragment", scorer: {}, answer: "<h1>Hours</h1><p>9 to 17</p>", score: { value: 1, pass: true } },
      { about: "text around it", scorer: {}, answer: "Sure: <p>9 to 17</p>", score: { value: 0, pass: false } },
      {
        about: "text around it, when asked",
        scorer: { within: true },
        answer: "Sure: <p>9 to 17</p>",
        score: { value: 1, pass: true },
      },
      {
        about: "no more than a sign",
        scorer: { within: true },
        answer: "a < b and c > d",
        score: { value: 0, pass: false },
      },
    ],
    metric: () => passScale,
    make: ({ within, ...options }) => ({
      kind: "pure",
      grade: markupGrade(options, (text) =>
        !within ? htmlFault(text) : hasHtml(text) ? null : "there is no HTML in it",
      ),
    }),
  }),
];

function markupGrade(
  options: { on?: string | undefined; clean: boolean; not: boolean },
  faultOf: (text: string) => string | null,
): (answer: Answer) => Score {
  const read = textReader(options);
  const what = nameOf(options.on);
  return (answer) => {
    const text = read(answer) ?? "";
    if (text.length > longestMarkup)
      return { unscored: `${what} has more than ${longestMarkup.toLocaleString("en")} characters` };
    const fault = faultOf(text);
    return verdict(fault === null, options.not, `${what}: ${fault ?? "it is as it should be"}`);
  };
}
