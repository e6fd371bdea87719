import type { GapLoss } from "../cases/gapped.ts";
import { growingFloats, type GrowingFloats, growingInts, type GrowingInts } from "./growing.ts";
import { type CountedCase, neutralOf, signOf } from "../cases/case-turn.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { PeopleNumbers } from "./people-tally.ts";
import type { CaseTries } from "./tries-tally.ts";
import type { SideValue } from "../cases/side-value.ts";

/** The numbers of one metric for one pair of sides: what a verdict is made of. Places are those of the pair's cases. */
export interface MetricNumbers {
  /** Candidate minus baseline, signed so that positive is better; NaN where the case leaves the pairing. */
  differences: Float64Array;
  /** The same over the runs that were answered alone; null when nothing is missing. */
  answered: Float64Array | null;
  /** The same with each gap as a fail of its side; null where no gate asks for it, and where no side has one. */
  gaps: GapNumbers | null;
  /** Values of the two sides, NaN where the case leaves the pairing; null where nothing needs them. */
  sides: { baseline: Float64Array; candidate: Float64Array } | null;
  /** All values are above 0, so that they have a ratio. */
  positive: boolean;
  /** Sums over the cases that are compared, in the unit of `of`; logarithms for a ratio. */
  sums: { baseline: number; candidate: number };
  /** Every case that is compared has one run on each side. */
  single: boolean;
  baseline: SideNumbers;
  candidate: SideNumbers;
  /** The one value that all graded answers have, of both sides where both are graded, and their number; null: they vary, or there is none. */
  always: { value: number; answers: number } | null;
  /** Labels of people, where a judge grades and somebody labelled. */
  people?: PeopleNumbers;
  /** Tries of the candidate in each case, where a gate asks for them. */
  tries?: CaseTries;
  /** Cases that leave the pairing: without a number on one side, although the metric is about them. */
  left: number;
  /** Cases that lack what the scorer compares with. */
  beside: number;
  /** Cases that the sides were graded in by other expected texts. */
  otherExpected: number;
}

/** Cases with their gaps, runs that brought no answer or that nothing graded, as fails of their side. */
interface GapNumbers {
  /** As those of the metric. */
  differences: Float64Array;
  /** Sides of each case that have a gap: the sum of `gapOf`. */
  sides: Int32Array;
  /** Cases that newly fail for a gate that counts rows, because the candidate has no grade of them: why, as `lossCodes` has it; 0: not so. */
  lost: Int32Array;
}

export const gapOf = { baseline: 1, candidate: 2 } as const;
export const lossCodes = { unanswered: 1, ungraded: 2 } as const satisfies Record<GapLoss, number>;

/** Sums over the runs of one side. */
export interface SideNumbers extends Pick<SideValue, "runs" | "missing" | "unscored" | "cut" | "squares"> {
  /** Number of runs over the cases that are compared, and degrees of freedom of their squares. */
  counted: number;
  freedom: number;
}

