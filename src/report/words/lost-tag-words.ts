import type { LostTag } from "../../compare/summary/lost-tags.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { capitalised, counted, number } from "./quantity.ts";
import { tagName } from "./tag-words.ts";

type ShownLost = Omit<LostTag, "place" | "isColumn" | "p">;

const mostNamed = 2;

/**
 * `All 4 rows with intent = refund that prod passed newly fail; 2 of its other 396 do`: a line for each candidate and metric.
 * `metric`: the one that the sentence before is about; `isAlone`: there is one candidate.
 */
export function lostTagWords(
  lost: readonly ShownLost[],
  { metric, isAlone }: { metric: string | null; isAlone: boolean },
): string[] {
  const groups = Map.groupBy(lost, (each) => JSON.stringify([each.candidate, each.metric]));
  return Array.from(groups.values(), (group) => groupWords(group, { metric, isAlone }));
}

function groupWords(
  group: readonly ShownLost[],
  { metric, isAlone }: { metric: string | null; isAlone: boolean },
): string {
  const [first] = group;
  if (first === undefined) return "";
  const named = group
    .slice(0, mostNamed)
    .map(
      ({ tag, value, lost }, place) =>
        `all ${place === 0 ? `${number(lost)} rows` : number(lost)} with ${tagName(tag)} = ${value}`,
    );
  const left = group.length - named.length;
  const list = [
    ...named,
    ...(left === 0 ? [] : [`all of ${counted(left, "more value of a tag", "more values of tags")}`]),
  ];
  const on = first.metric === metric ? "" : ` on \`${first.metric}\``;
  const who = isAlone ? "" : ` for ${first.candidate}`;
  return `${capitalised(sentenceList(list))} that ${first.baseline} passed newly fail${on}${who}${othersWords(first)}.`;
}

/** `; 2 of its other 396 do`; empty where it passed no other. */
function othersWords({ others: { passed, lost } }: ShownLost): string {
  if (passed === 0) return "";
  return `; ${lost === 0 ? "none" : number(lost)} of its other ${number(passed)} ${lost > 1 ? "do" : "does"}`;
}
