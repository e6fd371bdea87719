import { counted } from "./quantity.ts";
import type { ReportGate, ReportMetric, ShownInterval } from "../shape/model.ts";

/** The facts about a metric that decide the form of its figures. */
export type ShownMeasure = Pick<ReportMetric, "passes" | "relative" | "lowerIsBetter" | "unit" | "min" | "max">;

/** A measure without the scale of its metric. */
export function measure(of: "pass" | "value" | "median" | "ratio"): ShownMeasure {
  return { passes: of === "pass", relative: of === "ratio", lowerIsBetter: false, unit: null, min: null, max: null };
}

/** Formats a number with no more digits than mean something; a rounded nothing has no sign. */
export function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** `81 %`; one more digit where whole percents would hide it. 0 and 100 only where it is none or all. */
export function shareFigure(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return "< 0.1 %";
  if (percent < 100 && percent >= 99.95) return "> 99.9 %";
  const isWhole = Math.abs(percent - Math.round(percent)) < 0.05;
  return `${decimal(percent, isWhole ? 0 : 1)} %`;
}

/** A value of a metric in its own unit; `more` digits than usual, where it is no rate. */
export function scoreFigure(value: number | null, metric: ShownMeasure, more = 0): string {
  if (value === null) return "–";
  if (metric.passes) return shareFigure(value);
  const text = decimal(value, digitsFor(value, metric) + more);
  return `${text}${metric.unit === null ? "" : ` ${unitBeside(text, metric.unit)}`}`;
}

/** Rates below each other have one decimal each. */
export function columnFigure(value: number | null, metric: ShownMeasure): string {
  const isUsual = value === null || !metric.passes || (value > 0 && value < 0.0005) || (value < 1 && value >= 0.9995);
  return isUsual ? scoreFigure(value, metric) : `${(value * 100).toFixed(1)} %`;
}

/** `17.3 points worse`, `0.03 s slower`, `no difference`: a difference whose words say which way is good. */
export function sizeOfChange(value: number | null, metric: ShownMeasure): string {
  if (value === null || metric.relative) return changeFigure(value, metric);
  const { size, way } = sizeAndWay(value, metric);
  return way === null ? "no difference" : `${size} ${way}`;
}

/** False for a change that is rounded to nothing. */
export const isShownChange = (value: number, metric: ShownMeasure): boolean => sizeAndWay(value, metric).way !== null;

/** `17.3 points`, `worse`: how much, and which way; null: it is rounded to nothing. */
function sizeAndWay(value: number, metric: ShownMeasure): { size: string; way: string | null } {
  const size = Math.abs(value);
  const slow = isTime(metric);
  const digits = metric.passes ? 1 : Math.min(digitsFor(size, metric), slow && size >= 0.01 ? 2 : 3);
  const text = decimal(metric.passes ? size * 100 : size, digits);
  const way = value < 0 ? (slow ? "slower" : "worse") : slow ? "faster" : "better";
  return { size: `${text}${unitOf(text, metric)}`, way: Number(text) === 0 ? null : way };
}

/** True for a metric of which more is slower. */
export const isTime = ({ lowerIsBetter, unit }: ShownMeasure): boolean =>
  lowerIsBetter && (unit === "s" || unit === "ms");

/** Three digits: a share by which something is better says little of what takes four times as long. */
function times(ratio: number): string {
  return decimal(ratio, ratio >= 99.5 ? 0 : ratio >= 9.95 ? 1 : 2);
}

/** The unit behind a figure: ` points`, ` s`, and ` word` behind one. */
function unitOf(figure: string, { passes, unit }: ShownMeasure): string {
  return passes ? " points" : unit === null ? "" : ` ${unitBeside(figure, unit)}`;
}

const singulars: Readonly<Record<string, string>> = { graphemes: "grapheme", characters: "character", words: "word" };

function unitBeside(figure: string, unit: string): string {
  return figure === "1" || figure === "-1" ? (singulars[unit] ?? unit) : unit;
}

/** Sides with a difference that is signed so that positive is better. */
interface ComparedSides {
  baseline: number | null;
  now: number | null;
  difference: number | null;
}

/** The most digits that sides are given beside their usual ones. */
const mostMore = 3;

/**
 * Values of both sides, with so many digits that those which are shown differ by the difference which is shown. Rates have
 * their usual digits, and so have figures whose difference is another one, such as the median of differences.
 */
