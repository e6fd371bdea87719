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
