import { wordFacts } from "../../compare/verdict-word.ts";
import type { ReportSummary } from "../shape/model.ts";
import { isTime, sidesFigures, sizeOfChange } from "./figures.ts";
import { onMetric } from "./metric-words.ts";
import { decidedByPeople } from "./people-words.ts";
import { capitalised, number } from "./quantity.ts";
import { rowsWords } from "./row-words.ts";

type Reported = Pick<ReportSummary, "candidates" | "pairs" | "gates" | "metrics" | "flips" | "verdict" | "choice">;

/** Rows that are named at a glance. */
const mostRows = 3;

/**
 * Says which rows changed, beside the verdict: `Rows 5, 11, 22 and 3 more newly fail.` Of several candidates a line for each, with
 * its word and both sides: `big-model: PASS, 86.4 % -> 85.5 %, 0.22 s slower; rows 5 and 11 newly fail`. Empty where none
 * turned, and where nothing counts.
 */
export function changedRowsLines(reported: Reported): string[] {
  const { candidates, verdict, choice, pairs } = reported;
  if (verdict.word === null || verdict.state === "invalid") return [];
  // A table has a line for each that is chosen among.
  if (choice !== undefined && pairs.every(({ word }) => word === null)) return [];
  if (candidates.length > 1) return candidates.map((candidate) => candidateLine(reported, candidate));
  return candidates.flatMap((candidate) => {
    const turned = turnedWords(reported, candidate);
    return turned === "" ? [] : [`${capitalised(turned)}.`];
  });
}

function candidateLine(reported: Reported, candidate: string): string {
  const { pairs, gates, metrics } = reported;
  const word = pairs.find((pair) => pair.candidate === candidate)?.word ?? null;
  const own = gates.filter((gate) => gate.candidate === candidate && gate.slice === null);
  const [primary] = metrics;
  const gate = own.find(({ metric }) => metric === primary?.name);
  const sides =
    gate === undefined || primary === undefined ? [] : [sidesFigures(gate, primary).join(" -> ").replaceAll("−", "-")];
  const slower = metrics.flatMap((metric) => {
    const of = own.find((each) => each.metric === metric.name);
    if (metric === primary || !isTime(metric) || metric.relative || of === undefined || of.interval === null) return [];
    // A difference that may be chance is none to name.
    const isSure = of.interval.upper < 0 || of.interval.lower > 0;
    return isSure ? [sizeOfChange(of.difference, metric)] : [];
  });
  const figures = [word === null ? "no verdict" : wordFacts(word).shown, ...sides, ...slower.slice(0, 1)].join(", ");
  const turned = turnedWords(reported, candidate);
  return `${candidate}: ${figures}${turned === "" ? "" : `; ${turned}`}`;
}

/** `rows 5, 11, 22 and 3 more newly fail`; those that newly pass where none fails. */
function turnedWords({ flips, verdict, gates }: Reported, candidate: string): string {
  for (const [kind, fails, fail] of [
    ["pass-to-fail", "newly fails", "newly fail"],
    ["fail-to-pass", "newly passes", "newly pass"],
  ] as const) {
    const found = flips.find((flip) => flip.candidate === candidate && flip.kind === kind && flip.cases > 0);
    if (found === undefined) continue;
    const rows = rowsWords(found.rows.slice(0, mostRows), found.cases);
    const isCorrected = gates.some(
      (gate) => gate.candidate === candidate && gate.metric === found.metric && decidedByPeople(gate) !== null,
    );
    // People labelled some rows only: which others changed is known from the judge.
    const on = `${onMetric(found.metric ?? undefined, verdict.metric)}${isCorrected ? " by the judge alone" : ""}`;
    if (rows !== "") return `${rows} ${found.cases === 1 ? fails : fail}${on}`;
    return `${number(found.cases)} ${found.cases === 1 ? fails : fail}${on}`;
  }
  return "";
}