export function sidesFigures(
  { baseline, now, difference: by }: ComparedSides,
  metric: ShownMeasure,
): [baseline: string, now: string] {
  const usual: [string, string] = [scoreFigure(baseline, metric), scoreFigure(now, metric)];
  if (baseline === null || now === null || by === null || metric.passes || metric.relative) return usual;
  const gained = (from: number, to: number): number => (metric.lowerIsBetter ? from - to : to - from);
  if (Math.abs(gained(baseline, now) - by) > 1e-9 * Math.max(1, Math.abs(baseline))) return usual;
  for (let more = 0; more <= mostMore; more++) {
    const [from, to] = [baseline, now].map((value) => value.toFixed(digitsFor(value, metric) + more));
    const shown = gained(Number(from), Number(to));
    // A half may be rounded either way.
    const isSame = [-1e-9, 1e-9].some((near) => changeFigure(shown + near, metric) === changeFigure(by, metric));
    if (!isSame) continue;
    return [scoreFigure(baseline, metric, more), scoreFigure(now, metric, more)];
  }
  return usual;
}

/** `83.1 % to 90.2 %`: of values of a metric. */
export function scoreRange({ lower, upper }: ShownInterval, metric: ShownMeasure): string {
  return `${scoreFigure(lower, metric)} to ${scoreFigure(upper, metric)}`;
}

/** A loss without a sign: `5 points`, `10 %`, `0.3 s`; with so many digits `more` than usual, where they say something. */
export function loss(value: number, metric: ShownMeasure, more = 0): string {
  const scale = 10 ** (1 + more);
  const percent = Math.round(value * 100 * scale) / scale;
  if (metric.relative) return `${percent} %`;
  if (metric.passes) return counted(percent, "point");
  return scoreFigure(value, metric, more);
}

