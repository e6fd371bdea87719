import type { HistoryAlarm, NightName } from "../../report/shape/alarm.ts";
import type { Night, SuiteHistory } from "../../report/shape/history.ts";
import type { PastBatch, ReportMetric } from "../../report/shape/model.ts";
import type { SuiteReason, SuiteStanding } from "../../report/shape/standing.ts";
import { knownWords, levelsWords, troubleWords, watchedFigure } from "../../report/words/night-words.ts";
import { isGoingOn } from "./night-row.ts";
import { incompleteTrouble, kindOfTrouble, regressionTrouble } from "./troubles.ts";

/** Number of nights in the series of a suite. */
const mostNights = 30;

/** A suite as it stands: what needs a look, since when, and its latest nights. */
export function suiteStanding(history: SuiteHistory): SuiteStanding {
  const { suite, nights, alarms, metrics, baseline, marks, worstSlice } = history;
  const last = nights.findLast(({ state }) => !isGoingOn(state)) ?? null;
  const metric = metrics[0] ?? null;
  const past = nights.filter(({ targets }) => targets.length > 0).slice(-mostNights);
  const shown = new Set(past.map(({ batch }) => batch));
  const reasons = last === null ? [] : reasonsOf(history, last, alarms);
  return {
    suite,
    nights: nights.length,
    last: last === null ? null : lastOf(last),
    reasons,
    worstSlice: reasons.some(({ kind }) => kind === "regression" || kind === "alarm") ? worstSlice : null,
    error: last?.error ?? null,
    metric,
    baseline,
    past: metric === null ? [] : past.map((night) => pointOf(night, metric.name)),
    marks: marks.filter(({ batch }) => shown.has(batch)),
  };
}

function lastOf({ batch, at, label, state, verdict, spared }: Night): SuiteStanding["last"] {
  return { batch, at, label, state, verdict, spared };
}

/** A night with the scores of one metric. */
function pointOf(
  { batch, at, label, verdict, otherCases, changes, noticed, scores }: Night,
  metric: string,
): PastBatch {
  const own = Object.entries(scores).flatMap(([target, { [metric]: score }]) =>
    score === undefined ? [] : [[target, { [metric]: score }] as const],
  );
  return { batch, at, label, verdict, otherCases, changes, noticed, scores: Object.fromEntries(own) };
}

const kinds: readonly SuiteReason["kind"][] = ["regression", "invalid", "unfinished", "alarm"];

/** The reasons to look at a suite, each told once: an alarm that says the same as a trouble is evidence for that. */
function reasonsOf(
  { nights, metrics, acknowledged }: SuiteHistory,
  last: Night,
  alarms: readonly HistoryAlarm[],
): SuiteReason[] {
  const going = alarms.filter(({ state, isWorse }) => state === "new" || (state === "still" && isWorse));
  const byKind = Map.groupBy(last.troubles, ({ name }) => kindOfTrouble(name));
  const troubles = Array.from(byKind, ([kind, own]) => troubleOf(kind, own, nights, last));
  const told = new Set<HistoryAlarm>();
  const own = troubles.map(({ troubles: names, ...reason }): SuiteReason => {
    const same = going.filter((alarm) => isSame(alarm, { names, began: reason.began, error: last.error }));
    for (const alarm of same) told.add(alarm);
    const levels = same.filter(({ thing }) => thing === "metric").map((alarm) => `${levelsOf(alarm, metrics)}.`);
    // Somebody has said something of the suite: whether it was this is for the reader to say.
    const known = reason.kind === "regression" ? acknowledged.slice(-1).map(knownWords) : [];
    const more = [...levels, ...known];
    return more.length === 0 ? reason : { ...reason, more: more.join(" ") };
  });
  const others = going
    .filter((alarm) => !told.has(alarm))
    .map(({ state, sentence, changed }): SuiteReason => {
      return { kind: "alarm", isNew: state === "new", sentence, more: null, began: changed };
    });
  return [...own, ...others].toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

/** A trouble of the last night, with the night since which it is so. */
function troubleOf(
  kind: SuiteReason["kind"],
  own: Night["troubles"],
  nights: readonly Night[],
  last: Night,
): SuiteReason & { troubles: readonly string[] } {
  // Nights that asked other cases, or were compared with another, tell nothing of since when.
  const alike = nights.filter(
    ({ otherCases, against, state }) => otherCases === last.otherCases && against === last.against && !isGoingOn(state),
  );
  const told = alike.slice(0, alike.indexOf(last) + 1);
  const troubles = own.map(({ name }) => name);
  const before = told.findLastIndex((night) => !night.troubles.some(({ name }) => troubles.includes(name)));
  const { batch, at, label } = told[before + 1] ?? last;
  const count = told.length - before - 1;
  const isShown = own.some((trouble) => trouble.isShown);
  const sentence = troubleWords(troubles, { since: at, tonight: last.at, nights: count, isShown });
  const more = kind === "regression" ? null : last.why;
  return { kind, isNew: count === 1, sentence, more, began: { batch, at, label }, troubles };
}

/** True where an alarm tells of a trouble in other words: the same thing of the same target, since the same night. */
function isSame(
  { thing, target, metric, isWorse, earliest, latest }: HistoryAlarm,
  { names, began, error }: { names: readonly string[]; began: NightName; error: Night["error"] },
): boolean {
  if (!isWorse || began.at < earliest.at || began.at > latest.at) return false;
  if (thing === "metric") return metric !== null && names.includes(regressionTrouble(metric, target));
  return thing === "errors" && names.includes(incompleteTrouble) && error?.target === target;
}

function levelsOf(alarm: HistoryAlarm, metrics: readonly ReportMetric[]): string {
  const metric = metrics.find(({ name }) => name === alarm.metric) ?? null;
  return levelsWords(alarm, (value) => watchedFigure(alarm.thing, value, metric));
}
