import type { ReportSummary } from "../shape/model.ts";
import { onMetric } from "./metric-words.ts";
import { number } from "./quantity.ts";

type Reported = Pick<ReportSummary, "candidates" | "metrics" | "gates" | "flips" | "verdict">;

/**
 * `All 19 that got worse`, by the primary metric; where the verdict beside it counts fewer or more, that number and why, and
 * where it is about another metric, which one: so that nobody takes one of them for wrong.
 */
export function worseRowsWords(reported: Reported, { candidate, rows }: { candidate: number; rows: number }): string {
  const { candidates, metrics, gates, flips, verdict } = reported;
  const on = onMetric(metrics[0]?.name, verdict.metric);
  const all = `All ${number(rows)} that got worse${on}`;
  if (on !== "") return all;
  const name = candidates[candidate];
  const gate = gates.find((each) => each.candidate === name && each.slice === null && each.metric === metrics[0]?.name);
  if (gate === undefined || gate.worse === rows) return all;
  const errors = flips.find((flip) => flip.candidate === name && flip.kind === "error-appeared")?.cases ?? 0;
  const without = errors === 0 || gate.worse > rows ? "" : ", without errors";
  return `${all} (the verdict counts ${number(gate.worse)}${without})`;
}

/** Cases that the baseline answered and a candidate did not, where that makes the data incomplete: their losses are no worse answers. */
export function unansweredOf(
  { verdict, flips }: Pick<ReportSummary, "verdict" | "flips">,
  candidate: string | null,
): number {
  if (verdict.state !== "invalid") return 0;
  return flips.find((flip) => flip.candidate === candidate && flip.kind === "error-appeared")?.cases ?? 0;
}

/** `answered by prod, no answer from test:`; the number of the cases stands behind it. */
export const unansweredWords = (baseline: string, candidate: string): string =>
  `answered by ${baseline}, no answer from ${candidate}:`;
