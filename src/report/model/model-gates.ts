import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { GateResult } from "../../compare/summary/gates.ts";
import type { ComparedMetric } from "../../compare/comparison-plan.ts";
import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import type { Interval as StatInterval } from "../../stats/interval.ts";
import { decimal, difference, loss, pValue, range } from "../words/figures.ts";
import { methodOf, testName } from "../words/method.ts";
import type { ShownInterval, ReportGate, ReportMetric, ReportSlice } from "../shape/model.ts";
import { counted, number } from "../words/quantity.ts";

/** Metrics in the order of the comparison, which is that of the scores of a row. */
export function reportMetrics(compared: readonly ComparedMetric[]): ReportMetric[] {
  return compared.map(({ metric, of }, place) => {
    const isSecond = compared.findIndex((each) => each.metric.name === metric.name) !== place;
    const bounds = metric.scale.kind === "bounded" ? metric.scale : null;
    const isRate = of === "pass" || metric.scale.kind === "pass";
    return {
      name: isSecond ? `${metric.name} (${of})` : metric.name,
      scorer: metric.name,
      type: metric.type,
      primary: metric.primary && !isSecond,
      lowerIsBetter: of !== "pass" && metric.lowerIsBetter,
      passes: isRate,
      relative: of === "ratio",
      unit: metric.scale.kind === "unbounded" && of !== "pass" ? metric.scale.unit : null,
      min: isRate ? 0 : (bounds?.min ?? null),
      max: isRate ? 1 : (bounds?.max ?? null),
    };
  });
}

/** Every metric of a candidate, in the order of the metrics. */
export function candidateGates(
  candidate: CandidateSummary,
  { gates, decision }: Pick<Comparison, "gates" | "decision">,
  metrics: readonly ReportMetric[],
): ReportGate[] {
  return candidate.metrics.flatMap((summary, place) => {
    const metric = metrics[place];
    const gate = gates.find(
      (each) => each.candidate === candidate.candidate && each.metric === summary.metric && each.of === summary.of,
    );
    if (metric === undefined) return [];
    const told = reportGate(summary, metric, { candidate: candidate.candidate, gate: gate ?? null });
    const level = gate === undefined ? [] : levelOf(decision);
    return [{ ...told, details: [...level, ...told.details] }];
  });
}

/** The level at which a gate decides, if it is not that of the interval that is shown. */
function levelOf({ alpha, nights }: Comparison["decision"]): string[] {
  if (alpha === usualAlpha) return [];
  if (nights > 1) {
    return [
      `It calls a regression at p ${pValue(alpha)}, its share of the ${nights} nights over which alpha is spent.`,
    ];
  }
  const asks = alpha < usualAlpha ? "more" : "less";
  return [`It decides at p ${pValue(alpha)}: it asks for ${asks} than at the usual ${usualAlpha}.`];
}

const usualAlpha = 0.05;

function reportGate(
  summary: MetricSummary,
  metric: ReportMetric,
  { candidate, gate }: { candidate: string; gate: GateResult | null },
): ReportGate {
  const { comparison } = summary;
  const shown = shownAs(metric);
  const estimate = comparison?.estimate ?? null;
  const detectable = summary.detectable === null ? null : lossShown(summary.detectable, metric);
  const smallestDrop = dropWords(detectable, summary.notDetectable, metric);
  return {
    candidate,
    metric: metric.name,
    state: gate?.state ?? null,
    margin: gate?.margin ?? null,
    difference: estimate === null ? null : shown(estimate),
    interval: shownInterval(comparison?.interval ?? null, metric),
    confidence: 0.95,
    p: comparison?.p ?? null,
    pLoss: gate === null ? null : (gate.adjusted ?? gate.p),
    baseline: summary.baseline,
    now: summary.candidate,
    cases: comparison?.n ?? 0,
    clusters: comparison?.clusters ?? null,
    groups: summary.groups,
    worse: summary.worse,
    better: summary.better,
    test: comparison === null ? "" : testName(comparison),
    method: comparison === null ? "" : methodOf(comparison),
    detectable,
    smallestDrop,
    details: detailsOf(gate, summary, { metric, smallestDrop }),
    advice: adviceOf(gate, summary),
  };
}

/** A loss as it is shown: for a ratio the share by which it is worse, as its margin is written. */
function lossShown(drop: number, metric: ReportMetric): number {
  return Math.abs(shownAs(metric)(-drop));
}

