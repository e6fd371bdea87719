import { whereWords } from "./tag-words.ts";
import type { ReportGate } from "../shape/model.ts";
import { type KindWords, sizeWords } from "./kind-words.ts";
import { capitalised, counted, number } from "./quantity.ts";

/** Words of a gate that counts cases which turn from pass to fail. */
export const lossesWords: KindWords = {
  claim({ gate }) {
    const { state, candidate, slice: segment } = gate;
    if (state !== "regression" && state !== "pass") return undefined;
    return `${candidate}${whereWords(segment)}`;
  },
  figures: (gate) => ` (${sizeWords(gate)}); ${lossWords(countsOfGate(gate))}`,
  bound(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return `${number(lost)} newly failing; limit ${number(allowed)}`;
  },
  limit(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return ` (${number(lost)} lost, ${number(allowed)} allowed)`;
  },
  evidence({ gate }, sides) {
    const { lost, gained, allowed, cases } = countsOfGate(gate);
    const more = gained === 0 ? "" : `, ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
    const gaps = gapWords(countsOfGate(gate));
    const why = gaps === null ? "" : `${capitalised(gaps)}. `;
    return `${number(lost)} of ${counted(cases, "row")} newly ${lost === 1 ? "fails" : "fail"}${more}; ${allowed === 0 ? "none" : `at most ${number(allowed)}`} may. ${why}${sides}`;
  },
  allows(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return { loss: allowed, wasLost: lost > 0 };
  },
  failing(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return { cases: lost, words: `${lost} newly failing, ${allowed} allowed` };
  },
};

function countsOfGate({ losses }: ReportGate): NonNullable<ReportGate["losses"]> {
  return losses ?? { lost: 0, gained: 0, cases: 0, allowed: 0 };
}

/** `3 cases newly fail, 0 allowed; 1 newly passes` */
function lossWords(counts: NonNullable<ReportGate["losses"]>): string {
  const { lost, gained, allowed } = counts;
  const back = gained === 0 ? "" : `; ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
  const gaps = gapWords(counts);
  const why = gaps === null ? "" : `; ${gaps}`;
  return `${counted(lost, "case")} newly ${lost === 1 ? "fails" : "fail"}, ${number(allowed)} allowed${back}${why}`;
}

/** `3 of them have no answer`, `1 of them is not graded`: rows that are lost although no answer is wrong; null: none is. */
function gapWords({ lost, unanswered = 0, ungraded = 0 }: NonNullable<ReportGate["losses"]>): string | null {
  const of = (rows: number, one: string, more: string): string[] => {
    if (rows === 0) return [];
    return [lost === 1 ? `it ${one}` : `${number(rows)} of them ${rows === 1 ? one : more}`];
  };
  const parts = [
    ...of(unanswered, "has no answer", "have no answer"),
    ...of(ungraded, "is not graded", "are not graded"),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}
