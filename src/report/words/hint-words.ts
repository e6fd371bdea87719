import type { ReportMetric, ReportSegment } from "../shape/model.ts";
import { number } from "./quantity.ts";
import { segmentWords } from "./segment-words.ts";
import { sidesWords } from "./verdict-words.ts";

/** The start of every line with a hint. */
export const hintHead = "Also look at";

type Hint = Pick<ReportSegment, "p" | "worse" | "cases" | "baseline" | "now" | "tag" | "value" | "and">;

/** `7 of 10 cases got worse (90 % -> 20 %)` */
export function hintEvidence({ worse, cases, baseline, now }: Hint, metric: ReportMetric): string {
  return `${number(worse)} of ${number(cases)} cases got worse (${sidesWords(baseline, now, metric)})`;
}

/** `This may be chance (up to 11 in 100). Add more rows with category = lost-card`: the reason why it is none, and what would show it. */
export function hintDoubt({ p, ...segment }: Hint): string {
  const byChance = Math.max(6, Math.ceil(100 * (p ?? 1)));
  return `This may be chance (up to ${byChance} in 100). Add more rows with ${segmentWords(segment)}`;
}

/** `Also look at kind = lost-card: 7 of 10 cases got worse (90 % -> 20 %). This may be chance, ...`; `who` and `on` where it is not of the only candidate and the main metric. */
export function hintWords(hint: Hint, metric: ReportMetric, { who, on }: { who: string; on: string }): string {
  return `${hintHead} ${segmentWords(hint)}${who}${on}: ${hintEvidence(hint, metric)}. ${hintDoubt(hint)}.`;
}
