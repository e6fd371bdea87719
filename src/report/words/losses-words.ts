import type { ReportGate } from "../shape/model.ts";
import type { KindWords } from "./kind-words.ts";
import { number } from "./quantity.ts";

/** Words of a gate that counts cases which turn from pass to fail. */
export const lossesWords: KindWords = {
  bound(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return `${number(lost)} newly failing; limit ${number(allowed)}`;
  },
  limit(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return ` (${number(lost)} lost, ${number(allowed)} allowed)`;
  },
  failing(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return { cases: lost, words: `${lost} newly failing, ${allowed} allowed` };
  },
};

function countsOfGate({ losses }: ReportGate): NonNullable<ReportGate["losses"]> {
  return losses ?? { lost: 0, gained: 0, cases: 0, allowed: 0 };
}
