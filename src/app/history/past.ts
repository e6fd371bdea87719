import type { PastBatch, ReportSummary, StillOn } from "../../report/shape/model.ts";
import type { Connection } from "../../store/connection.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { historyOf } from "./history.ts";
import { suiteStanding } from "./suite-standing.ts";
import { timedAlarm, timedNight } from "../../report/model/timed-alarm.ts";
import type { SuiteHistory } from "../../report/shape/history.ts";
import { type OpenRegressions, openWords } from "../../report/say/nights.ts";
import type { ProviderFinding } from "../../report/shape/provider.ts";
import { providerFinding } from "../provider/provider-changes.ts";
import { kindOfIssue } from "./issues.ts";

/** Number of batches in a chart. */
const mostBatches = 60;

/** The batches of a suite up to this one as a report shows them, and what a person has to know of them with it. */
export function pastOf(
  db: Connection,
  planned: PlannedComparison,
): Pick<ReportSummary, "past" | "alarms" | "suiteTargets"> & {
  stillOn: StillOn | null;
  known: string[];
  provider: ProviderFinding | null;
} {
  const { suiteName, id } = planned.batch;
  const history = historyOf(db, suiteName, { upTo: id });
  const { nights, alarms, targets: suiteTargets } = history;
  // A comparison with something else is no night of the suite.
  const { isOwn } = planned;
  const compared = nights.filter(({ targets }) => targets.length > 0);
  return {
    suiteTargets,
    past: compared
      .slice(-mostBatches)
      .map(({ batch, at, day, time, verdict, word, otherCases, changes, noticed, scores }): PastBatch => {
        return { batch, at, day, time, verdict, word, otherCases, changes, noticed, scores };
      }),
    alarms: alarms.filter(({ state }) => state === "new" || state === "still" || state === "over").map(timedAlarm),
    stillOn: isOwn ? stillOn(history) : null,
    known: isOwn ? suiteStanding(history).reasons.flatMap(({ known }) => known ?? []) : [],
    provider: isOwn ? providerOf(history) : null,
  };
}

/** The regressions of an earlier night that the last one shows again, or does not rule out, and their first night. */
export function stillOn(history: SuiteHistory): StillOn | null {
  const found = openIn(history);
  if (found === null) return null;
  const { night, open, reason } = found;
  const { began, isNew, sentence } = reason;
  if (open.some(({ isShown }) => isShown)) return isNew ? null : { began: timedNight(began), sentence: `${sentence}.` };
  const names = open.map(({ name }) => name);
  return { began: timedNight(began), sentence: `${openWords(names, { at: began.at, tonight: night.at })}.` };
}

/** The regressions and sure losses that are open as of the last night, and since when. */
export function openRegressions(history: SuiteHistory): OpenRegressions | null {
  const found = openIn(history);
  if (found === null) return null;
  const { night, open, reason } = found;
  return {
    names: open.map(({ name }) => name),
    since: reason.began.batch === night.batch ? null : reason.began.at,
    tonight: night.at,
    isShown: open.some(({ isShown }) => isShown),
  };
}

/** The regressions that are open in the last night, and the first reason to look at them: one that is not acknowledged before those that are. */
function openIn(history: SuiteHistory) {
  const { last, reasons } = suiteStanding(history);
  const reason = reasons.find(({ kind }) => kind === "regression");
  const night = history.nights.find(({ batch }) => batch === last?.batch);
  if (night === undefined || reason === undefined) return null;
  const open = night.troubles.filter(({ name, takesPart }) => takesPart && kindOfIssue(name) === "regression");
  return { night, open, reason };
}

/** Finds what services tell of themselves beside the last night, which asks for it where a regression is new. */
function providerOf(history: SuiteHistory): ProviderFinding | null {
  const { nights } = history;
  const last = nights.length - 1;
  const tonight = nights[last];
  if (tonight === undefined) return null;
  const isAsked = suiteStanding(history).reasons.some(
    ({ kind, isNew, began }) => kind === "regression" && isNew && began.batch === tonight.batch,
  );
  const lastGood = nights.findLastIndex(
    ({ verdict, otherCases }, place) => place < last && verdict === "pass" && otherCases === tonight.otherCases,
  );
  return providerFinding(nights, { isAsked, lastGood, own: tonight.changes });
}
