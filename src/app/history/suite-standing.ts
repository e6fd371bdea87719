import { shellWord } from "../../lib/shell-word.ts";
import type { HistoryAlarm, NightName } from "../../report/shape/alarm.ts";
import type { Night, NightIssue, SuiteHistory } from "../../report/shape/history.ts";
import type { PastBatch, ReportMetric } from "../../report/shape/model.ts";
import type { LastNight, SuiteReason, SuiteStanding } from "../../report/shape/standing.ts";
import { scoreFigure } from "../../report/say/figures.ts";
import {
  isCutOff,
  knownWords,
  lastLevelsWords,
  levelsWords,
  issueWords,
  undecidedWords,
  watchedFigure,
} from "../../report/say/nights.ts";
import { isGoingOn } from "./night-row.ts";
import { incompleteIssue, isSameIssue, kindOfIssue, regressionIssue } from "./issues.ts";

/** Number of nights in the series of a suite. */
const mostNights = 30;

/** A suite as it stands: what needs a look, since when, and its latest nights. `folder`: the flag of the results folder. */
export function suiteStanding(history: SuiteHistory, folder = ""): SuiteStanding {
  const { suite, nights, alarms, metrics, marks, worstSlice } = history;
  const last = nights.findLast(({ state }) => !isGoingOn(state)) ?? null;
  const metric = metrics[0] ?? null;
  const past = nights.filter(({ targets }) => targets.length > 0).slice(-mostNights);
  const shown = new Set(past.map(({ batch }) => batch));
  const reasons = last === null ? [] : reasonsOf(history, last, alarms);
  return {
    suite,
    resume: last !== null && isCutOff(last) ? `tandem resume ${shellWord(last.batch)}${folder}` : null,
    nights: nights.length,
    last: last === null ? null : lastOf(last),
    reasons,
    worstSlice: reasons.some(({ kind }) => kind === "regression" || kind === "alarm") ? worstSlice : null,
    error: last?.error ?? null,
    metric,
    targets: history.targets,
    past: metric === null ? [] : past.map((night) => pointOf(night, metric.name)),
    marks: marks.filter(({ batch }) => shown.has(batch)),
    undecided: last === null || reasons.length > 0 ? null : undecidedIn(nights, last),
  };
}

/** Why none of some nights decided anything, by the last of them; null: one did. */
function undecidedIn(nights: readonly Night[], last: Night): string | null {
  if (nights.some(({ verdict }) => verdict === "pass" || verdict === "regression")) return null;
  const { verdict, targets, differences } = last;
  const count = nights.filter(({ state }) => !isGoingOn(state)).length;
  if (verdict !== null) return undecidedWords(last.word === "cannot-tell" ? "unable" : "open", count);
  if (targets.every(({ metric }) => metric === null)) return undecidedWords("ungraded", count);
  return undecidedWords(differences.length === 0 ? "alone" : "no gate", count);
}

function lastOf(night: Night): LastNight {
  const { batch, at, day, time, state, verdict, word, beside, spared, edited, chosen, targets, differences } = night;
  const about = { ...(edited !== undefined && { edited }), chosen };
  return { batch, at, day, time, state, verdict, word, beside, spared, ...about, targets, differences };
}

/** A night with the scores of one metric. */
function pointOf(
  { batch, at, day, time, verdict, word, otherCases, changes, noticed, scores }: Night,
  metric: string,
): PastBatch {
  const own = Object.entries(scores).flatMap(([target, { [metric]: score }]) =>
    score === undefined ? [] : [[target, { [metric]: score }] as const],
  );
  return { batch, at, day, time, verdict, word, otherCases, changes, noticed, scores: Object.fromEntries(own) };
}

const kinds: readonly SuiteReason["kind"][] = ["regression", "invalid", "unfinished", "alarm"];

/** The reasons to look at a suite, each told once: an alarm that says the same as a trouble is evidence for that. */
function reasonsOf(
  { nights, metrics, acknowledged }: SuiteHistory,
  last: Night,
  alarms: readonly HistoryAlarm[],
): SuiteReason[] {
  const going = alarms.filter(({ state, isWorse }) => state === "new" || (state === "still" && isWorse));
  const reported = new Set<HistoryAlarm>();
  const own = issuesTold(last, nights, acknowledged).map((found): SuiteReason => {
    const { troubles: names, ...reason } = found;
    const same = going.filter((alarm) => isSame(alarm, { names, began: reason.began, error: last.error }));
    for (const alarm of same) reported.add(alarm);
    const more = [
      ...(reason.more === null ? [] : [reason.more]),
      ...levelsOfIssues(names, last, { same, metrics }).map((levels) => `${levels}.`),
      ...(reason.known === null ? [] : [reason.known]),
    ];
    return { ...reason, more: more.length === 0 ? null : more.join(" ") };
  });
  const others = going
    .filter((alarm) => !reported.has(alarm))
    .map(({ state, sentence, changed }): SuiteReason => {
      return {
        kind: "alarm",
        isNew: state === "new",
        isKnown: false,
        known: null,
        sentence,
        more: null,
        quotesError: false,
        began: changed,
        nights: Math.max(1, nights.length - nights.findIndex(({ batch }) => batch === changed.batch)),
      };
    });
  return [...own, ...others].toSorted(
    (one, other) => Number(one.isKnown) - Number(other.isKnown) || kinds.indexOf(one.kind) - kinds.indexOf(other.kind),
  );
}

