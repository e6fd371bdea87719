import { counted } from "./quantity.ts";
import type { ShownInterval, ReportMetric } from "../shape/model.ts";

/** The facts about a metric that decide the form of its figures. */
export type ShownMeasure = Pick<ReportMetric, "passes" | "relative" | "lowerIsBetter" | "unit" | "min" | "max">;

/** A measure without the scale of its metric. */
export function measure(of: "pass" | "value" | "median" | "ratio"): ShownMeasure {
  return { passes: of === "pass", relative: of === "ratio", lowerIsBetter: false, unit: null, min: null, max: null };
}

/** Formats a number with a true minus sign, and no more digits than mean something. */
export function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** `81 %`; one more digit where whole percents would hide it. 0 and 100 only where it is none or all. */
export function shareFigure(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  if (percent < 100 && percent >= 99.95) return "> 99.9 %";
  const isWhole = Math.abs(percent - Math.round(percent)) < 0.05;
  return `${decimal(percent, isWhole ? 0 : 1)} %`;
}

/** A value of a metric in its own unit. */
export function scoreFigure(value: number | null, metric: ShownMeasure): string {
  if (value === null) return "–";
  if (metric.passes) return shareFigure(value);
  return `${decimal(value, digitsFor(value, metric))}${metric.unit === null ? "" : ` ${metric.unit}`}`;
}

/**
 * A difference of a metric: candidate minus baseline with its sign, but for a rounded nothing; of rates in points, of ratios as
 * `× 1.31`. Where lower is better a word says which way is good, `0.03 s slower`, because the given difference is signed so that
 * positive is better; without a unit it is a number again.
 */
export function difference(value: number | null, metric: ShownMeasure, unit = true): string {
  if (value === null) return "–";
  if (metric.relative) return `× ${times(metric.lowerIsBetter ? 1 - value : 1 + value)}`;
  if (metric.lowerIsBetter)
    return unit ? sizeOfChange(value, metric) : difference(-value, { ...metric, lowerIsBetter: false }, false);
  const text = metric.passes ? decimal(value * 100, 1) : decimal(value, digitsFor(value, metric));
  const sign = value > 0 && Number(text) !== 0 ? "+" : "";
  const name = metric.passes ? " points" : metric.unit === null ? "" : ` ${metric.unit}`;
  return `${sign}${text}${unit ? name : ""}`;
}

/** `17.3 points worse`, `0.03 s slower`, `no difference`: a difference whose words say which way is good. */
export function sizeOfChange(value: number | null, metric: ShownMeasure): string {
  if (value === null || metric.relative) return difference(value, metric);
  const size = Math.abs(value);
  const isTime = metric.lowerIsBetter && (metric.unit === "s" || metric.unit === "ms");
  const digits = metric.passes ? 1 : Math.min(digitsFor(size, metric), isTime && size >= 0.01 ? 2 : 3);
  const text = decimal(metric.passes ? size * 100 : size, digits);
  if (Number(text) === 0) return "no difference";
  const name = metric.passes ? " points" : metric.unit === null ? "" : ` ${metric.unit}`;
  return `${text}${name} ${value < 0 ? (isTime ? "slower" : "worse") : isTime ? "faster" : "better"}`;
}

/** Three digits: a share by which something is better says little of what takes four times as long. */
function times(ratio: number): string {
  return decimal(ratio, ratio >= 99.5 ? 0 : ratio >= 9.95 ? 1 : 2);
}

/** `−23.4 to −11.1`, `× 1.27 to × 1.35`: of differences of a metric, from the lower to the higher number. */
export function range({ lower, upper }: ShownInterval, metric: ShownMeasure): string {
  const [from, to] = metric.lowerIsBetter ? [upper, lower] : [lower, upper];
  return `${difference(from, metric, false)} to ${difference(to, metric, false)}`;
}

/** `83.1 % to 90.2 %`: of values of a metric. */
export function scoreRange({ lower, upper }: ShownInterval, metric: ShownMeasure): string {
  return `${scoreFigure(lower, metric)} to ${scoreFigure(upper, metric)}`;
}

/** A loss without a sign, such as a margin: `5 points`, `10 %`, `0.3 s`. */
export function loss(value: number, metric: ShownMeasure): string {
  if (metric.relative) return `${Math.round(value * 1000) / 10} %`;
  if (metric.passes) return counted(Math.round(value * 1000) / 10, "point");
  return scoreFigure(value, metric);
}

/** Words losses in the order of a text. */
export type LossTeller = (value: number, metric: ShownMeasure) => string;

/** The first loss in points says that they are percentage points, and the first of a score tells its scale. */
export function lossTeller(): LossTeller {
  const told = new Set<string>();
  return (value, metric) => {
    const { passes, relative, min, max } = metric;
    const text = loss(value, metric);
    const scale = passes ? "points" : `${min} to ${max}`;
    if (relative || (!passes && (min === null || max === null)) || told.has(scale)) return text;
    told.add(scale);
    if (passes) return text.replace(/ (points?)$/, " percentage $1");
    return min === 0 && max !== null && max >= 10 ? `${text} of ${max}` : `${text} on a scale from ${scale}`;
  };
}

function digitsFor(value: number, { min, max }: ShownMeasure): number {
  const size = Math.abs(value);
  if (min !== null && max !== null && max - min >= 10) return Number.isInteger(value) ? 0 : 1;
  return size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

export function pValue(p: number | null): string {
  if (p === null) return "–";
  return p < 0.0001 ? "< 0.0001" : p < 0.1 ? decimal(p, p < 0.001 ? 4 : 3) : decimal(p, 2);
}

/** `95 % range`: where a value may lie with chance taken into account, in one word wherever it is shown. */
export function rangeName({ confidence }: { confidence: number }): string {
  return `${decimal(confidence * 100, 0)} % range`;
}

/** The same for a column of a table, in which each line may have a confidence of its own. */
export function rangesName(shown: readonly { confidence: number }[]): string {
  const [first = { confidence: 0.95 }] = shown;
  return shown.every(({ confidence }) => confidence === first.confidence) ? rangeName(first) : "range";
}
