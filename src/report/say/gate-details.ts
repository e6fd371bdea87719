import type { BoundsEvidence, MarginFacts } from "../../compare/verdict/facts.ts";
import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import type { Interval as StatInterval } from "../../stats/interval.ts";
import { changeFigure, changeRange, decimal, loss, pValue, shareFigure } from "./figures.ts";
import type { ShownInterval, ReportMetric } from "../shape/model.ts";
import { alwaysWords } from "./people.ts";
import { besideWords } from "./scorers.ts";
import { causeWords, unitWords } from "./causes.ts";
import type { Cause } from "../../compare/cause.ts";
import { counted, number } from "./quantity.ts";

/** A loss as it is shown: for a ratio the share by which it is worse, as its margin is written. */
export function lossShown(drop: number, metric: Pick<ReportMetric, "relative" | "lowerIsBetter">): number {
  return Math.abs(shownAs(metric)(-drop));
}

/** A ratio is compared as a difference of logarithms; it is shown as the share by which it is better. */
export function shownAs({
  relative,
  lowerIsBetter,
}: Pick<ReportMetric, "relative" | "lowerIsBetter">): (value: number) => number {
  if (!relative) return (value) => value;
  return lowerIsBetter ? (value) => 1 - Math.exp(-value) : (value) => Math.exp(value) - 1;
}

export function shownInterval(interval: StatInterval | null, metric: ReportMetric): ShownInterval | null {
  const shown = shownAs(metric);
  return interval === null ? null : { lower: shown(interval.low), upper: shown(interval.high) };
}

/** The details of a gate, each a sentence: the p values of its two claims, and by what they are held back. */
export function gateDetails({ decided, margin }: MarginFacts, metric: ReportMetric): string[] {
  if (decided === null) return [];
  const { pRegression, pPass } = decided;
  const more = `more than ${loss(margin, metric)}`;
  return [
    ...(pRegression === null ? [] : [`That it lost ${more}: p ${pValue(pRegression)}${adjustedWords(decided)}.`]),
    ...(pPass === null ? [] : [`That it did not: p ${pValue(pPass)}.`]),
    ...(decided.oneMore === undefined || decided.lower === null ? [] : [oneMoreWords(decided.oneMore, metric)]),
    ...(decided.confidence.upper > decided.confidence.lower + 1e-9
      ? [`The upper bound holds at ${shareFigure(decided.confidence.upper)}, because several claims share 5 % (Holm).`]
      : []),
  ];
}

/** The lower bound is further out than the differences alone would have it. */
function oneMoreWords(loss_: number, metric: ReportMetric): string {
  const by = loss(lossShown(loss_, metric), metric);
  if (metric.passes || metric.min !== null)
    return `Few rows differ: the bound of the loss counts one more row that loses ${by}, all of the scale.`;
  return `The score has no ends: the bound of the loss counts one more row that loses ${by}, as far as its values lie apart.`;
}

function adjustedWords({ pRegression, adjusted }: BoundsEvidence): string {
  if (adjusted === null || pRegression === null || adjusted <= pRegression) return "";
  return `, ${pValue(adjusted)} over all gates (Holm)`;
}

/** The details of a metric over all cases, each a sentence. */
export function metricDetails(summary: MetricSummary, metric: ReportMetric): string[] {
  const { answered, missing, unscored, left, noise } = summary;
  const details: string[] = [];
  if (answered !== null && answered.estimate !== null) {
    const interval = shownInterval(answered.interval, metric);
    const within = interval === null ? "" : ` (${changeRange(interval, metric)})`;
    const by = changeFigure(shownAs(metric)(answered.estimate), metric);
    const runs = counted(missing.baseline + missing.candidate, "run");
    details.push(`Among those answered: ${by}${within}, in ${counted(answered.n, "row")}; ${runs} brought no answer.`);
  }
  details.push(...cutWords(summary), ...alwaysWords(summary, metric));
  const open = unscored.baseline + unscored.candidate;
  if (open > 0) details.push(`${counted(open, "answer")} could not be scored: left out.`);
  const ungraded = besideWords(summary);
  if (ungraded !== null) details.push(`${ungraded}.`);
  if (left > 0) details.push(`${counted(left, "row")} without a score on both sides: left out.`);
  details.push(...likenessWords(summary));
  if (noise !== null) {
    details.push(`${Math.round(noise.share * 100)} % of the variation is that of runs, the rest that of rows.`);
  }
  return details;
}

/** Values beyond the ends of a score that has none by itself. */
function cutWords({ cut }: MetricSummary): string[] {
  if (cut === null) return [];
  const { min, max, baseline, candidate } = cut;
  const found = baseline + candidate === 0 ? "none does" : `${baseline} of the baseline, ${candidate} of the candidate`;
  return [`A value below ${min} or above ${max} counts as that end: ${found}.`];
}

/** The reason why the interval is wider than that of as many cases on their own. */
function likenessWords({ alike, groups, comparison }: MetricSummary): string[] {
  if (alike === null || groups === null || comparison === null) return [];
  const { icc, designEffect } = alike;
  // Clusters that vary less than single cases would promise more cases than there are.
  if (designEffect <= 1) return [];
  const worth = number(Math.max(1, Math.round(comparison.n / designEffect)));
  return [
    `Within the ${unitWords(groups)} differences are alike (ICC ${decimal(icc, 2)}): ${counted(comparison.n, "row")} tell as much as ${worth} on their own (design effect ${decimal(designEffect, 1)}).`,
  ];
}

/** The drop that so many cases could show at all, so that "not worse" is not taken for more than it is. */
export function dropWords(detectable: number | null, why: Cause | null, metric: ReportMetric): string | null {
  if (detectable === null) return why === null ? null : `No drop is sure to show (80 % power): ${causeWords(why)}.`;
  return `A drop of ${loss(detectable, metric)} is the smallest that so many rows would show (80 % power).`;
}

/** The drop from which the gate calls a regression. */
export function gateDropWords(drop: number | null, why: Cause | null, metric: ReportMetric): string | null {
  if (drop === null)
    return why === null ? null : `No drop is sure to be called a regression (80 % power): ${causeWords(why)}.`;
  return `A drop of ${loss(drop, metric)} is the smallest that this gate calls a regression with 80 % power.`;
}
