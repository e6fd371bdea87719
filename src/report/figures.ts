import type { ReportMetric } from "./model.ts";

/** With a true minus sign, and no more digits than mean something. */
export function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** `81 %`; one more digit where whole percents would hide it. */
export function share(value: number): string {
  const percent = value * 100;
  const isWhole = Math.abs(percent - Math.round(percent)) < 0.05 || Math.abs(percent) >= 99.95;
  return `${decimal(percent, isWhole ? 0 : 1)} %`;
}

/** A value of a metric in its own unit. */
export function score(value: number | null, metric: ReportMetric): string {
  if (value === null) return "–";
  if (metric.passes) return share(value);
  return `${decimal(value, digitsFor(value, metric))}${metric.unit === null ? "" : ` ${metric.unit}`}`;
}

/** A difference of a metric with its sign; of rates in points. */
export function difference(value: number | null, metric: ReportMetric, unit = true): string {
  if (value === null) return "–";
  const sign = value > 0 ? "+" : "";
  if (metric.relative) return `${sign}${decimal(value * 100, 1)}${unit ? " %" : ""}`;
  if (metric.passes) return `${sign}${decimal(value * 100, 1)}${unit ? " points" : ""}`;
  return `${sign}${decimal(value, digitsFor(value, metric))}${unit && metric.unit !== null ? ` ${metric.unit}` : ""}`;
}

function digitsFor(value: number, { min, max }: ReportMetric): number {
  const size = Math.abs(value);
  if (min !== null && max !== null && max - min >= 10) return Number.isInteger(value) ? 0 : 1;
  return size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

export function pValue(p: number | null): string {
  if (p === null) return "–";
  return p < 0.0001 ? "< 0.0001" : p < 0.1 ? decimal(p, p < 0.001 ? 4 : 3) : decimal(p, 2);
}
