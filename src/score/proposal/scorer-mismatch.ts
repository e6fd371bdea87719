import type { EndpointName } from "../../api/endpoint-name.ts";
import type { ScorerSpec } from "../contract/spec.ts";
import { type Expectations, type ExpectedKind, kindOf, kindText } from "./kind.ts";
import { scorerOfType } from "../registry.ts";
import { answerWithValues, type Proposal, proposedScorers } from "./proposal.ts";

/** A scorer that was chosen and visibly does not fit the expected answers. */
export interface Misfit {
  /** Place in the suite. */
  place: number;
  /** The reason, as a sentence that begins with its name. */
  message: string;
  better: Proposal;
}

/** The scorers of a suite that visibly do not fit what is expected, each with one that does. Those with a `value` of their own compare with that. */
export function mismatches(
  specs: readonly ScorerSpec[],
  expected: Expectations,
  asked: readonly EndpointName[],
): Misfit[] {
  const kind = kindOf(expected);
  const [better] = proposedScorers(expected, asked);
  if (kind === null || better === undefined) return [];
  return specs.flatMap((spec, place) => {
    if (spec.options["value"] !== undefined || spec.when !== null || spec.type === better.type) return [];
    const why = whyNot(spec, { kind, expected, areValues: answerWithValues(asked) });
    if (why === null) return [];
    return [{ place, message: `${nameOf(spec)} ${why}`, better }];
  });
}

const nameOf = ({ name, type }: ScorerSpec): string => (name === type ? type : `${name} (${type})`);

interface Chosen {
  kind: ExpectedKind;
  expected: Expectations;
  areValues: boolean;
}

/** The reason why a scorer does not fit; null where it may. */
function whyNot({ type, primary }: ScorerSpec, { kind, expected, areValues }: Chosen): string | null {
  const are = `the expected answers are ${kindText(kind, expected)}`;
  if (type === "return-value") return areValues ? null : "grades what a function returns, and no function is asked";
  if (type === "numeric" && expected.digits < expected.texts / 2) {
    const without = expected.texts - expected.digits;
    return `asks for a number, and ${without} of ${expected.texts} expected answers have none: they are not graded`;
  }
  const { asks = null, isLikeness = false } = scorerOfType(type) ?? {};
  const asksForText = asks !== null && asks.of !== "any";
  if (kind === "sentences" && !areValues && asks !== null) {
    return `asks for the whole text, and ${are}: a good answer in other words fails`;
  }
  if (kind === "json" && asksForText && (!areValues || (asks.place === "within" && asks.of === "one"))) {
    return `asks for the text as it is written, and ${are}: the same value with other spaces fails`;
  }
  if (kind === "lists" && asks?.of === "one" && !areValues) {
    return `asks for the text as it is written, and ${are}: no answer holds the brackets`;
  }
  if ((kind === "numbers" || kind === "labels") && primary && isLikeness) {
    return `measures how alike two texts are, and ${are}: a right answer in a sentence is far from them`;
  }
  return null;
}
