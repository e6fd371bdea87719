import type { SuiteHistory } from "../../report/shape/history.ts";
import type { FoundRegressions } from "../../report/words/changes-since-notice-words.ts";
import { suiteStanding } from "./suite-standing.ts";
import { kindOfIssue } from "./issues.ts";

/** The regressions that the gates of the last night find, and since when; null: none. */
export function foundRegressions(history: SuiteHistory): FoundRegressions | null {
  const { last, reasons } = suiteStanding(history);
  const began = reasons.find(({ kind }) => kind === "regression")?.began;
  const night = history.nights.find(({ batch }) => batch === last?.batch);
  if (night === undefined || began === undefined) return null;
  const shown = night.troubles.filter(({ name, isShown }) => isShown && kindOfIssue(name) === "regression");
  const names = shown.map(({ name }) => name);
  return { names, since: began.batch === night.batch ? null : began.at, tonight: night.at };
}
