import type { ReportMetric, ReportSlice } from "../shape/model.ts";
import { number } from "./quantity.ts";
import { sliceWords } from "./slice-words.ts";
import { sidesWords } from "./verdict-words.ts";

/** The start of every line with a hint. */
export const hintHead = "Also look at";

type Hint = Pick<ReportSlice, "p" | "worse" | "cases" | "baseline" | "now" | "tag" | "value" | "and">;

/** `7 of 10 cases got worse (90 % -> 20 %)` */
export function hintEvidence({ worse, cases, baseline, now }: Hint, metric: ReportMetric): string {
  return `${number(worse)} of ${number(cases)} cases got worse (${sidesWords(baseline, now, metric)})`;
}

/** `Not sure: of groups that look like this, up to 11 in 100 do so by chance (a finding has at most 5). More cases of it would tell`: the reason why it is none. */
export function hintDoubt({ p }: Hint): string {
  const byChance = Math.max(6, Math.ceil(100 * (p ?? 1)));
  return `Not sure: of groups that look like this, up to ${byChance} in 100 do so by chance (a finding has at most 5). More cases of it would tell`;
}

/** `Also look at kind = lost-card: 7 of 10 cases got worse (90 % -> 20 %). Not sure: ...`; `who` and `on` where it is not of the only candidate and the main metric. */
export function hintWords(hint: Hint, metric: ReportMetric, { who, on }: { who: string; on: string }): string {
  return `${hintHead} ${sliceWords(hint)}${who}${on}: ${hintEvidence(hint, metric)}. ${hintDoubt(hint)}.`;
}
