import { difference, intervalName, pValue, range, score } from "./figures.ts";
import type { ReportGate, ReportMetric } from "./model.ts";
import { counted, number } from "./quantity.ts";

/** `86.4 % → 69.1 %` */
export function sidesWords({ baseline, now }: ReportGate, metric: ReportMetric): string {
  return `${score(baseline, metric)} → ${score(now, metric)}`;
}

/** `−17.3 points, 95 % interval −23.4 to −11.1, p < 0.0001; 31 got worse, 4 better, of 165 cases` */
export function differenceWords(gate: ReportGate, metric: ReportMetric): string {
  const { interval, confidence, p, cases, clusters, worse, better } = gate;
  const parts = [difference(gate.difference, metric)];
  if (interval !== null) parts.push(`${intervalName(confidence)} ${range(interval, metric)}`);
  if (p !== null) parts.push(`p ${pValue(p)}`);
  const where = clusters === null || clusters === cases ? "" : ` in ${counted(clusters, "conversation")}`;
  const turns = `${number(worse)} got worse, ${number(better)} better, of ${counted(cases, "case")}${where}`;
  return `${parts.join(", ")}; ${turns}`;
}

/** Both, and what would settle it: a gate in one line. */
export function gateWords(gate: ReportGate, metrics: readonly ReportMetric[]): string {
  const metric = metrics.find(({ name }) => name === gate.metric);
  if (metric === undefined) return gate.method;
  const figures = `${sidesWords(gate, metric)}: ${differenceWords(gate, metric)}`;
  return gate.advice === null ? figures : `${figures}; ${gate.advice}`;
}
