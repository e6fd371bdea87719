import type { SuiteHistory } from "../../report/shape/history.ts";
import type { OpenRegressions } from "../../report/say/nights.ts";
import { suiteStanding } from "./suite-standing.ts";
import { kindOfIssue } from "./issues.ts";

/** The regressions and sure losses that are open as of the last night, and since when. */
export function openRegressions(history: SuiteHistory): OpenRegressions | null {
  const { last, reasons } = suiteStanding(history);
  const began = reasons.find(({ kind }) => kind === "regression")?.began;
  const night = history.nights.find(({ batch }) => batch === last?.batch);
  if (night === undefined || began === undefined) return null;
  const own = night.troubles.filter(({ name, takesPart }) => takesPart && kindOfIssue(name) === "regression");
  return {
    names: own.map(({ name }) => name),
    since: began.batch === night.batch ? null : began.at,
    tonight: night.at,
    isShown: own.some(({ isShown }) => isShown),
  };
}
