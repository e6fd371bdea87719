import type { ReportMetric, RunScore } from "../shape/model.ts";
import { decimal, scoreFigure } from "./figures.ts";

/** `0.03 s slower`: how long the candidate took beside the baseline; null where either is not known. */
export function timeBeside(baselineMs: number | null, candidateMs: number | null): string | null {
  if (baselineMs === null || candidateMs === null) return null;
  const seconds = Math.abs(candidateMs - baselineMs) / 1000;
  const digits = seconds < 9.95 ? 2 : seconds < 99.5 ? 1 : 0;
  if (Number(seconds.toFixed(digits)) === 0) return "as quick";
  return `${decimal(seconds, digits)} s ${candidateMs > baselineMs ? "slower" : "faster"}`;
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
