import { withoutEnd } from "../../lib/without-end.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { wordInText, wordNamed } from "../../compare/verdict-word.ts";
import type { HistoryAlarm, NightName, WatchedThing } from "../shape/alarm.ts";
import { dayParts, nightDay } from "./night-names.ts";
import type { Night, NightMark } from "../shape/history.ts";
import type { ReportMetric } from "../shape/model.ts";
import { isShownChange, measure, scoreFigure, shareFigure, sizeOfChange } from "./figures.ts";
import { duration, price } from "./quantity.ts";
import type { ChangesSinceNotice } from "../shape/changes-since-notice.ts";

/**
 * True for one that did not come to its end. A regression stands where only its confirmation was cut off, and one that ended
 * as a target was stopped is invalid.
 */
export function isCutOff({ state, verdict }: Pick<Night, "state" | "verdict">): boolean {
  if (state === "finished" || state === "running" || state === "grading") return false;
  return verdict !== "regression" && verdict !== "invalid";
}

/** Name of what is wrong with a night that did not come to its end. */
export const unfinishedRun = "run that was not finished";

/** The verdict of a night, in the same words wherever it stands. */
export function nightVerdict({ state, verdict, word }: Pick<Night, "state" | "verdict" | "word">): string {
  if (state === "running" || state === "grading") return state;
  if (isCutOff({ state, verdict })) return `not finished (${state})`;
  const kept = keptVerdict({ verdict, word });
  return state !== "finished" && verdict !== "invalid" ? `${kept ?? ""}, not confirmed` : (kept ?? "no verdict");
}

/** A comparison that is kept in its word, or in its state; null: it has none. */
export function keptVerdict({ verdict, word }: { verdict: string | null; word: string | null }): string | null {
  const known = wordNamed(word);
  return known === null ? verdict : wordInText(known);
}

/** `alpha: 17.0 points better`: a candidate of which more is known than the verdict of all says; positive is better. */
export function besideVerdict({
  candidate,
  claim,
  difference,
  of,
}: {
  candidate: string;
  claim: "better" | "worse";
  difference: number | null;
  of: Parameters<typeof measure>[0];
}): string {
  if (difference === null) return `${candidate}: ${claim}`;
  const size = sizeOfChange(difference, measure(of));
  if (of === "ratio") return `${candidate}: ${claim} (${size})`;
  const isOwn = isShownChange(difference, measure(of)) && difference < 0 === (claim === "worse");
  return `${candidate}: ${isOwn ? size : claim}`;
}

/** Beside figures of before an edit of scores: what brings them up to date, in every file. `folder`: the flag of the results folder. */
export const editedWords = (batch: string, folder: string): string =>
  `Scores were edited since: these figures are of before. \`tandem report ${batch}${folder}\` counts them`;

/** Why no night of a suite came to a verdict, and what brings one. */
export function undecidedWords(kind: "ungraded" | "alone" | "no gate" | "open" | "unable", nights: number): string {
  switch (kind) {
    case "ungraded":
      return "Nothing grades its answers. Next: give the suite `scorers`.";
    case "alone":
      return "Its answers are graded, and compared with nothing. Next: give the suite a second target, or run it with `--against` an earlier batch.";
    case "no gate":
      return "Its targets are compared, and nothing decides. Next: give the suite a gate.";
    case "open":
    case "unable": {
      const often = nights === 1 ? "in its only run" : `in any of ${nights} runs`;
      const next =
        kind === "open"
          ? "more rows; the run says how many"
          : "the run says what to mend: more rows alone do not settle it";
      return `Nothing could be decided ${often}. Next: ${next}.`;
    }
  }
}

/** A value of what is watched. */
export function watchedFigure(thing: WatchedThing, value: number, metric: ReportMetric | null): string {
  if (thing === "errors") return shareFigure(value);
  if (thing === "latency") return duration(value);
  if (thing === "cost") return price(value);
  return metric === null ? String(value) : scoreFigure(value, metric);
}

const things: Record<Exclude<WatchedThing, "metric">, string> = {
  errors: "the share of runs without an answer",
  latency: "the median time of an answer",
  cost: "the cost of a run",
};

