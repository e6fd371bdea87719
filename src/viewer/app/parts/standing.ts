import { byGravity, topWord } from "../../../compare/verdict-word.ts";
import type { ReportGate, ReportSummary } from "../../../report/shape/model.ts";

/** The gates that say most come first; those of one word stay in their order. */
export function gatesByGravity(gates: readonly ReportGate[]): ReportGate[] {
  return gates.toSorted((one, other) => {
    if (one.word === null || other.word === null) return Number(one.word === null) - Number(other.word === null);
    return byGravity(one.word, other.word);
  });
}

/** The candidate that a person should look at first: the one that was chosen, or that the verdict is about. */
export function firstCandidate({ pairs, candidates, gates, choice }: ReportSummary): number {
  const chosen = candidates.indexOf(choice?.cheapest?.named ?? choice?.named ?? "");
  if (chosen !== -1) return chosen;
  const word = topWord(pairs.flatMap((pair) => pair.word ?? []));
  const about = pairs.find((pair) => pair.word !== null && pair.word === word) ?? gatesByGravity(gates)[0];
  return Math.max(0, candidates.indexOf(about?.candidate ?? ""));
}
