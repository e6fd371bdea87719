import { quantile } from "../../stats/quantile.ts";
import { sum } from "../../stats/sum.ts";
import type { Integer } from "../../lib/integer.ts";
import { askedOnce } from "./asked-once.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";

/** The cases that figures are of. */
export interface FiguredCases {
  /** Null: all. */
  places: Int32Array | null;
  /** Number of each case's question: those that ask the same are one. Null: every case is its own. */
  questions: Int32Array | null;
}

/** A metric in some rows, on both sides. */
export interface ComparedFigures {
  /** Rows that are compared. */
  cases: Integer;
  /** Rows that got worse. */
  worse: Integer;
  /** Rows that got better. */
  better: Integer;
  /** Value of the baseline in them: a mean, or a median where these are compared. */
  baseline: number | null;
  /** Value of the candidate in them. */
  now: number | null;
}

export function figuresAt(
  compared: Pick<ComparedMetric, "of">,
  numbers: Pick<MetricNumbers, "differences" | "sides">,
  of: FiguredCases,
): ComparedFigures {
  const { cases, worse, better } = turnsAt(numbers.differences, of.places ?? allPlaces(numbers.differences));
  const [baseline = null, now = null] = (["baseline", "candidate"] as const).map((side) =>
    sideFigure(compared, numbers, side, of),
  );
  return { cases, worse, better, baseline, now };
}

/** The mean of one side in some cases, or the median where these are compared; null where its values are not kept, or none is. */
export function sideFigure(
  { of }: Pick<ComparedMetric, "of">,
  { sides }: Pick<MetricNumbers, "sides">,
  side: "baseline" | "candidate",
  { places, questions }: FiguredCases,
): number | null {
  const all = sides?.[side] ?? new Float64Array(0);
  const own = (places ?? allPlaces(all)).filter((place) => !Number.isNaN(all[place] ?? Number.NaN));
  const cases = Float64Array.from(own, (place) => all[place] ?? 0);
  const values =
    questions === null
      ? cases
      : askedOnce(
          cases,
          own.map((place) => questions[place] ?? 0),
        ).means;
  const middle = of === "median" ? quantile(values.toSorted(), 0.5) : meanOf(values);
  return middle === null || of !== "ratio" ? middle : Math.exp(middle);
}

/** The places of all cases. */
export const allPlaces = (values: Float64Array): Int32Array => Int32Array.from(values.keys());

function meanOf(values: Float64Array): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** The cases among some that got worse or better. */
export interface Turns {
  cases: number;
  worse: number;
  better: number;
  /** Sum of their differences. */
  sum: number;
}

/** Counts the cases of some places that both sides have a score of. */
export function turnsAt(differences: Float64Array, places: Int32Array): Turns {
  const turns = { cases: 0, worse: 0, better: 0, sum: 0 };
  for (const place of places) {
    const difference = differences[place] ?? Number.NaN;
    if (Number.isNaN(difference)) continue;
    turns.cases += 1;
    turns.sum += difference;
    if (difference < 0) turns.worse += 1;
    else if (difference > 0) turns.better += 1;
  }
  return turns;
}
