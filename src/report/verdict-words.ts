import type { Behaviour } from "../compare/behaviour.ts";
import type { CandidateSummary } from "../compare/candidate-summary.ts";
import type { Comparison } from "../compare/comparison.ts";
import type { GateResult } from "../compare/gates.ts";
import type { MeasureOf } from "../compare/lineup.ts";
import type { MetricSummary } from "../compare/metric-summary.ts";
import type { Interval } from "../stats/interval.ts";
import { outcomeMember } from "../compare/structure-tally.ts";
import type { PairedComparison } from "../stats/paired-comparison.ts";
import { pValue } from "./figures.ts";
import { testAndInterval, testName } from "./method.ts";
import { counted, number } from "./quantity.ts";

/** What a gate came to, in one sentence, and what stands behind it. */
export interface GateWords {
  sentence: string;
  /** Test and interval and why these, complete pairs, what would settle it, the smallest drop that could be seen. */
  details: string[];
}

/**
 * "test is worse on `correct`: 81 % -> 74 % (-7.1 points, 95 % interval -11.8 to -2.5, p 0.003; 120 cases in 40
 * conversations, cluster-robust t); 14 cases got worse, 5 better."
 */
export function gateWords(gate: GateResult, comparison: Comparison): GateWords {
  const candidate = candidateOf(comparison, gate);
  const metric = candidate?.metrics.find(({ metric: name, of }) => name === gate.metric && of === gate.of);
  if (metric === undefined) return { sentence: `${gate.candidate}: ${gate.metric} was not scored.`, details: [] };
  const sentence = `${opening(gate)}: ${metricWords(metric)}.`;
  return { sentence, details: [...gateDetails(gate, metric), ...metricDetails(metric)] };
}

function candidateOf({ candidates }: Comparison, gate: GateResult): CandidateSummary | undefined {
  return candidates.find(({ candidate, baseline }) => candidate === gate.candidate && baseline === gate.baseline);
}

function opening({ candidate, baseline, metric, of, state, margin }: GateResult): string {
  const about = `\`${metric}\``;
  switch (state) {
    case "regression":
      return `${candidate} is worse on ${about}`;
    case "pass":
      return `${candidate} is not worse on ${about} than ${baseline} by ${marginWords(margin, of)} or more`;
    case "inconclusive":
      return `Whether ${candidate} is worse on ${about} by ${marginWords(margin, of)} cannot be told`;
    case "invalid":
      return `Nothing is said of ${candidate} on ${about}`;
  }
}

/** Figures of a metric: both sides, the difference, how sure, in how many cases, by which test. */
function metricWords(metric: MetricSummary): string {
  const { comparison, baseline, candidate, of, unit, worse, better } = metric;
  if (comparison === null || baseline === null || candidate === null) return "no case has a score on both sides";
  const sides = `${value(baseline, of, unit)} -> ${value(candidate, of, unit)}`;
  const inside = [change(comparison.estimate ?? 0, metric)];
  const { interval } = comparison;
  if (interval !== null) {
    inside.push(`95 % interval ${rangeWords(interval, metric)}`);
  }
  if (comparison.p !== null) inside.push(pWords(comparison.p));
  const cases = `${sizeWords(comparison)}, ${testName(comparison)}`;
  const turned = `${counted(worse, "case")} got worse, ${number(better)} better`;
  return `${sides} (${inside.join(", ")}; ${cases}); ${turned}`;
}

/** `120 cases`, or `120 cases in 40 conversations` where cases belong together. */
function sizeWords({ n, clusters }: Pick<PairedComparison, "n" | "clusters">): string {
  return clusters === n ? counted(n, "case") : `${counted(n, "case")} in ${counted(clusters, "conversation")}`;
}

function gateDetails(gate: GateResult, { comparison }: MetricSummary): string[] {
  const details: string[] = [];
  if (gate.reason !== null) details.push(gate.reason);
  if (gate.settle !== null) details.push(`what would settle it: ${gate.settle.text}`);
  if (gate.p !== null && gate.adjusted !== null && comparison !== null) {
    const adjusted = gate.adjusted > gate.p ? `, ${pWords(gate.adjusted)} over all gates (Holm)` : "";
    details.push(`that it lost more than ${marginWords(gate.margin, gate.of)}: ${pWords(gate.p)}${adjusted}`);
  }
  return details;
}

