import { difference, loss, rangeName, pValue, range, sidesFigures } from "./figures.ts";
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
  const sides = sidesFigures(gate, metric).join(" -> ");
  if (losses !== null) return `${sides} (${sizeWords(gate)}); ${lossWords(losses)}`.replaceAll("−", "-");
  const by = test === "" ? "" : `, ${test}`;
  const turned = `${counted(worse, "case")} got worse, ${number(better)} better`;
  return `${sides} (${inside.join(", ")}; ${sizeWords(gate)}${by}); ${turned}`.replaceAll("−", "-");
}

/**
 * `at most 1 point; limit 5 points`, `at least 12.1 points; limit 5 points`: the loss that is left when chance is taken into
 * account, by the bound that decides, beside the limit; null where nothing decides by one.
 */
export function boundAndLimit(
  { state, interval, margin, losses, sides }: ReportGate,
  metric: ReportMetric,
): string | null {
  if (state === null || state === "invalid") return null;
  if (losses !== null) return `${number(losses.lost)} newly failing; limit ${number(losses.allowed)}`;
  if (interval === null || margin === null || sides === 2) return null;
  const [least, most] = [-interval.upper, -interval.lower];
  const limit = `limit ${loss(margin, metric)}`;
  if (state === "regression") return `at least ${loss(least, metric)}; ${limit}`;
  if (most <= 0) return `no loss; ${limit}`;
  if (state === "pass") return `at most ${loss(most, metric)}; ${limit}`;
  return `${least > 0 ? `at least ${loss(least, metric)}, ` : ""}up to ${loss(most, metric)}; ${limit}`;
}

/** `3 cases newly fail, 0 allowed; 1 newly passes` */
function lossWords({ lost, gained, allowed }: NonNullable<ReportGate["losses"]>): string {
  const back = gained === 0 ? "" : `; ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
  return `${counted(lost, "case")} newly ${lost === 1 ? "fails" : "fail"}, ${number(allowed)} allowed${back}`;
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