/** A ratio is compared as a difference of logarithms; it is shown as the share by which it is better. */
function shownAs({ relative, lowerIsBetter }: ReportMetric): (value: number) => number {
  if (!relative) return (value) => value;
  return lowerIsBetter ? (value) => 1 - Math.exp(-value) : (value) => Math.exp(value) - 1;
}

function shownInterval(interval: StatInterval | null, metric: ReportMetric): ShownInterval | null {
  const shown = shownAs(metric);
  return interval === null ? null : { lower: shown(interval.low), upper: shown(interval.high) };
}

/** The details behind a gate beside its figures, each a sentence. */
function detailsOf(
  gate: GateResult | null,
  summary: MetricSummary,
  { metric, smallestDrop }: { metric: ReportMetric; smallestDrop: string | null },
): string[] {
  const { comparison, answered, missing, unscored, left, noise } = summary;
  const details: string[] = [];
  if (comparison !== null && comparison.second !== null) {
    const { interval, why } = comparison.second;
    const second = shownInterval(interval, metric);
    if (second !== null) details.push(`BCa bootstrap over clusters: ${range(second, metric)}, because ${why}.`);
  }
  if (gate !== null && gate.p !== null) {
    const adjusted =
      gate.adjusted === null || gate.adjusted <= gate.p ? "" : `, ${pValue(gate.adjusted)} over all gates (Holm)`;
    details.push(`That it lost more than ${loss(gate.margin, metric)}: p ${pValue(gate.p)}${adjusted}.`);
  }
  if (answered !== null && answered.estimate !== null) {
    const interval = shownInterval(answered.interval, metric);
    const lost = counted(missing.baseline + missing.candidate, "run");
    const within = interval === null ? "" : ` (${range(interval, metric)})`;
    const by = difference(shownAs(metric)(answered.estimate), metric);
    details.push(`Without the ${lost} that brought no answer: ${by}${within}.`);
  }
  const open = unscored.baseline + unscored.candidate;
  if (open > 0) details.push(`${counted(open, "answer")} could not be scored: left out.`);
  if (left > 0) details.push(`${counted(left, "case")} without a score on both sides: left out.`);
  if (smallestDrop !== null) details.push(smallestDrop);
  if (summary.byLot !== null) details.push(lotWords(summary.byLot));
  details.push(...likenessWords(summary));
  if (noise !== null) {
    details.push(`${Math.round(noise.share * 100)} % of the variation is that of runs, the rest that of cases.`);
  }
  return details;
}

function lotWords(p: number): string {
  return `By lot, which of the runs of a case are the candidate's: p ${pValue(p)}; where one side ran more often and fails are rare, the p of t leans to the better.`;
}

/** The reason why the interval is wider than that of as many cases on their own. */
function likenessWords({ alike, groups, comparison }: MetricSummary): string[] {
  if (alike === null || groups === null || comparison === null) return [];
  const { icc, designEffect } = alike;
  const worth = number(Math.max(1, Math.round(comparison.n / designEffect)));
  return [
    `Within the ${groups} differences are alike (ICC ${decimal(icc, 2)}): ${counted(comparison.n, "case")} tell as much as ${worth} on their own (design effect ${decimal(designEffect, 1)}).`,
  ];
}

/** The drop that so many cases could show at all, so that "not worse" is not taken for more than it is. */
function dropWords(detectable: number | null, why: string | null, metric: ReportMetric): string | null {
  if (detectable === null) return why === null ? null : `No drop is sure to show (80 % power): ${why}.`;
  return `A drop of ${loss(detectable, metric)} is the smallest that so many cases would show (80 % power).`;
}

function adviceOf(gate: GateResult | null, { comparison }: MetricSummary): string | null {
  if (gate === null) return comparison?.reason ?? null;
  if (gate.settle !== null) return `What would settle it: ${gate.settle.text}.`;
  return gate.reason;
}

/** The metrics of a candidate in the cases with one value of a tag. */
export function reportSlices(
  { candidate, slices, metrics: candidateMetrics }: CandidateSummary,
  metrics: readonly ReportMetric[],
): ReportSlice[] {
  return slices.flatMap((slice) => {
    const { tag, value, metric, of, cases, interval, adjusted } = slice;
    const place = candidateMetrics.findIndex((each) => each.metric === metric && each.of === of);
    const about = metrics[place];
    if (about === undefined) return [];
    const shown = shownAs(about);
    return [
      {
        candidate,
        metric: about.name,
        tag,
        value,
        cases,
        baseline: null,
        now: null,
        difference: slice.difference === null ? null : shown(slice.difference),
        interval: shownInterval(interval, about),
        p: adjusted,
      },
    ];
  });
}