/** `\`correct\` of prod` */
export function watchedName({ thing, target, metric }: Pick<HistoryAlarm, "thing" | "target" | "metric">): string {
  return `${thing === "metric" ? `\`${metric ?? ""}\`` : things[thing]} of ${target}`;
}

/** An alarm in one or two sentences; `figure` words its values. */
export function alarmSentence(alarm: Omit<HistoryAlarm, "sentence">, figure: (value: number) => string): string {
  const { direction, changed, noticed, state, until } = alarm;
  const subject = capital(watchedName(alarm));
  const range = rangeWords(alarm);
  const from = `since the run of ${nightDay(changed, noticed)}${range}`;
  const seen = `It was noticed on ${nightDay(noticed, changed)}.`;
  if (state === "new" || state === "still")
    return `${subject} has been ${direction} ${from}: ${levelFigures(alarm, figure)}. ${seen}`;
  const began = `${subject} was ${direction} from the run of ${nightDay(changed, noticed)}${range} on: ${levelFigures(alarm, figure, "then")}. ${seen}`;
  if (state === "acknowledged") return `${began} It is acknowledged.`;
  return until === null ? began : `${began} It was over with the run of ${nightDay(until, noticed)}.`;
}

type Levels = Pick<HistoryAlarm, "thing" | "target" | "metric" | "direction" | "before" | "since">;

/**
 * `Worse: \`correct\` of test fell from 86.9 % to 69.6 % on 11 November (averages of runs)`: an alarm in one sentence, for
 * its marks in a picture; with the night in which it was noticed where that is another, and the one with which it was over.
 */
export function changedWords(alarm: Omit<HistoryAlarm, "sentence">, figure: (value: number) => string): string {
  const { direction, isWorse, before, since, changed, noticed, until } = alarm;
  const moved = direction === "higher" ? "rose" : "fell";
  const late = noticed.batch === changed.batch ? "" : `, noticed on ${nightDay(noticed, changed)}`;
  const end = until === null ? "" : `; over on ${nightDay(until, changed)}`;
  const what = `${watchedName(alarm)} ${moved} from ${figure(before)} to ${figure(since)}`;
  return `${isWorse ? "Worse" : "Better"}: ${what} on ${nightDay(changed, noticed)} (averages of runs)${late}${end}`;
}

/** `\`correct\` of test: 87 % before, 71 % since (averages of runs)` */
export function levelsWords(alarm: Levels, figure: (value: number) => string): string {
  return `${capital(watchedName(alarm))}: ${levelFigures(alarm, figure)}`;
}

/** `86.9 % before, 69.6 % since (averages of runs)`: a level is that of no single night. */
function levelFigures({ before, since }: Levels, figure: (value: number) => string, when = "since"): string {
  return `${figure(before)} before, ${figure(since)} ${when} (averages of runs)`;
}

const mostLevels = 3;

/** `the level of similar and in-language changed`: marks of other metrics than the one that is drawn; null: errors, time or cost. */
export function otherLevelsWords(metrics: readonly (string | null)[]): string {
  const names = [...new Set(metrics.map((metric) => metric ?? "errors, time or cost"))];
  if (names.length > mostLevels) return `the level of ${names.length} other figures changed`;
  return `the level of ${names.length === 0 ? "another figure" : sentenceList(names)} changed`;
}

