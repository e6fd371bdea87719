import type { ReportSummary, ReportTagMap } from "../shape/model.ts";
import { worstSegments } from "./segment-decision.ts";
import { decidedByPeople } from "../words/people-words.ts";
import { counted, number } from "../words/quantity.ts";
import { tagName } from "../words/tag-words.ts";
import { segmentWords } from "../words/segment-words.ts";

/** Number of places that a sentence names. */
const mostNamed = 2;

/**
 * Where a candidate got worse, in one sentence: `kind = typo: 22 of 24 cases got worse; of the other 141: 9`, or that no place is
 * surely worse. Labels of people are too few to say where: where they decide, the sentence says that it is the judge's view.
 */
export function tagMapWords(
  summary: Pick<ReportSummary, "slices" | "metrics" | "verdict" | "gates">,
  { candidate, metric, tags }: ReportTagMap,
): string {
  const places = worstSegments(summary, candidate).filter((segment) => segment.metric === metric);
  const isCorrected = summary.gates.some(
    (gate) => gate.candidate === candidate && gate.metric === metric && decidedByPeople(gate) !== null,
  );
  if (places.length === 0) {
    const none = `o value of ${tags.map(tagName).join(" or ")}, and no pair of them, is surely worse`;
    return isCorrected ? `By the judge alone n${none}` : `N${none}`;
  }
  const named = places
    .slice(0, mostNamed)
    .map((place) => `${segmentWords(place)}: ${number(place.worse)} of ${counted(place.cases, "case")} got worse`);
  const [first, ...others] = places;
  const whole = summary.gates.find(
    (gate) => gate.candidate === candidate && gate.metric === metric && gate.slice === null,
  );
  const isAlone = others.length === 0 && first !== undefined && whole !== undefined && whole.cases > first.cases;
  const rest = isAlone
    ? [`of the other ${number(whole.cases - first.cases)}: ${number(whole.worse - first.worse)}`]
    : others.length >= mostNamed
      ? [`and ${number(places.length - mostNamed)} more`]
      : [];
  return `${isCorrected ? "By the judge alone, " : ""}${[...named, ...rest].join("; ")}`;
}
