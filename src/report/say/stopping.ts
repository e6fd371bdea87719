import { sentenceList } from "../../lib/sentence-list.ts";
import { whereWords } from "./names.ts";
import type { WatchStanding } from "../../compare/verdict/watch.ts";
import { counted, number, price, priceUnit } from "./quantity.ts";
import type { RaceSettings, RaceWatch } from "../../compare/choice/race-watch.ts";
import type { ReportChoice, ReportRace } from "../shape/choice.ts";
import type { ReportMetric } from "../shape/model.ts";
import { loss } from "./figures.ts";

/** Gates that are told while a run goes on; the others are as far or farther. */
const mostGates = 3;

/** The round in which cases are sent that are graded between rounds: `Stops when it is decided: round 2 sends up to 48 of 400 cases, ...` */
export function roundWords({ round, upTo, cases }: { round: number; upTo: number; cases: number }): string {
  return `Stops when it is decided: round ${round} sends up to ${number(upTo)} of ${counted(cases, "row")}, then they are graded`;
}

/** The way of a run to its decision, or its end: `Stops when it is decided: after 80 cases correct is 62 % of the way`. */
export function decidingWords({ cases, gates }: WatchStanding, isDecided: boolean): string {
  if (isDecided) return `Decided after ${counted(cases, "row")}`;
  const open = gates.filter(({ share }) => share < 1).toSorted((one, other) => one.share - other.share);
  const reported = open.slice(0, mostGates).map(({ metric, slice, share, candidate }) => {
    const who = gates.some((other) => other.candidate !== candidate) ? ` of ${candidate}` : "";
    return `${metric}${who}${whereWords(slice)} is ${Math.floor(100 * share)} % of the way`;
  });
  const more = open.length > mostGates ? `, and ${number(open.length - mostGates)} more` : "";
  if (reported.length === 0) return `Stops when it is decided: ${counted(cases, "row")} compared so far`;
  return `Stops when it is decided: after ${counted(cases, "row")} ${reported.join(", ")}${more}`;
}

const mostDropped = 5;

/**
 * The sentences on a race: its end, the targets that were dropped on the way, what was not sent, and how it goes on. `rest`: the way to
 * send it, as a sentence begins.
 */
export function raceWords(
  { cases }: Pick<ReportChoice, "cases">,
  {
    ended,
    after,
    of,
    dropped,
    spared,
    saved,
  }: Pick<ReportRace, "ended" | "after" | "of" | "dropped" | "spared" | "saved">,
  { rest, isOpen, unpriced }: { rest: string; isOpen: boolean; unpriced: string },
): string[] {
  const money = saved === null ? "" : ` (about ${price(saved)} saved, ${priceUnit}${unpriced})`;
  const them = spared === 1 ? "it" : "them";
  const unsent =
    spared === 0
      ? ""
      : `: ${counted(spared, "request")} ${spared === 1 ? "was" : "were"} not sent${money}. ${rest} sends ${them}`;
  const all = counted(of, "row");
  if (ended === null && !isOpen) {
    const now = `By the grades of now the race has no end after ${number(cases)} of ${all}`;
    return [`${now}${unsent}.`];
  }
  const end =
    ended === null
      ? `The race was interrupted after ${number(cases)} of ${all}`
      : ended === "all-asked"
        ? `The race went through all ${all}`
        : `The race ended after ${number(after ?? 0)} of ${all}`;
  const tail = isOpen && ended !== null ? `. The rest is not all sent. ${rest} sends it` : "";
  const names = dropped.slice(0, mostDropped).map(({ target }) => target);
  const left = dropped.length > mostDropped ? [...names, `${number(dropped.length - mostDropped)} more`] : names;
  return [
    `${end}${unsent}${tail}.`,
    ...(dropped.length === 0
      ? []
      : [
          `Surely behind, and asked no more: ${sentenceList(left)}. They left after bad luck, so their rates are too low.`,
        ]),
  ];
}

/** The end that a race is run for, and how to have the other one. */
export function racePurpose({ until, margin }: RaceSettings, about: ReportMetric): string {
  return until === "close"
    ? `A race: it ends once one is surely less than ${loss(margin, about)} behind the best of the others (\`race: close\`); \`race: best\` continues until one is left.`
    : "A race: it ends when one is left (`race: best`); `race: close` ends with one that is close enough.";
}

/** The way of a race while it goes on: `Race: 3 of 8 are left after 80 cases`. */
export function racingWords(watch: Pick<RaceWatch, "cases" | "droppedAfter" | "hasEnded">): string {
  const all = watch.droppedAfter();
  const left = all.filter((at) => at === null).length;
  const after = counted(watch.cases(), "row");
  return watch.hasEnded()
    ? `The race ended after ${after} with ${number(left)} of ${number(all.length)} left`
    : `Race: ${number(left)} of ${number(all.length)} left after ${after}`;
}