/** Collects one metric, case by case; memory is 8 bytes for each case. */
export function metricTally(compared: ComparedMetric) {
  const sign = signOf(compared);
  const differences = growingFloats();
  let answered: GrowingFloats | null = null;
  let gaps: { differences: GrowingFloats; sides: GrowingInts; lost: GrowingInts } | null = null;
  const sums = { baseline: 0, candidate: 0 };
  const sides = { baseline: noNumbers(), candidate: noNumbers() };
  const values = needsSides(compared) ? { baseline: growingFloats(), candidate: growingFloats() } : null;
  const hasOwn = neutralOf(compared) === null;
  const graded = [noGrades(), noGrades()] as const;
  let single = hasOwn;
  let positive = true;
  let [left, beside, otherExpected] = [0, 0, 0];

  const compare = (from: SideValue | undefined, to: SideValue | undefined): void => {
    if (from === undefined || to === undefined || from.mean === null || to.mean === null) return;
    sums.baseline += from.mean;
    sums.candidate += to.mean;
    if (from.mean <= 0 || to.mean <= 0) positive = false;
    if (from.runs + from.missing !== 1 || to.runs + to.missing !== 1) single = false;
    spread(sides.baseline, from);
    spread(sides.candidate, to);
  };

  return {
    add({ difference, from, to, gapped, isBeside, isOther }: CountedCase): void {
      if (from !== undefined) count(sides.baseline, from);
      if (to !== undefined) count(sides.candidate, to);
      if (from !== undefined && hasOwn) note(graded[0], from);
      if (to !== undefined) note(graded[1], to);
      compare(from, to);
      if (isBeside) beside += 1;
      else if (isOther) otherExpected += 1;
      else if (Number.isNaN(difference)) left += 1;
      if ((from?.missing ?? 0) > 0 || (to?.missing ?? 0) > 0) answered ??= copyOf(differences);
      answered?.push(answeredDifference(from, to, sign));
      if (gapped !== null) {
        const { length } = differences;
        gaps ??= { differences: copyOf(differences), sides: noInts(length), lost: noInts(length) };
      }
      const lost = gapped?.lost ?? null;
      gaps?.lost.push(lost === null ? 0 : lossCodes[lost]);
      gaps?.differences.push(gapped?.difference ?? difference);
      gaps?.sides.push(
        (gapped?.baseline === true ? gapOf.baseline : 0) + (gapped?.candidate === true ? gapOf.candidate : 0),
      );
      differences.push(difference);
      const isLeft = Number.isNaN(difference);
      values?.baseline.push(isLeft ? Number.NaN : (from?.mean ?? Number.NaN));
      values?.candidate.push(isLeft ? Number.NaN : (to?.mean ?? Number.NaN));
    },
    /** The difference of the case that was added last; NaN where it left the pairing. */
    latest: (): number => differences.view().at(-1) ?? Number.NaN,
    numbers: (): MetricNumbers => ({
      differences: differences.view(),
      answered: answered?.view() ?? null,
      gaps:
        gaps === null
          ? null
          : { differences: gaps.differences.view(), sides: gaps.sides.view(), lost: gaps.lost.view() },
      sides: values === null ? null : { baseline: values.baseline.view(), candidate: values.candidate.view() },
      positive,
      sums,
      single,
      ...sides,
      always: alwaysOf(graded),
      left,
      beside,
      otherExpected,
    }),
  };
}

/** A median is not known from sums, and what is told of the values of tags needs them too. */
function needsSides({ of, gates, metric }: ComparedMetric): boolean {
  return of === "median" || metric.primary || gates.length > 0;
}

function copyOf(numbers: GrowingFloats): GrowingFloats {
  const copy = growingFloats();
  for (const number of numbers.view()) copy.push(number);
  return copy;
}

function noInts(length: number): GrowingInts {
  const ints = growingInts();
  if (length > 0) ints.add(length - 1, 0);
  return ints;
}

function answeredDifference(from: SideValue | undefined, to: SideValue | undefined, sign: number): number {
  if (from === undefined || to === undefined || from.answered === null || to.answered === null) return Number.NaN;
  return sign * (to.answered - from.answered);
}

function noNumbers(): SideNumbers {
  return { runs: 0, missing: 0, unscored: 0, cut: 0, counted: 0, squares: 0, freedom: 0 };
}

/** The values that the answers of a side have. */
interface Grades {
  answers: number;
  value: number | null;
  vary: boolean;
}

const noGrades = (): Grades => ({ answers: 0, value: null, vary: false });

function note(grades: Grades, { answered, runs, squares }: SideValue): void {
  if (answered === null) return;
  grades.value ??= answered;
  grades.vary ||= answered !== grades.value || squares > 0;
  grades.answers += runs;
}

function alwaysOf(sides: readonly Grades[]): MetricNumbers["always"] {
  const graded = sides.filter(({ value }) => value !== null);
  const value = graded[0]?.value ?? null;
  if (value === null || graded.some((side) => side.vary || side.value !== value)) return null;
  return { value, answers: graded.reduce((sum, { answers }) => sum + answers, 0) };
}

function count(side: SideNumbers, { runs, missing, unscored, cut }: SideValue): void {
  side.runs += runs;
  side.cut += cut;
  side.missing += missing;
  side.unscored += unscored;
}

function spread(side: SideNumbers, { runs, missing, squares }: SideValue): void {
  side.counted += runs + missing;
  side.squares += squares;
  side.freedom += Math.max(0, runs - 1);
}
