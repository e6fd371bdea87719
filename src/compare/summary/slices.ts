import type { Interval } from "../../stats/interval.ts";
import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import type { PairedDifference } from "../../stats/difference.ts";
import type { ComparedMetric, MeasureOf } from "../comparison-plan.ts";
import { type ComparedFigures, figuresAt } from "../metrics/figures.ts";
import { differenceUnder, type InferenceRule, judgedCases } from "../metrics/metric-inference.ts";
import type { SliceName } from "../slice-name.ts";
import { type SliceTable, sliceTable } from "./slice-table.ts";
import type { JudgedSlice, SlicedMetric, SlicedResults } from "./sliced-metrics.ts";

/** A metric in the rows of a slice: exploring, not a gate. */
export interface SliceSummary extends SliceName, ComparedFigures {
  metric: string;
  of: MeasureOf;
  /** Signed so that positive is better. For a ratio it is one of logarithms, which a report shows as a share. */
  difference: number | null;
  interval: Interval | null;
  /** Two-sided, of no difference, and adjusted over all slices (Benjamini and Hochberg). */
  p: number | null;
  adjusted: number | null;
}

const mostSlices = 200;

interface SliceRules extends InferenceRule {
  /** The metric of the table. */
  primary: ComparedMetric | undefined;
}

/**
 * Each value of each tag, the least adjusted p first, and the table of two tags, which has the pairs of their values. All values
 * and pairs are adjusted together.
 */
export function sliceSummaries(
  cells: readonly SlicedMetric[],
  results: SlicedResults,
  { primary, ...rules }: SliceRules,
): { slices: SliceSummary[]; table: SliceTable | null } {
  const found = cells.flatMap((each) => {
    const difference = differenceIn(each, results, rules);
    return difference === null ? [] : [{ ...each, difference }];
  });
  const adjusted = benjaminiHochberg(found.map(({ difference }) => difference.p));
  const judged = found.map((each, at): JudgedSlice => ({ ...each, adjusted: adjusted[at] ?? null }));
  const slices = judged
    .filter(({ slice }) => slice.and === null)
    .toSorted((a, b) => (a.adjusted ?? 2) - (b.adjusted ?? 2) || (a.difference.p ?? 2) - (b.difference.p ?? 2))
    .slice(0, mostSlices)
    .map((each) => summaryOf(each, results));
  return { slices, table: sliceTable(judged, primary) };
}

/** Null where no case of the slice has the metric. */
function differenceIn(
  { compared, numbers, slice: { places } }: SlicedMetric,
  results: SlicedResults,
  rules: InferenceRule,
): PairedDifference | null {
  const cases = judgedCases(compared, numbers, { ...results, places });
  return cases.paired.n === 0 ? null : differenceUnder(rules, cases);
}

function summaryOf(
  { compared, numbers, slice: { tag, value, and, places }, difference, adjusted }: JudgedSlice,
  { questions }: SlicedResults,
): SliceSummary {
  const { estimate, interval, p } = difference;
  const figures = figuresAt(compared, numbers, { places, questions });
  const about = { tag, value, and, metric: compared.metric.name, of: compared.of };
  return { ...about, ...figures, difference: estimate, interval: interval(0.95), p, adjusted };
}
