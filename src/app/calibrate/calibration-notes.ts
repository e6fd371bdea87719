import { type ComparedMetric, isMargin, worstOf } from "../../compare/comparison-plan.ts";
import type { RepeatedRuns } from "../../compare/summary/imitation.ts";
import { measure, scoreFigure } from "../../report/words/figures.ts";
import { number } from "../../report/words/quantity.ts";

/** Runs of a target that were asked, and those of them without an answer. */
export interface AskedRuns {
  asked: number;
  unanswered: number;
}

/** Says beside the shares that a real comparison would be invalid, or that a gate decides nothing. */
export function calibrationNotes(
  target: string,
  metrics: readonly ComparedMetric[],
  given: { values: RepeatedRuns["values"]; runs: AskedRuns; maxErrorShare: number; isStopped: boolean },
): string[] {
  const floors = metrics.flatMap((compared, place) => floorNote(target, compared, given.values[place] ?? []));
  return [...errorNote(target, given), ...floors, ...(given.isStopped ? [stoppedNote] : [])];
}

const stoppedNote =
  "the suite stops when it is decided (stop_when: decided): the shares here are those of a run to its end, of which every case is in";

function errorNote(target: string, { runs, maxErrorShare }: { runs: AskedRuns; maxErrorShare: number }): string[] {
  const { asked, unanswered } = runs;
  if (unanswered <= maxErrorShare * asked) return [];
  const have = `${number(unanswered)} of ${number(asked)} runs of ${target} have no answer`;
  return [
    `${have} (${percent(unanswered / asked)}, at most ${percent(maxErrorShare)} are allowed): a real comparison would be invalid`,
  ];
}

/** A metric cannot fall by more than it has. */
function floorNote(target: string, compared: ComparedMetric, values: readonly (readonly number[])[]): string[] {
  const { metric, of, gates } = compared;
  const worst = worstOf(compared);
  const known = values.flat().filter((value) => !Number.isNaN(value));
  if (worst === null || known.length === 0) return [];
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const isBeyond = gates.some(
    (gate) => isMargin(gate) && gate.by === null && (gate.margin ?? 0) > Math.abs(mean - worst),
  );
  if (!isBeyond) return [];
  const shown = scoreFigure(mean, measure(of));
  return [
    `${metric.name} is at its floor on ${target} (${shown}): it cannot fall by the margin, and its gate decides nothing`,
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