function metricDetails(metric: MetricSummary): string[] {
  const { comparison, answered, detectable, missing, unscored, left, noise } = metric;
  if (comparison === null) return [];
  const details = [testAndInterval(comparison)];
  if (comparison.second !== null) {
    const { interval, why } = comparison.second;
    details.push(`BCa over clusters: ${rangeWords(interval, metric)}, because ${why}`);
  }
  if (answered !== null && answered.interval !== null && answered.estimate !== null) {
    const range = rangeWords(answered.interval, metric);
    const lost = counted(missing.baseline + missing.candidate, "run");
    details.push(`without the ${lost} that brought no answer: ${change(answered.estimate, metric)} (${range})`);
  }
  if (unscored.baseline + unscored.candidate > 0) {
    details.push(`${counted(unscored.baseline + unscored.candidate, "answer")} could not be scored and are left out`);
  }
  if (left > 0) details.push(`${counted(left, "case")} without a score on both sides are left out`);
  if (detectable !== null)
    details.push(`the smallest drop that these cases could show: ${amount(detectable, metric.of, metric.unit)}`);
  if (noise !== null)
    details.push(`${Math.round(noise.share * 100)} % of the variation is that of runs, the rest that of cases`);
  return details;
}

/** `81 %`, `3.42 s`, `1.21` */
export function value(of: number, measure: MeasureOf, unit: string | null): string {
  if (measure === "pass") return `${percent(of)} %`;
  return unit === null ? digits(of) : `${digits(of)} ${unit}`;
}

/** A difference with its sign as a reader takes it: of what is better when lower, more is worse. */
export function change(difference: number, metric: Pick<MetricSummary, "of" | "unit" | "lowerIsBetter">): string {
  const { of, unit } = metric;
  if (of === "pass") return `${signed(difference * 100, 1)} points`;
  const raw = metric.lowerIsBetter ? -difference : difference;
  if (of === "ratio") return `x ${digits(Math.exp(raw))}`;
  return unit === null ? signedDigits(raw) : `${signedDigits(raw)} ${unit}`;
}

/** From the lower to the higher number, as a reader takes them. */
function rangeWords({ low, high }: Interval, metric: MetricSummary): string {
  const [from, to] = metric.lowerIsBetter && metric.of !== "pass" ? [high, low] : [low, high];
  return `${bare(from, metric)} to ${bare(to, metric)}`;
}

function bare(difference: number, metric: MetricSummary): string {
  if (metric.of === "pass") return signed(difference * 100, 1);
  const raw = metric.lowerIsBetter ? -difference : difference;
  return metric.of === "ratio" ? `x ${digits(Math.exp(raw))}` : signedDigits(raw);
}

/** A loss without a sign: `5 points`, `10 %`, `0.3 s` */
export function amount(loss: number, of: MeasureOf, unit: string | null): string {
  if (of === "pass") return counted(Math.round(loss * 1000) / 10, "point");
  if (of === "ratio") return `${Math.round(Math.expm1(Math.abs(loss)) * 1000) / 10} %`;
  return unit === null ? digits(loss) : `${digits(loss)} ${unit}`;
}

/** The margin of a gate, as it is written in the suite. */
export function marginWords(margin: number, of: MeasureOf): string {
  return of === "ratio" ? `${Math.round(margin * 1000) / 10} %` : amount(margin, of, null);
}

export function pWords(p: number): string {
  return `p ${pValue(p)}`;
}

function percent(share: number): string {
  const rounded = Math.round(share * 1000) / 10;
  return Number.isInteger(rounded) || Math.abs(rounded) >= 10 ? String(Math.round(rounded)) : String(rounded);
}

function digits(of: number): string {
  if (of === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(of)));
  return size >= 3 ? number(Math.round(of)) : of.toFixed(Math.min(4, Math.max(0, 2 - size)));
}

function signed(of: number, places: number): string {
  const text = of.toFixed(places);
  return of > 0 && Number(text) !== 0 ? `+${text}` : Number(text) === 0 ? (0).toFixed(places) : text;
}

function signedDigits(of: number): string {
  return of > 0 ? `+${digits(of)}` : digits(of);
}

/** Whether the candidate behaves otherwise, in one sentence. */
export function behaviourWords(behaviour: Behaviour, { candidate, baseline }: CandidateSummary): string {
  switch (behaviour.state) {
    case "changed":
      return `${candidate} behaves otherwise than ${baseline}: ${behaviour.reason}${evidence(behaviour)}.`;
    case "unchanged":
      return `${candidate} does not behave otherwise than ${baseline} beyond noise${evidence(behaviour)}.`;
    case "no-noise-floor":
      return `Whether ${candidate} behaves otherwise than ${baseline} is not known: ${behaviour.reason}.`;
    case "not-compared":
      return `${candidate} is not compared with ${baseline}: ${behaviour.reason}.`;
  }
}

function evidence({ text, paths }: Behaviour): string {
  const parts: string[] = [];
  if (text !== null && text.statistic !== null && text.greater.p !== null) {
    parts.push(`texts ${signed(text.statistic, 2)} further apart, ${pWords(text.greater.p)}`);
  }
  const [first] = paths;
  if (first !== undefined && first.adjusted <= 0.05) {
    parts.push(
      `${first.path === outcomeMember ? "outcomes" : first.path} in ${number(first.raw)} cases against ${number(first.noise)}, ${pWords(first.adjusted)}`,
    );
  }
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}