/** The mark of a night in which something changed that is known: `Changed: dataset; prices` */
export function knownMark(batch: string, changes: readonly string[]): NightMark {
  return { kind: "known", batch, metric: null, sentence: `Changed: ${changes.join("; ")}` };
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `Known as of 4 November: The new prompt (said by Ada on 5 November)`; `since` is a day, `2026-11-04`, `at` when it was said. */
export function knownWords(
  { since, note, author, at }: { since: string; note: string; author: string; at: number },
  tonight: number,
): string {
  const [from, said] = [new Date(`${since}T12:00`).getTime(), at].map((time) =>
    nightDay(nightOf(time), nightOf(tonight)),
  );
  return `Known as of ${from ?? ""}: ${withoutEnd(note)} (said by ${author} on ${said ?? ""})`;
}

/** `\`correct\` in the last run: test 63.8 %, prod 76.1 %` */
export function lastLevelsWords(metric: string, levels: readonly { target: string; figure: string }[]): string {
  return `\`${metric}\` in the last run: ${levels.map(({ target, figure }) => `${target} ${figure}`).join(", ")}`;
}

/**
 * `Regression of correct (test) and 2 more: since 11 November (3 nights)`: what is wrong as of a night, and since when;
 * `worse since 9 November, first certain on 11 November` where it was measured before a night could tell.
 */
export function issueWords(
  issues: readonly string[],
  {
    fell,
    since,
    tonight,
    nights,
    isShown,
  }: { fell: number; since: number; tonight: number; nights: number; isShown: boolean },
): string {
  const certain = `worse ${sinceWords(fell, tonight)}, first certain on ${nightDay(nightOf(since), nightOf(tonight))}`;
  const began = fell < since ? certain : sinceWords(since, tonight);
  const when = nights === 1 ? "new in the last run" : `${began} (${nights} runs)`;
  return `${capital(withMore(issues))}: ${when}${isShown ? "" : ". The last run has too few rows to tell by itself"}`;
}

/** ` (between 18 and 20 November)`; empty where only one night comes into question. */
function rangeWords({ earliest, latest }: Pick<HistoryAlarm, "earliest" | "latest">): string {
  if (earliest.at === latest.at) return "";
  const [from, to] = [dayParts(earliest, latest), dayParts(latest, latest)];
  const isSameMonth = from.month === to.month && from.rest === "" && to.rest === "";
  return ` (between ${isSameMonth ? from.day : nightDay(earliest, latest)} and ${nightDay(latest, latest)})`;
}

/** `since 19 November`: as of an instant of tonight. */
export function sinceWords(at: number, tonight: number): string {
  return `since ${nightDay(nightOf(at), nightOf(tonight))}`;
}

const nightOf = (at: number): Pick<NightName, "at" | "time"> => ({ at, time: null });

/** `The loss of all rows with kind = t0 in correct (test) of 19 November is still open`: beside a verdict that does not say so. */
export function stillOpenWords(issues: readonly string[], { at, tonight }: { at: number; tonight: number }): string {
  return `${ofNight(issues, { at, tonight })} ${issues.length === 1 ? "is" : "are"} still open`;
}

/** `The regression of correct (test) of 19 November counts as still on: this run alone does not decide` */
export function openWords(issues: readonly string[], { at, tonight }: { at: number; tonight: number }): string {
  const counts = issues.length === 1 ? "counts" : "count";
  return `${ofNight(issues, { at, tonight })} ${counts} as still on: this run alone does not decide`;
}

/**
 * `The regression of correct (test) of 19 November is over`; where that was not shown, `was not found again`. A run that did not finish:
 * `The run of 19 November did not finish; this one did`.
 */
export function overWords(
  issues: readonly string[],
  { at, tonight, isFine }: { at: number; tonight: number; isFine: boolean },
): string {
  if (issues.every((name) => name === unfinishedRun))
    return `The run of ${nightDay(nightOf(at), nightOf(tonight))} did not finish; this one did`;
  const [over, gone] = issues.length === 1 ? ["is over", "was not found again"] : ["are over", "were not found again"];
  return `${ofNight(issues, { at, tonight })} ${isFine ? over : gone}`;
}

function ofNight(issues: readonly string[], { at, tonight }: { at: number; tonight: number }): string {
  return `The ${withMore(issues)} of ${nightDay(nightOf(at), nightOf(tonight))}`;
}

/** `regression of correct (test) and 2 more` */
const withMore = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

/** ` (new)`, ` (since 19 November)`: beside a verdict that says that something is wrong. */
export function newsMark({ state, since }: ChangesSinceNotice, tonight: number): string {
  if (since !== null) return ` (${sinceWords(since, tonight)})`;
  return state === "new" ? " (new)" : "";
}

/** The reason why no notice is sent where notices are of changes: `No notice: the regression of correct (test) is still open, since 19 November (--notify-on change).` */
export function nobodyToldWords({ state, since, troubles: issues }: ChangesSinceNotice, tonight: number): string {
  const name = issues.length === 0 ? "a change over the nights" : `the ${withMore(issues)}`;
  const when = since === null ? "" : `, ${sinceWords(since, tonight)}`;
  const stillOpen = `${name} ${issues.length > 1 ? "are" : "is"} still open${when}`;
  return `No notice: ${state === "still" ? stillOpen : "nothing is new since the run before"} (--notify-on change).`;
}

/** Regressions and sure losses that are open as of the last night. */
export interface OpenRegressions {
  names: readonly string[];
  /** Start of the first night of them, in milliseconds since 1970; null: they are new in the last run. */
  since: number | null;
  /** Start of the last night. */
  tonight: number;
  /** False: an earlier night found them, and the last one does not decide. */
  isShown: boolean;
}

/** `Open since 12 November: regression of correct (test). The last run alone does not decide.` */
export function openRegressionWords({ names, since, tonight, isShown }: OpenRegressions): string {
  const when = since === null ? "New in the last run" : `Open ${sinceWords(since, tonight)}`;
  return `${when}: ${withMore(names)}.${isShown ? "" : " The last run alone does not decide."}`;
}

/** Beside a regression that is open: alarms are of values that move from night to night. */
export const noAlarmWords = (open: OpenRegressions | null): string =>
  open === null ? "No alarm." : "No alarm beside it: nothing moved from run to run.";
