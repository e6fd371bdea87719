import { falseAlarms, type TriesAsked } from "../../stats/planning/tries.ts";
import type { ReportGate } from "../shape/model.ts";
import type { KindWords } from "./kind-words.ts";
import { number } from "./quantity.ts";

/** Words of a gate on rows that have to hold over repeats. */
export const casesWords: KindWords = {
  bound: (gate) => {
    const { cases, failing, pass, of } = triesOfGate(gate);
    return `${number(failing)} of ${number(cases)} do not hold; limit ${pass} of ${of}`;
  },
  limit: (gate) => {
    const { failing, pass, of } = triesOfGate(gate);
    return ` (${number(failing)} below ${pass} of ${of} tries)`;
  },
  failing: (gate) => {
    const { cases, failing, pass, of } = triesOfGate(gate);
    return { cases: null, words: `${failing} of ${cases} below ${pass} of ${of} tries` };
  },
};

function triesOfGate({ tries }: ReportGate): NonNullable<ReportGate["tries"]> {
  return tries ?? { pass: 0, of: 0, cases: 0, held: 0, failing: 0, open: 0, rows: [] };
}

/** `By chance, with nothing changed: a row that passes 90 % of its tries fails this gate in 0.86 %, and of 40 such rows at least one does in 29 %; ...` */
export function falseAlarmWords(asked: TriesAsked, cases: number): string {
  const rows = falseAlarms(asked, cases).map(({ share, row, any }, place) => {
    const tries = `${Math.round(share * 100)} % of its tries`;
    return place === 0
      ? `a row that passes ${tries} fails this gate in ${chance(row)}, and of ${number(cases)} such rows at least one does in ${chance(any)}`
      : `one that passes ${tries} in ${chance(row)}, and at least one in ${chance(any)}`;
  });
  return `By chance, with nothing changed: ${rows.join("; ")}.`;
}

function chance(share: number): string {
  if (share <= 0) return "0 %";
  return share < 0.0001 ? "less than 0.01 %" : `${Number((share * 100).toPrecision(2))} %`;
}
