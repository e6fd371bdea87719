import { difference, rangeName, pValue, range, scoreFigure } from "./figures.ts";
import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";

/**
 * The figures of a gate in plain words and signs: both sides, the difference, how sure, in how many cases, by which test.
 * `81 % -> 74 % (-7.1 points, 95 % range -11.1 to -3.2, p 0.003; 120 cases in 40 conversations, cluster-robust t); 14
 * cases got worse, 5 better`. A gate on losses counts them instead.
 */
export function gateFigures(gate: ReportGate, metric: ReportMetric): string {
  const { baseline, now, interval, p, losses, worse, better, test } = gate;
  if (baseline === null || now === null) return "no case has a score on both sides";
  const inside = [difference(gate.difference, metric)];
  if (interval !== null) inside.push(`${rangeName(gate)} ${range(interval, metric)}`);
  if (p !== null) inside.push(`p ${pValue(p)}`);
  const sides = `${scoreFigure(baseline, metric)} -> ${scoreFigure(now, metric)}`;
  if (losses !== null) return `${sides} (${sizeWords(gate)}); ${lossWords(losses)}`.replaceAll("−", "-");
  const by = test === "" ? "" : `, ${test}`;
  const turned = `${counted(worse, "case")} got worse, ${number(better)} better`;
  return `${sides} (${inside.join(", ")}; ${sizeWords(gate)}${by}); ${turned}`.replaceAll("−", "-");
}

/** `3 cases turned from pass to fail, 0 allowed; 1 from fail to pass` */
function lossWords({ lost, gained, allowed }: NonNullable<ReportGate["losses"]>): string {
  const back = gained === 0 ? "" : `; ${number(gained)} from fail to pass`;
  return `${counted(lost, "case")} turned from pass to fail, ${number(allowed)} allowed${back}`;
}

/** `120 cases`, or `120 cases in 40 conversations` where cases belong together. */
function sizeWords({ cases, groups }: ReportGate): string {
  const all = counted(cases, "case");
  return groups === null ? all : `${all} in ${groups}`;
}

/** The same with what would settle it: a gate in one line. */
export function gateWords(gate: ReportGate, metrics: readonly ReportMetric[]): string {
  const metric = metrics.find(({ name }) => name === gate.metric);
  if (metric === undefined) return gate.method;
  const figures = gateFigures(gate, metric);
  return gate.advice === null ? figures : `${figures}; ${gate.advice}`;
}
