import type { ReportMetric, RunScore } from "../shape/model.ts";
import { decimal, scoreFigure } from "./figures.ts";
import { number, price } from "./quantity.ts";

/** `0.03 s slower`: how long the candidate took beside the baseline; null where either is not known. */
export function timeBeside(baselineMs: number | null, candidateMs: number | null): string | null {
  if (baselineMs === null || candidateMs === null) return null;
  const seconds = Math.abs(candidateMs - baselineMs) / 1000;
  const digits = seconds < 9.95 ? 2 : seconds < 99.5 ? 1 : 0;
  if (Number(seconds.toFixed(digits)) === 0) return "as quick";
  return `${decimal(seconds, digits)} s ${candidateMs > baselineMs ? "slower" : "faster"}`;
}

/** `340 more`, `12 fewer`: a count of the candidate beside the baseline's; null where either is not known, or both are the same. */
export function countBeside(baseline: number | null, candidate: number | null): string | null {
  if (baseline === null || candidate === null || baseline === candidate) return null;
  return `${number(Math.abs(candidate - baseline))} ${candidate > baseline ? "more" : "fewer"}`;
}

/** `0.002 dearer`: the price of the candidate's answer beside the baseline's. */
export function costBeside(baseline: number | null, candidate: number | null): string | null {
  if (baseline === null || candidate === null || baseline === candidate) return null;
  return `${price(Math.abs(candidate - baseline))} ${candidate > baseline ? "dearer" : "cheaper"}`;
}

/** `0.8 worse`: the candidate's value beside the baseline's; null for pass and fail, which say it themselves. */
export function scoreBeside(
  baseline: RunScore | null,
  candidate: RunScore | null,
  metric: ReportMetric,
): string | null {
  const [from, to] = [baseline?.value ?? null, candidate?.value ?? null];
  if (from === null || to === null || candidate?.pass !== null || from === to) return null;
  const size = scoreFigure(Math.abs(to - from), { ...metric, passes: false });
  return `${size} ${to > from === metric.lowerIsBetter ? "worse" : "better"}`;
}

/** `Worded differently: 0.93 of 1`, from 0, the same words, to 1, none in common. */
export function distanceWords(distance: number): string {
  return `Worded differently: ${decimal(distance, 2)} of 1`;
}

/** `; two runs of prod differ by 0.04`: how much the baseline varies by itself, beside it. */
export function noiseWords(noise: number, baseline: string): string {
  return `; two runs of ${baseline} differ by ${decimal(noise, 2)}`;
}