/** The troubles of the last night by their kind; a regression that is known stands apart from those that are not. */
function issuesTold(last: Night, nights: readonly Night[], acknowledged: SuiteHistory["acknowledged"]) {
  const reported = toldNights(nights, last);
  const knownOf = (issue: NightIssue) => {
    if (kindOfIssue(issue.name) !== "regression") return null;
    const { at: began } = reported[possibleBeginning(reported, issue)] ?? last;
    // One that was said before it began is of another change.
    return acknowledged.findLast(({ at }) => at >= began) ?? null;
  };
  const here = last.troubles.filter(({ takesPart }) => takesPart);
  const groups = Map.groupBy(here, (issue) => `${kindOfIssue(issue.name)} ${knownOf(issue) !== null}`);
  return Array.from(groups.values(), (own) => {
    const [first] = own;
    const known = first === undefined ? null : knownOf(first);
    const words = known === null ? null : knownWords(known, last.at);
    return { ...issueOf(own, reported, last), known: words, isKnown: known !== null };
  });
}

/** The nights up to the last one that can tell of its troubles: others asked other cases, or were compared with another. */
function toldNights(nights: readonly Night[], last: Night): readonly Night[] {
  const alike = nights.filter(
    ({ otherCases, against, state }) => otherCases === last.otherCases && against === last.against && !isGoingOn(state),
  );
  return alike.slice(0, alike.indexOf(last) + 1);
}

/** Place of the night since which one of some troubles is there. */
function beginning(reported: readonly Night[], issues: readonly NightIssue[]): number {
  return reported.findLastIndex(({ troubles }) => !troubles.some((each) => isOneOf(each, issues))) + 1;
}

const isOneOf = (issue: NightIssue, issues: readonly NightIssue[]): boolean =>
  issues.some((each) => isSameIssue(each, issue));

/** Place of the first of the nights on end, up to the one that showed a regression, that measured its loss beyond the limit. */
function possibleBeginning(reported: readonly Night[], issue: NightIssue): number {
  const shown = beginning(reported, [issue]);
  return reported.findLastIndex((night, place) => place < shown && !measuredLoss(night, issue)) + 1;
}

function measuredLoss({ differences }: Night, issue: NightIssue): boolean {
  const own = differences.find(({ metric, candidate, baseline }) =>
    isSameIssue({ name: regressionIssue(metric, candidate), baseline }, issue),
  );
  const { difference = null, margin = null } = own ?? {};
  return difference !== null && margin !== null && difference < -margin;
}

/** Troubles of one kind in the last run, with the one since which it is so. */
function issueOf(
  own: readonly NightIssue[],
  reported: readonly Night[],
  last: Night,
): Omit<SuiteReason, "isKnown" | "known"> & { troubles: readonly string[] } {
  const kind = kindOfIssue(own[0]?.name ?? "");
  const issues = own.map(({ name }) => name);
  const first = beginning(reported, own);
  const { batch, at, day, time } = reported[first] ?? last;
  const count = reported
    .slice(first)
    .filter(({ troubles }) => troubles.some((each) => each.takesPart && isOneOf(each, own))).length;
  const isShown = own.some((issue) => issue.isShown);
  const places = kind === "regression" ? own.map((issue) => possibleBeginning(reported, issue)) : [first];
  const fell = reported[Math.min(...places)]?.at ?? at;
  const sentence = issueWords(issues, { fell, since: at, tonight: last.at, nights: count, isShown });
  const more = kind === "regression" ? null : last.why;
  return {
    kind,
    isNew: count === 1,
    sentence,
    more,
    quotesError: more !== null && last.quotesError,
    began: { batch, at, day, time },
    nights: Math.max(1, count),
    troubles: issues,
  };
}

/** Levels before and since, where an alarm gives them; otherwise those of the last night, of the first metric that is worse. */
function levelsOfIssues(
  names: readonly string[],
  last: Night,
  { same, metrics }: { same: readonly HistoryAlarm[]; metrics: readonly ReportMetric[] },
): string[] {
  const given = same.filter(({ thing }) => thing === "metric").map((alarm) => levelsOf(alarm, metrics));
  if (given.length > 0) return given;
  const worse = metrics.flatMap((metric) =>
    last.differences
      .filter(({ candidate }) => names.includes(regressionIssue(metric.name, candidate)))
      .map(({ candidate, baseline }) => lastLevels(last, metric, [candidate, baseline])),
  );
  return worse.filter((levels) => levels !== null).slice(0, 1);
}

function lastLevels({ scores }: Night, metric: ReportMetric, targets: readonly string[]): string | null {
  const levels = targets.flatMap((target) => {
    const value = scores[target]?.[metric.name]?.value ?? null;
    return value === null ? [] : [{ target, figure: scoreFigure(value, metric) }];
  });
  return levels.length < targets.length ? null : lastLevelsWords(metric.name, levels);
}

/** True where an alarm tells of a trouble in other words: the same thing of the same target, since the same night. */
function isSame(
  { thing, target, metric, isWorse, earliest, latest }: HistoryAlarm,
  { names, began, error }: { names: readonly string[]; began: NightName; error: Night["error"] },
): boolean {
  if (!isWorse || began.at < earliest.at || began.at > latest.at) return false;
  if (thing === "metric") return metric !== null && names.includes(regressionIssue(metric, target));
  return thing === "errors" && names.includes(incompleteIssue) && error?.target === target;
}

function levelsOf(alarm: HistoryAlarm, metrics: readonly ReportMetric[]): string {
  const metric = metrics.find(({ name }) => name === alarm.metric) ?? null;
  return levelsWords(alarm, (value) => watchedFigure(alarm.thing, value, metric));
}
