import type { ReportMetric } from "../../report/model.ts";

const whole = new Intl.NumberFormat("en");

export function count(number: number): string {
  return whole.format(number);
}

/** `1 case`, `2,000 cases`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

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

/** `840 ms`, `1.3 s`, `2 min 5 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${decimal(seconds, seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function instant(at: number): string {
  return dayAndTime.format(new Date(at));
}

/** `not finished`, from `not-finished`. */
export function words(name: string): string {
  return name.replaceAll(/[-_]/g, " ");
}
