import type { HistoryAlarm } from "../../report/shape/alarm.ts";
import type { Night, SuiteHistory } from "../../report/shape/history.ts";
import type { PastBatch } from "../../report/shape/model.ts";
import type { SuiteReason, SuiteStanding } from "../../report/shape/standing.ts";
import { troubleWords } from "../../report/words/night-words.ts";
import { isGoingOn } from "./night-row.ts";
import { incompleteTrouble, unfinishedTrouble } from "./troubles.ts";

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

function reasonsOf(
  { nights }: Pick<SuiteHistory, "nights">,
  last: Night,
  alarms: readonly HistoryAlarm[],
): SuiteReason[] {
  // Nights that asked other cases, or were compared with another, tell nothing of since when.
  const alike = nights.filter(
    ({ otherCases, against, state }) => otherCases === last.otherCases && against === last.against && !isGoingOn(state),
  );
  const own = Array.from(Map.groupBy(last.troubles, kindOf), ([kind, troubles]): SuiteReason => {
    const told = alike.slice(0, alike.indexOf(last) + 1);
    const before = told.findLastIndex((night) => !troubles.some((trouble) => night.troubles.includes(trouble)));
    const since = told[before + 1]?.at ?? last.at;
    const count = told.length - before - 1;
    const why = kind === "regression" || last.why === null ? "" : `. ${last.why}`;
    const sentence = `${troubleWords(troubles, { since, tonight: last.at, nights: count })}${why}`;
    return { kind, isNew: count === 1, sentence };
  });
  const noticed = alarms.flatMap(({ state, isWorse, sentence }): SuiteReason[] => {
    const isNew = state === "new";
    return isNew || (state === "still" && isWorse) ? [{ kind: "alarm", isNew, sentence }] : [];
  });
  return [...own, ...noticed].toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

function kindOf(trouble: string): SuiteReason["kind"] {
  if (trouble === unfinishedTrouble) return "unfinished";
  return trouble === incompleteTrouble ? "invalid" : "regression";
}
