import { falseAlarms, type TriesAsked } from "../../stats/planning/tries.ts";
import type { ReportGate } from "../shape/model.ts";
import { fit } from "../text/width.ts";
import { type KindWords, sizeWords } from "./kind-words.ts";
import { counted, number } from "./quantity.ts";

/** Words of a gate on rows that have to hold over repeats. */
export const casesWords: KindWords = {
  claim({ gate }, where) {
    const { state, candidate } = gate;
    const { pass, of } = triesOfGate(gate);
    const asked = `at least ${pass} of ${of} tries of every case`;
    if (state === "regression") return `${candidate} does not pass ${asked} on ${where}`;
    return state === "pass"
      ? `${candidate} passes ${asked} on ${where}`
      : `It is not decided yet whether ${candidate} passes ${asked} on ${where}`;
  },
  figures: (gate) => ` (${sizeWords(gate)}); ${heldWords(gate)}`,
  bound: (gate) => {
    const { cases, failing, pass, of } = triesOfGate(gate);
    return `${number(failing)} of ${number(cases)} do not hold; limit ${pass} of ${of}`;
  },
  limit: (gate) => {
    const { failing, pass, of } = triesOfGate(gate);
    return ` (${number(failing)} below ${pass} of ${of} tries)`;
  },
  evidence: ({ gate }, sides) => `${heldWords(gate)}. ${sides}`,
  allows: () => ({ loss: 0, wasLost: false }),
  failing: (gate) => {
    const { cases, failing, pass, of } = triesOfGate(gate);
    return { cases: null, words: `${failing} of ${cases} below ${pass} of ${of} tries` };
  },
};

function triesOfGate({ tries }: ReportGate): NonNullable<ReportGate["tries"]> {
  return tries ?? { pass: 0, of: 0, cases: 0, held: 0, failing: 0, open: 0, rows: [] };
}

/** A sentence is not read to the end of a long list: report.json has more. */
const mostNamed = 8;
/** A key may be a whole question: so much of it tells which row is meant. */
const keyWidth = 60;

/** `2 of 40 cases do not hold, they passed fewer than 3 of 5 tries: g7, g12` */
function heldWords(gate: ReportGate): string {
  const { cases, failing, open, pass, of, rows } = triesOfGate(gate);
  const named = rows.slice(0, mostNamed);
  const more = failing > named.length ? ` and ${number(failing - named.length)} more` : "";
  const which = `${named.map((name) => fit(name, keyWidth)).join(", ")}${more}`;
  const not = `${number(failing)} of ${counted(cases, "case")} ${failing === 1 ? "does" : "do"} not hold (fewer than ${pass} of ${of} tries pass): ${which}`;
  const left = open === 0 ? "" : `${number(open)} of ${counted(cases, "case")} ${open === 1 ? "is" : "are"} open`;
  if (failing > 0) return left === "" ? not : `${not}; ${left}`;
  return left === "" ? `all ${number(cases)} hold (${pass} of ${of} tries or more pass)` : left;
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
