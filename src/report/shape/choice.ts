import type { ChoiceOpen } from "../../compare/verdict-word.ts";
import type { ReportDimensions, ReportNamedCase, ReportRouting, ReportTagStrengths } from "./choice-findings.ts";

/** The best of many configurations, as far as it is known. */
export interface ReportChoice {
  /** Name of the metric that it is chosen by. */
  metric: string;
  /** The target that was meant to be the best; null: nobody said. */
  expected: string | null;
  /** Targets that may be the best, in the order of the suite; all of them where nothing can be told. */
  set: string[];
  /** The best one; null: it is not known. */
  named: string | null;
  /** The only one in the set, which in one of twenty such comparisons would be as clear by chance; null: there are several, or it is named. */
  ahead: string | null;
  /** The least by which the named one is ahead of all others, in the unit of the score; null: none is named. */
  lead: number | null;
  /** Levels of the set and of a name: the best one is left out of the set, or another is named, with this chance at most. */
  level: {
    /** Chance at most that the best one is not in the set. */
    set: number;
    /** Chance at most that a name is said of one that is not the best, or is one of several. */
    name: number;
  };
  /** For each target the mean, and how far it lies from that of the best of the others, above 0 where better: these bounds hold all at once. */
  intervals: {
    /** Name of the target. */
    target: string;
    /** Mean cost of a run, in the owner's unit; null: not known. */
    cost: number | null;
    /** Mean over the cases that all have a score of, or their pass rate; null without one. */
    mean: number | null;
    /** Null: there is no end. */
    lower: number | null;
    /** Null: there is no end. */
    upper: number | null;
  }[];
  /** The cheapest of those that are surely worse than the best by less than a margin; left out: the best is asked for. */
  cheapest?: {
    /** The loss that is accepted, in the unit of the score. */
    margin: number;
    /** Targets that are surely no worse, in the order of the suite. */
    goodEnough: string[];
    /** The cheapest of them; null: there is none, or a cost is not known. */
    named: string | null;
    /** Those of them whose cost is not known. */
    unpriced: string[];
  };
  /** Cases that pass with none of the targets: something that all lack, or a fault of the dataset. */
  nobody: {
    /**
     * Number of cases.
     * @asType integer
     */
    cases: number;
    /** The first of them. */
    first: ReportNamedCase[];
  };
  /** Cases on which the targets disagree most, the most first. */
  disputed: (ReportNamedCase & {
    /** Score of each target, in the order of the intervals. */
    scores: number[];
  })[];
  /** Where each target is good; left out: there are no tags, or nothing can be told. */
  tags?: ReportTagStrengths;
  /** A way to send cases to several targets that gains; left out: none is known to. */
  routing?: ReportRouting;
  /** The effect of each dimension of a matrix; left out: there is no matrix, or nothing can be told. */
  dimensions?: ReportDimensions;
  /** First and last place that each target may have, all at once; empty where nothing can be told. */
  ranks: {
    /** Name of the target. */
    target: string;
    /**
     * 1: it may be the best.
     * @asType integer
     */
    first: number;
    /**
     * As many as there are targets: it may be the worst.
     * @asType integer
     */
    last: number;
  }[];
  /** Targets that gave the same answers to the letter, in groups. */
  alike: string[][];
  /**
   * Cases that all have a score of.
   * @asType integer
   */
  cases: number;
  /**
   * Clusters of them, such as conversations; as many as there are cases where each is its own.
   * @asType integer
   */
  clusters: number;
  /** Targets without a score of some cases, which therefore do not count for any; empty: none. */
  left: {
    /** Name of the target. */
    target: string;
    /**
     * Number of cases.
     * @asType integer
     */
    cases: number;
    /** Keys of the first of them. */
    keys: string[];
  }[];
  /** Why nothing can be told; null: something can. */
  open: ChoiceOpen | null;
  /**
   * Cases that would tell the two that are ahead apart, as far as is known now; null: that is no number of cases, or one is named.
   * @asType integer
   */
  casesNeeded: number | null;
}
