import type { ChangesSinceNotice } from "../shape/changes-since-notice.ts";
import { sinceWords } from "./night-words.ts";

/** ` (new)`, ` (since 19 November)`: beside a verdict that says that something is wrong. */
export function newsMark({ state, since }: ChangesSinceNotice, tonight: number): string {
  if (since !== null) return ` (${sinceWords(since, tonight)})`;
  return state === "new" ? " (new)" : "";
}

/** The reason why nobody is told who is told of changes: `Nobody is told: the regression of correct (test) goes on since 19 November (--notify-on change).` */
export function nobodyToldWords({ state, since, troubles: issues }: ChangesSinceNotice, tonight: number): string {
  const [first = "a change over the nights", ...others] = issues;
  const name = issues.length === 0 ? first : `the ${first}`;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const when = since === null ? "" : ` ${sinceWords(since, tonight)}`;
  const goesOn = `${name}${more} ${others.length === 0 ? "goes" : "go"} on${when}`;
  return `Nobody is told: ${state === "still" ? goesOn : "nothing is new since the night before"} (--notify-on change).`;
}

/** Regressions that the gates of the last night find. */
export interface FoundRegressions {
  names: readonly string[];
  /** Start of the first night of them, in milliseconds since 1970; null: they are new in the last night. */
  since: number | null;
  /** Start of the last night. */
  tonight: number;
}

/** `No alarm: nothing moved from night to night. The comparison of the last night finds a regression of correct (test) since 22 November.` */
export function noAlarmWords(found: FoundRegressions | null): string {
  const [first, ...others] = found?.names ?? [];
  if (found === null || first === undefined) return "No alarm.";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const when = found.since === null ? "in the last night" : sinceWords(found.since, found.tonight);
  return `No alarm: nothing moved from night to night. The comparison of the last night finds a ${first}${more} ${when}.`;
}
