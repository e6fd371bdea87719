/** A run that stops when it is decided, as its comparison sees it: which cases count, and in which order they entered. */
export interface StopRule {
  /** Cases of the plan, and the most that one cluster of it has. */
  planned: number;
  most: number;
  /** Values of the tags that gates ask by, with the cases of the plan that have each. */
  values: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /**
   * Place of a case's cluster in the order of sending; null: it does not count, because it was not sent, or not looked at
   * when it was decided; undefined: it is none of the plan.
   */
  placeOf: (caseId: number) => number | null | undefined;
  /** For each side the clusters that count of it, from the first on, in a race that it was dropped from; left out: all that count. */
  countedTo?: readonly number[];
  /** Every case of the plan counts. */
  isWhole: boolean;
  /** It cannot be decided without the suite file, of which the gates take code. */
  needsSuite: boolean;
  /** Cases after which it was decided; null: it was not. */
  decidedAfter: number | null;
}
