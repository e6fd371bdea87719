import type { Difference } from "../cases/case-change.ts";
import type { Side } from "../cases/case-side.ts";
import { shownSide } from "../cases/shown-side.ts";
import { isStructure } from "../cases/structure.ts";
import type { DifferentCase } from "./different-case.ts";
import type { PairCase } from "./pair-case.ts";
import { ranking } from "./ranking.ts";

/** Keeps the cases of a pair that a person should read first. */
export interface MostDifferent {
  add: (found: Pick<PairCase, "compared" | "from" | "to" | "difference">) => void;
  entries: () => DifferentCase[];
}

const mostShown = 20;

export function mostDifferent(): MostDifferent {
  const most = ranking<DifferentCase>(mostShown);
  return {
    add({ compared: { key }, from, to, difference }) {
      const { answerDiffers, distance, excess, change } = difference;
      const outcomeDiffers = difference.outcomeDiffers === true;
      const differs = answerDiffers === true || outcomeDiffers || (difference.members ?? []).some(isStructure);
      if (!differs || change === "not-compared") return;
      const rank = rankOf(from, to, difference);
      if (!most.admits(rank)) return;
      const sides = { baseline: shownSide(from), candidate: shownSide(to) };
      most.add(rank, { key, change, distance, excess, outcomeDiffers, ...sides });
    },
    entries: () => most.entries(),
  };
}

/** Errors first, then what passes on one side only, then by distance; an answer against none counts as entirely different. */
function rankOf(from: Side, to: Side, { change, excess, distance, outcomeDiffers }: Difference): number[] {
  const isError = change === "error-appeared" || change === "error-gone";
  const flips = from.expectedFound !== null && to.expectedFound !== null && from.expectedFound !== to.expectedFound;
  const beyond = change === "within-noise" ? 0 : 1;
  return [isError || outcomeDiffers === true ? 1 : 0, beyond, flips ? 1 : 0, excess ?? distance ?? 1];
}
