import type { ReportSummary, ReportTagMap } from "../shape/model.ts";
import { worsePlacesOf } from "./segment-decision.ts";
import { decidedByPeople } from "../say/people.ts";
import { counted, number } from "../say/quantity.ts";
import { tagName, segmentWords } from "../say/names.ts";

/**
 * Where a candidate got worse, in one sentence: `kind = typo: 22 of 24 cases got worse; of the other 141: 9`, or that no place is
 * surely worse. Labels of people are too few to say where: where they decide, the sentence says that it is the judge's view.
 */
export function tagMapWords(
  summary: Pick<ReportSummary, "places" | "verdict" | "gates">,
  { candidate, metric, tags }: ReportTagMap,
): string {
  const places = worsePlacesOf(summary, candidate).filter((place) => place.metric === metric);
  const isCorrected = summary.gates.some(
    (gate) => gate.candidate === candidate && gate.metric === metric && decidedByPeople(gate) !== null,
  );
  if (places.length === 0) {
    const none = `o value of ${tags.map(tagName).join(" or ")}, and no pair of them, is surely worse`;
    return isCorrected ? `By the judge alone n${none}` : `N${none}`;
  }
  const named = places.map(
    (place) => `${segmentWords(place)}: ${number(place.worse)} of ${counted(place.cases, "case")} got worse`,
  );
  const { rest } = places[0] ?? { rest: { cases: 0, worse: 0 } };
  if (rest.cases > 0) named.push(`of the other ${number(rest.cases)}: ${number(rest.worse)}`);
  return `${isCorrected ? "By the judge alone, " : ""}${named.join("; ")}`;
}
