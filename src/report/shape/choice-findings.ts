/** A case by what a reader knows it by. */
export interface ReportNamedCase {
  /** Key of the case. */
  key: string;
  /**
   * Row as a spreadsheet shows it; null: it is of no file.
   * @asType integer
   */
  row: number | null;
  /** The beginning of its question. */
  question: string;
}

/** Where each target is good: its place beside the others in the cases of each value of a tag. */
export interface ReportTagStrengths {
  /** Chance at most that any cell is said to be better or worse that is not: all cells are corrected together (Holm). */
  level: number;
  /** Values of tags, those of one tag together. */
  values: ReportTagStrength[];
  /**
   * Number of values that are not looked at, because others have more cases.
   * @asType integer
   */
  left: number;
}

export interface ReportTagStrength {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
  /**
   * Number of cases with this value that all targets have a score of.
   * @asType integer
   */
  cases: number;
  /** In the order of the intervals. */
  cells: ReportStrengthCell[];
}

export interface ReportStrengthCell {
  /** Mean over these cases, or their pass rate. */
  mean: number;
  /** Mean less that of all others in these cases, positive where better. */
  here: number;
  /** The same in all other cases; null: there are too few of either. */
  elsewhere: number | null;
  /** Two-sided, of no difference between here and elsewhere, adjusted over all cells; null: it is not tested. */
  p: number | null;
  /** Surely better or worse here than elsewhere, beside the others; null: that is not known. */
  stands: "better" | "worse" | null;
}

/** Sending some cases to another target than the rest: chosen by one half of the cases, and better than each target alone on the other half. */
export interface ReportRouting {
  /** The tag by whose values cases are sent. */
  tag: string;
  /** Values whose cases are sent elsewhere, and where to. */
  routes: {
    /** Value of the tag. */
    value: string;
    /** Name of the target. */
    target: string;
  }[];
  /** The target of all other cases. */
  rest: string;
  /** The target that is best alone on the half that it was measured on. */
  single: string;
  /**
   * Cases of that half.
   * @asType integer
   */
  cases: number;
  /** Mean of the routing on that half, or its pass rate. */
  mean: number;
  /** The same of the single target. */
  singleMean: number;
  /** The least that it gains, with 95 % on both sides; null: there is no end. */
  lower: number | null;
  /** The most that it gains; null: there is no end. */
  upper: number | null;
}

/** The effect of everything that a matrix varies. */
export interface ReportDimensions {
  /** Chance at most that any effect is said to be one that is none; the same holds for what depends on another dimension. */
  level: number;
  /** The effect of each value instead of another. */
  effects: ReportDimensionEffect[];
  /** Effects that surely depend on the value of another dimension, the surest first. */
  interactions: ReportInteraction[];
  /** Names of dimensions of which no combination of the others has all values: nothing is said of them. */
  incomplete: string[];
}

/** One value of a dimension instead of another, averaged over the combinations of the others that have all values of the dimension. */
export interface ReportDimensionEffect {
  /** Name of the dimension. */
  dimension: string;
  /** The value that it is compared with. */
  from: string;
  /** The value instead of that. */
  to: string;
  /**
   * Number of combinations of the other dimensions that it is averaged over.
   * @asType integer
   */
  combinations: number;
  /**
   * Number of all of them.
   * @asType integer
   */
  of: number;
  /** Mean with the first value, or pass rate. */
  fromMean: number;
  /** The same with the second value. */
  toMean: number;
  /** Positive: the second value is better. */
  difference: number;
  /** Lower bound of the difference; the bounds of all effects hold at once with 95 % (Bonferroni). */
  lower: number;
  /** Upper bound of it. */
  upper: number;
  /** The bounds leave 0 out. */
  holds: boolean;
  /** It also holds in each of the combinations alone. */
  everywhere: boolean;
}

/** The effect of one dimension in two values of another. */
export interface ReportInteraction {
  /** Name of the dimension. */
  dimension: string;
  /** The value that it is compared with. */
  from: string;
  /** The value instead of that. */
  to: string;
  /** Name of the other dimension, on whose value the effect depends. */
  other: string;
  /** The first of two values of it. */
  first: string;
  /** The second of them. */
  second: string;
  /** The effect with the first value of the other dimension, positive where better. */
  inFirst: number;
  /** The effect with the second value. */
  inSecond: number;
  /** The second effect less the first. */
  difference: number;
  /** Lower bound of that; the bounds of all pairs of values hold at once with 95 % (Bonferroni). */
  lower: number;
  /** Upper bound of it. */
  upper: number;
}
