import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { type Expectations, kindOf, kindText } from "./kind.ts";

/** A scorer that fits the expected answers, and why. */
export interface Proposal {
  /** Its name in a suite: `correct` says right or wrong, `similar` how alike two texts are. */
  name: string;
  type: string;
  /** Its keys beside the type, as YAML writes them in braces; empty: none. */
  keys: string;
  /** The reason, in two sentences: the expected answers as they are, and the question that is asked of an answer. */
  because: string;
  asks: string;
}

/**
 * The scorers that fit the expected answers, the best by their form first; none without expected answers. A text
 * does not show if it was copied from what the bot says or put in other words: there the second is the other choice.
 */
export function proposedScorers(expected: Expectations, asked: readonly EndpointName[]): Proposal[] {
  const kind = kindOf(expected);
  if (kind === null) return [];
  if (answerWithValues(asked)) return [ofFunction];
  const because = `The expected answers are ${kindText(kind, expected)}.`;
  switch (kind) {
    case "json":
      return [{ ...sameJson, because }];
    case "lists":
      return [{ ...holdsOne, because }];
    case "numbers":
      return [{ ...sameNumber, because }];
    case "labels":
      return [
        { ...isLabel, because },
        { ...(areFoundInside(expected.labels ?? []) ? beginsWithIt : holdsIt), because },
      ];
    case "words":
    case "phrases":
      return [
        { ...holdsIt, because },
        { ...isAlike, because },
      ];
    case "sentences":
      return [
        { ...isAlike, because },
        { ...holdsIt, because },
      ];
  }
}

/**
 * A judge that says whether an answer means what was expected, as an entry of a suite; null where a scorer without a judge tells
 * as much. `asks`: the keys that say who is asked.
 */
export function proposedJudge(expected: Expectations, asked: readonly EndpointName[], asks: string): string | null {
  if (kindOf(expected) !== "sentences" || answerWithValues(asked)) return null;
  return scorerEntryText({ name: "same", type: "judge", keys: `rubric: same-meaning, ${asks}` });
}

/** Shorter ones stand in other words, as "no" does in "know". */
const shortestAlone = 4;

/** True for labels that may stand in a text without being said: short ones, and parts of each other. */
function areFoundInside(labels: readonly string[]): boolean {
  const folded = labels.map((label) => label.toLowerCase());
  return folded.some(
    (label) => label.length < shortestAlone || folded.some((other) => other !== label && other.includes(label)),
  );
}

/** The reason for a proposal, in two sentences. */
export const reasonFor = ({ because, asks }: Pick<Proposal, "because" | "asks">): string => `${because} ${asks}`;

/** True where every endpoint that is asked answers with a value, not with a text. */
export function answerWithValues(asked: readonly EndpointName[]): boolean {
  return asked.length > 0 && asked.every((name) => endpointOf(name).answersWith === "value");
}

/** As `--scorer` takes it: `icontains`, or a mapping in braces. */
export function scorerArgument({ type, keys }: Pick<Proposal, "type" | "keys">): string {
  return keys === "" ? type : `{ type: ${type}, ${keys} }`;
}

/** As an entry of `scorers` in a suite. */
export function scorerEntryText({ name, type, keys }: Pick<Proposal, "name" | "type" | "keys">): string {
  return `{ name: ${name}, type: ${type}${keys === "" ? "" : `, ${keys}`} }`;
}

type Asking = Omit<Proposal, "because">;

const ofFunction: Proposal = {
  name: "correct",
  type: "return-value",
  keys: "",
  because: "A function is asked.",
  asks: "It is right when it returns the expected value; both are read as JSON where they are JSON.",
};

const sameJson: Asking = {
  name: "correct",
  type: "json-path",
  keys: 'path: $, equals: "{{ expected }}", within: true',
  asks: "An answer with the same value is right, whatever its spaces and the order of its members.",
};

const holdsOne: Asking = {
  name: "correct",
  type: "contains-any",
  keys: "ignore_case: true",
  asks: "An answer that holds one of the texts is right.",
};

const sameNumber: Asking = {
  name: "correct",
  type: "numeric",
  keys: "",
  asks: "An answer with the same number is right, however it is written (1,234 or 1234).",
};

const isLabel: Asking = {
  name: "correct",
  type: "equals",
  keys: "ignore_case: true",
  asks: "An answer is right when it is the label and nothing else.",
};

const beginsWithIt: Asking = {
  name: "correct",
  type: "starts-with",
  keys: "ignore_case: true",
  asks: "An answer that begins with the label is right.",
};

const holdsIt: Asking = {
  name: "correct",
  type: "icontains",
  keys: "",
  asks: "An answer that holds the whole text is right.",
};

const isAlike: Asking = {
  name: "similar",
  type: "chrf",
  keys: "",
  asks: "A good answer may use other words: chrf measures how alike they are (0 to 100), and the values are compared without a threshold.",
};

/** True for a scorer that says right or wrong, and not how alike two texts are. */
export const saysRightOrWrong = ({ type }: Pick<Proposal, "type">): boolean => type !== isAlike.type;

/** True for the scorer of functions, which return the same value each time. */
export const isOfFunctions = ({ type }: Pick<Proposal, "type">): boolean => type === ofFunction.type;
