import type { Random } from "../../lib/random.ts";
import { type ComparedMetric, lossOf, lowerIsBetter, worstOf } from "../comparison-plan.ts";
import { segmentIndex, type SegmentIndex } from "../tallies/segments.ts";
import type { Numbers } from "./gate-rule.ts";

/** The repeated runs of one target: what it does when nothing has changed. */
export interface RepeatedRuns {
  /** Cases of each cluster, one cluster after the other: cluster c has the cases from starts[c] to below starts[c + 1]. */
  starts: readonly number[];
  /** Runs of each cluster that all of its cases have: the first so many of a case's list. */
  runs: readonly number[];
  /** Tags of each case. */
  tags: readonly Readonly<Record<string, string>>[];
  /** Values of the runs, by metric and by case. */
  values: readonly (readonly (readonly number[])[])[];
}

/** A case of an imitated comparison. */
export interface DrawnCase {
  /** Its place among the cases. */
  place: number;
  /** Number of the draw: a cluster that is drawn twice counts as two. */
  cluster: number;
  /** Places of the runs that are each side's. */
  candidate: readonly number[];
  baseline: readonly number[];
}

/** Whole clusters, drawn with replacement; of the runs of each a part is the candidate's. */
export function drawnCases(
  { starts, runs }: RepeatedRuns,
  wanted: { baseline: number; candidate: number },
  random: Random,
): DrawnCase[] {
  const clusters = runs.length;
  const drawn: DrawnCase[] = [];
  for (let cluster = 0; cluster < clusters; cluster++) {
    const from = Math.floor(random() * clusters);
    const order = shuffled(runs[from] ?? 0, random);
    const candidates = Math.max(1, Math.min(wanted.candidate, order.length - 1));
    const candidate = order.slice(0, candidates);
    const baseline = order.slice(candidates, candidates + wanted.baseline);
    for (let place = starts[from] ?? 0; place < (starts[from + 1] ?? 0); place++) {
      drawn.push({ place, cluster, candidate, baseline });
    }
  }
  return drawn;
}

function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other] ?? 0, order[i] ?? 0];
  }
  return order;
}

/** The numbers of a metric in the cases that were drawn, the candidate worse by a drop. */
export function numbersOf(
  compared: ComparedMetric,
  { values }: RepeatedRuns,
  given: { place: number; drawn: readonly DrawnCase[]; drop: number; random: Random },
): Numbers {
  const { drawn, drop, random } = given;
  const own = values[given.place] ?? [];
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const lower = dropping(compared, drop, { random, mean: meanOf(own) });
  const runsOf = (place: number, runs: readonly number[], change: (value: number) => number): number =>
    meanOfKnown(runs.map((run) => change(own[place]?.[run] ?? Number.NaN)));
  const candidate = Float64Array.from(drawn, (each) => runsOf(each.place, each.candidate, lower));
  const baseline = Float64Array.from(drawn, (each) => runsOf(each.place, each.baseline, (value) => value));
  const differences = candidate.map((after, place) => sign * (after - (baseline[place] ?? Number.NaN)));
  const kept = (values_: Float64Array): number =>
    values_.reduce((sum, value, place) => (Number.isNaN(differences[place]) ? sum : sum + value), 0);
  return {
    differences,
    gaps: null,
    sides: { baseline, candidate },
    positive: false,
    beside: 0,
    sums: { baseline: kept(baseline), candidate: kept(candidate) },
    single: drawn.every((each) => each.candidate.length === 1 && each.baseline.length === 1),
  };
}

/** A run that says nothing leaves the others of its case; NaN where none says anything, so that the case leaves the pairing. */
function meanOfKnown(values: readonly number[]): number {
  let [sum, known] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    known += 1;
  }
  return sum / known;
}

function meanOf(values: readonly (readonly number[])[]): number {
  return meanOfKnown(values.flat());
}

/** Makes a run worse, so that the mean falls by the drop: of a pass rate by failing so many of the passing runs. */
function dropping(
  compared: ComparedMetric,
  drop: number,
  { random, mean: rate }: { random: Random; mean: number },
): (value: number) => number {
  if (drop === 0) return (value) => value;
  if (compared.of === "pass") {
    const share = Math.min(1, drop / Math.max(rate, 1e-9));
    return (value) => (value > 0 && random() < share ? 0 : value);
  }
  const worst = worstOf(compared);
  // Half of the differences move with the middle one: each value falls by the drop, as far as its scale goes.
  if (worst !== null && compared.of === "median") {
    const down = lowerIsBetter(compared) ? drop : -drop;
    return (value) => (Math.abs(value - worst) <= drop ? worst : value + down);
  }
  // A value at the end of its scale cannot fall: each value falls by the same share of the way that it has.
  if (worst !== null) {
    const share = Math.min(1, drop / Math.max(Math.abs(rate - worst), 1e-9));
    return (value) => value + (worst - value) * share;
  }
  const down = lossOf(compared, drop);
  return lowerIsBetter(compared) ? (value) => value + down : (value) => value - down;
}

/** The cases that were drawn, by the values of their tags. */
export function segmentsOfDrawn({ tags }: RepeatedRuns, drawn: readonly DrawnCase[]): SegmentIndex {
  const index = segmentIndex();
  for (const { place } of drawn) index.add(tags[place] ?? {});
  return index;
}
