import type { ReportMetric } from "../shape/model.ts";
import { scoreFigure } from "../words/figures.ts";

/** Ranges into which scores of a metric fall, known before its first score: so a range leads to its rows. */
export interface ScoreBins {
  binOf: (score: number) => number;
  rangeOf: (bin: number) => { from: number; to: number };
}

const binsOfScale = 20;
/** A scale without ends has ten ranges for each power of ten, from this power on; 0 is a range of its own. */
const binsOfPower = 10;
const leastPower = -12;

export function scoreBins({ min, max }: Pick<ReportMetric, "min" | "max">): ScoreBins {
  return min === null || max === null || max <= min ? byPowers : onScale(min, max);
}

function onScale(min: number, max: number): ScoreBins {
  const step = (max - min) / binsOfScale;
  return {
    // A number such as 0.15 / 0.05 falls short of its own range.
    binOf: (score) => Math.min(binsOfScale - 1, Math.max(0, Math.floor((score - min) / step + 1e-9))),
    rangeOf: (bin) => ({ from: plain(min + bin * step), to: plain(min + (bin + 1) * step) }),
  };
}

const edge = (power: number): number => plain(10 ** (power / binsOfPower + leastPower));

const byPowers: ScoreBins = {
  binOf(score) {
    if (score === 0) return 0;
    const power = Math.floor((Math.log10(Math.abs(score)) - leastPower) * binsOfPower + 1e-9);
    return Math.sign(score) * (Math.max(0, power) + 1);
  },
  rangeOf(bin) {
    if (bin === 0) return { from: 0, to: 0 };
    const [near, far] = [edge(Math.abs(bin) - 1), edge(Math.abs(bin))];
    return bin > 0 ? { from: near, to: far } : { from: -far, to: -near };
  },
};

/** Without what the arithmetic of computers adds. */
const plain = (value: number): number => Number(value.toPrecision(12));

/** `60 to 65`; `0` where a range is one number. */
export function binWords(bin: number, metric: ReportMetric): string {
  const { from, to } = scoreBins(metric).rangeOf(bin);
  return from === to ? scoreFigure(from, metric) : `${scoreFigure(from, metric)} to ${scoreFigure(to, metric)}`;
}
