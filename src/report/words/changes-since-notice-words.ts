import type { ChangesSinceNotice } from "../shape/changes-since-notice.ts";
import { sinceWords } from "./night-words.ts";

/** ` (new)`, ` (since 19 November)`: beside a verdict that says that something is wrong. */
export function newsMark({ state, since }: ChangesSinceNotice, tonight: number): string {
  if (since !== null) return ` (${sinceWords(since, tonight)})`;
  return state === "new" ? " (new)" : "";
}

/** The reason why no notice is sent where notices are of changes: `No notice: the regression of correct (test) is still open, since 19 November (--notify-on change).` */
export function nobodyToldWords({ state, since, troubles: issues }: ChangesSinceNotice, tonight: number): string {
  const [first = "a change over the nights", ...others] = issues;
  const name = issues.length === 0 ? first : `the ${first}`;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const when = since === null ? "" : `, ${sinceWords(since, tonight)}`;
  const stillOpen = `${name}${more} ${others.length === 0 ? "is" : "are"} still open${when}`;
  return `No notice: ${state === "still" ? stillOpen : "nothing is new since the night before"} (--notify-on change).`;
}

/** Regressions and sure losses that are open as of the last night. */
export interface OpenRegressions {
  names: readonly string[];
  /** Start of the first night of them, in milliseconds since 1970; null: they are new in the last night. */
  since: number | null;
  /** Start of the last night. */
  tonight: number;
  /** False: an earlier night found them, and the last one does not decide. */
  isShown: boolean;
}

/** `Open since 12 November: regression of correct (test). The last night alone does not decide.` */
export function openRegressionWords({ names, since, tonight, isShown }: OpenRegressions): string {
  const [first = "", ...others] = names;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const when = since === null ? "New in the last night" : `Open ${sinceWords(since, tonight)}`;
  return `${when}: ${first}${more}.${isShown ? "" : " The last night alone does not decide."}`;
}

/** Beside a regression that is open: alarms are of values that move from night to night. */
export const noAlarmWords = (open: OpenRegressions | null): string =>
  open === null ? "No alarm." : "No alarm beside it: nothing moved from night to night.";
