import type { ReportRun } from "../shape/row.ts";

/** Numbers of an answer, by the first try of its side. */
export const sideFigures = ["time", "cost", "tokens", "length"] as const;
export type SideFigure = (typeof sideFigures)[number];

/** A number of one run; null where it is not known. */
export function runFigure(run: ReportRun | undefined, figure: SideFigure): number | null {
  if (run === undefined) return null;
  switch (figure) {
    case "time":
      return run.latencyMs;
    case "cost":
      return run.cost ?? null;
    case "tokens":
      return run.usage === undefined ? null : run.usage.input + run.usage.output;
    case "length":
      return run.answer === null ? null : run.answer.length;
  }
}

/** Candidate minus baseline; null where one is not known. */
export const minus = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : now - before;
