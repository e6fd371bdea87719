import { type Part, partScorer, type ScorerKit } from "./part.ts";

const fence = "Here you are:\n<order><item>tea</item></order>\nAnything else?";

/** Scorers that say whether an answer is XML or HTML. */
export const markupPart = {
  name: "markup",
  scorers: [
    partScorer(
      ({ z, selectionKeys, notKey }: ScorerKit) => ({
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
      }),
      {
        type: "is-xml",
        family: "plain",
        about:
          "The text is one well-formed XML document. Nothing is loaded for it, and a DTD with declarations of its own is refused; longer texts than a million characters are unscored.",
        examples: [
          { about: "a document", scorer: {}, answer: "<order><item>tea</item></order>", score: "passes" },
          { about: "a tag that is not closed", scorer: {}, answer: "<order><item>tea</order>", score: "fails" },
          {
            about: "among prose, when asked, with an element in it",
            scorer: { within: true, elements: ["order.item"] },
            answer: fence,
            score: "passes",
          },
          {
            about: "an element is missing",
            scorer: { elements: ["order.price"] },
            answer: "<order><item/></order>",
            score: "fails",
          },
        ],
        load: async () => (await import("../score/checks/markup.ts")).xmlScorer,
      },
    ),
    partScorer(
      ({ z, selectionKeys, notKey }: ScorerKit) => ({
        ...selectionKeys,
        within: z
          .boolean()
          .default(false)
          .describe(
            "Enough when there are signs of HTML in the text: a known tag, a pair of tags, a doctype, or two of a single tag, an entity, a comment and an attribute. Default: false.",
          ),
        not: notKey,
      }),
      {
        type: "is-html",
        family: "plain",
        about:
          "The text is HTML from its beginning to its end, as browsers read it: no text outside of its elements, and an element that HTML knows. Longer texts than a million characters are unscored.",
        examples: [
          { about: "a fragment", scorer: {}, answer: "<h1>Hours</h1><p>9 to 17</p>", score: "passes" },
          { about: "text around it", scorer: {}, answer: "Sure: <p>9 to 17</p>", score: "fails" },
          {
            about: "text around it, when asked",
            scorer: { within: true },
            answer: "Sure: <p>9 to 17</p>",
            score: "passes",
          },
          { about: "no more than a sign", scorer: { within: true }, answer: "a < b and c > d", score: "fails" },
        ],
        load: async () => (await import("../score/checks/markup.ts")).htmlScorer,
      },
    ),
  ],
} satisfies Part;