/** A loss that is allowed, with the digits that it was written with. */
export function limitFigure(limit: number, metric: ShownMeasure): string {
  const isShare = metric.passes || metric.relative;
  const [value, digits] = isShare ? [limit * 100, 1] : [limit, digitsFor(limit, metric)];
  for (let more = 0; more <= mostMore; more++) {
    const isExact = Math.abs(Number(value.toFixed(digits + more)) - value) < 1e-9 * (isShare ? 100 : 1);
    if (isExact) return loss(limit, metric, more);
  }
  return loss(limit, metric);
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

/** The kind of a range: a two-sided interval, or two one-sided bounds, of which each has its own confidence. */
type RangeKind = Pick<ReportGate, "confidence" | "sides" | "upperConfidence">;

/**
 * `95 % range`: where a value may lie with chance taken into account, in one word wherever it is shown. The two bounds of a gate
 * are none: `between, 95 % each`, since both together hold less often than each.
 */
function rangeName({ confidence, sides, upperConfidence = confidence }: RangeKind): string {
  return sides === 2 ? `${percentOf(confidence)} range` : `between, ${eachWords(confidence, upperConfidence)}`;
}

/**
 * The kind of the ranges of a column of a table. Where the lines have several kinds, the title says none, and each line has its
 * own mark: `-11.1 to -3.2 (95 %)`, `-22.4 to -4.2 (each end 95 %)`.
 */
export function rangesOf(shown: readonly RangeKind[]): {
  name: string;
  text: (kind: RangeKind, interval: ShownInterval, metric: ShownMeasure, limit?: number | null) => string;
} {
  const [first = alone] = shown;
  if (new Set(shown.map(rangeName)).size <= 1)
    return { name: rangeName(first), text: (_, ...given) => changeRange(...given) };
  return {
    name: "range (confidence)",
    text: (kind, ...given) => `${changeRange(...given)} (${confidenceMark(kind)})`,
  };
}

/** `95 %` of a range of which both ends together have it, `each end 95 %` of one with two bounds. */
export function confidenceMark({ confidence, sides, upperConfidence = confidence }: RangeKind): string {
  const [lower, upper] = [percentOf(confidence), percentOf(upperConfidence)];
  if (sides === 2) return lower;
  return lower === upper ? `each end ${lower}` : `ends ${percentNumber(confidence)} / ${upper}`;
}

/** The kind of a range of one value, or of a metric without a gate. */
const alone: RangeKind = { confidence: 0.95, sides: 2 };

/**
 * `95 %` of ranges of which both ends together have it, `each end 95 %` where each has it by itself; where ends have other levels
 * `each end 95 % or more`, in short `each end 95 %+`: the least that each holds at.
 */
export function levelWords(kinds: readonly RangeKind[], orMore = " or more"): string {
  const all = kinds.flatMap(({ confidence, upperConfidence = confidence }) => [confidence, upperConfidence]);
  const [least, most] = all.length === 0 ? [0.95, 0.95] : [Math.min(...all), Math.max(...all)];
  const mark = kinds.some(({ sides }) => sides === 1) ? "each end " : "";
  return `${mark}${percentOf(least)}${percentOf(least) === percentOf(most) ? "" : orMore}`;
}

function eachWords(lower: number, upper: number): string {
  const [one, other] = [percentOf(lower), percentOf(upper)];
  return one === other ? `${one} each` : `${one} and ${other}`;
}

const percentNumber = (share: number): string =>
  decimal(share * 100, Number.isInteger(Math.round(share * 1e4) / 100) ? 0 : 1);
const percentOf = (share: number): string => `${percentNumber(share)} %`;

/** Name of the p of a column: two questions never share one. */
export const pNames = { gate: "p lost more", metric: "p any change" };

/** The question behind each, for whoever asks. */
export const pAbout = {
  gate: "how likely so large a loss would be by chance if no more were lost than the limit; the smaller it is, the surer is a loss beyond the limit",
  metric:
    "how likely so large a difference would be by chance if nothing had changed; the smaller it is, the surer is a change",
};

/** True for a ratio that no change of a bot explains: both figures are in other units. */
export function isImplausible(value: number | null, metric: ShownMeasure): boolean {
  if (value === null || !metric.relative) return false;
  const ratio = metric.lowerIsBetter ? 1 - value : 1 + value;
  return ratio > 100 || ratio < 0.01;
}

/**
 * Candidate minus baseline in the unit of the score, `-17.3 points`, `+0.22 s`, of ratios `× 1.31`: whether that is good stands beside it. Where rounding
 * would put it on the limit or beyond, it has more digits: `-4.95` beside a limit of 5 points.
 */
export function changeFigure(
  value: number | null,
  metric: ShownMeasure,
  { unit = true, limit = null }: { unit?: boolean; limit?: number | null } = {},
): string {
  if (value === null) return "–";
  if (isImplausible(value, metric)) return "check the units";
  if (metric.relative) return `× ${times(metric.lowerIsBetter ? 1 - value : 1 + value)}`;
  const scale = metric.passes ? 100 : 1;
  const way = metric.lowerIsBetter ? -1 : 1;
  const raw = value === 0 ? 0 : way * value * scale;
  const digits = metric.passes ? 1 : Math.min(digitsFor(raw, metric), isTime(metric) && Math.abs(raw) >= 0.01 ? 2 : 3);
  const text = besideLimit(raw, { digits, limit: limit === null ? null : -way * limit * scale });
  const sign = Number(text) > 0 ? "+" : "";
  return `${sign}${Number(text) === 0 ? text.replace("-", "") : text}${unit ? unitOf(text, metric) : ""}`;
}

/** A value with so many digits, or more, that it lies on the same side of a limit as before it was rounded. */
function besideLimit(value: number, { digits, limit }: { digits: number; limit: number | null }): string {
  const usual = value.toFixed(digits);
  if (limit === null || Math.abs(value - limit) < 1e-9 * Math.max(1, Math.abs(limit))) return usual;
  for (let more = 0; more <= mostMore; more++) {
    const text = value.toFixed(digits + more);
    if (Math.sign(Number(text) - limit) === Math.sign(value - limit)) return text;
  }
  return usual;
}

/** `-22.9 to -12.1`: the ends of such a change, from the lower to the higher number. */
export function changeRange(
  { lower, upper }: ShownInterval,
  metric: ShownMeasure,
  limit: number | null = null,
): string {
  if (isImplausible(lower, metric) || isImplausible(upper, metric)) return "–";
  const [from, to] = metric.lowerIsBetter ? [upper, lower] : [lower, upper];
  return `${changeFigure(from, metric, { unit: false, limit })} to ${changeFigure(to, metric, { unit: false, limit })}`;
}
