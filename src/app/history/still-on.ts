import type { SuiteHistory } from "../../report/shape/history.ts";
import type { StillOn } from "../../report/shape/model.ts";
import { openWords } from "../../report/words/night-words.ts";
import { suiteStanding } from "./suite-standing.ts";
import { kindOfTrouble } from "./troubles.ts";

/** The regressions of an earlier night that the last one neither shows nor rules out, and their first night; null: there are none, or it shows one. */
export function stillOn(history: SuiteHistory): StillOn | null {
  const { last, reasons } = suiteStanding(history);
  const own = history.nights.find(({ batch }) => batch === last?.batch)?.troubles ?? [];
  const open = own.filter(({ name }) => kindOfTrouble(name) === "regression");
  const [began] = reasons
    .flatMap((reason) => (reason.kind === "regression" ? [reason.began] : []))
    .toSorted((one, other) => one.at - other.at);
  if (last === null || began === undefined || open.some(({ isShown }) => isShown)) return null;
  const names = open.map(({ name }) => name);
  return { began, sentence: `${openWords(names, { at: began.at, tonight: last.at })}.` };
}
