import { whereWords } from "./tag-words.ts";
import type { WatchStanding } from "../../compare/verdict/watch.ts";
import { counted, number } from "./quantity.ts";

/** Gates that are told while a run goes on; the others are as far or farther. */
const mostGates = 3;

/** The round in which cases are sent that are graded between rounds: `Stops when it is decided: round 2 sends up to 48 of 400 cases, ...` */
export function roundWords({ round, upTo, cases }: { round: number; upTo: number; cases: number }): string {
  return `Stops when it is decided: round ${round} sends up to ${number(upTo)} of ${counted(cases, "case")}, then they are graded`;
}

/** The way of a run to its decision, or its end: `Stops when it is decided: after 80 cases correct is 62 % of the way`. */
export function decidingWords({ cases, gates }: WatchStanding, isDecided: boolean): string {
  if (isDecided) return `Decided after ${counted(cases, "case")}`;
  const open = gates.filter(({ share }) => share < 1).toSorted((one, other) => one.share - other.share);
  const reported = open.slice(0, mostGates).map(({ metric, slice: segment, share, candidate }) => {
    const who = gates.some((other) => other.candidate !== candidate) ? ` of ${candidate}` : "";
    return `${metric}${who}${whereWords(segment)} is ${Math.floor(100 * share)} % of the way`;
  });
  const more = open.length > mostGates ? `, and ${number(open.length - mostGates)} more` : "";
  if (reported.length === 0) return `Stops when it is decided: ${counted(cases, "case")} compared so far`;
  return `Stops when it is decided: after ${counted(cases, "case")} ${reported.join(", ")}${more}`;
}
