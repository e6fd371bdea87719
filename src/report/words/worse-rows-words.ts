import type { ReportSummary } from "../shape/model.ts";
import { number } from "./quantity.ts";

type Told = Pick<ReportSummary, "candidates" | "metrics" | "gates" | "stopping" | "flips">;

/**
 * `All 19 that got worse`; where the verdict beside it counts fewer or more, that number and why, so that nobody takes
 * one of them for wrong.
 */
export function worseRowsWords(told: Told, { candidate, rows }: { candidate: number; rows: number }): string {
  const { candidates, metrics, gates, stopping, flips } = told;
  const all = `All ${number(rows)} that got worse`;
  const name = candidates[candidate];
  const gate = gates.find((each) => each.candidate === name && each.slice === null && each.metric === metrics[0]?.name);
  if (gate === undefined || gate.worse === rows) return all;
  const errors = flips.find((flip) => flip.candidate === name && flip.kind === "error-appeared")?.cases ?? 0;
  const isStopped = stopping !== null && stopping.decidedAfter !== null && stopping.spared > 0;
  const reasons = [...(isStopped ? ["answers that came after it was decided"] : []), ...(errors > 0 ? ["errors"] : [])];
  const without = reasons.length === 0 || gate.worse > rows ? "" : `, without ${reasons.join(" and ")}`;
  return `${all} (the verdict counts ${number(gate.worse)}${without})`;
}
