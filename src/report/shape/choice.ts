import type { DimensionEffects } from "../../compare/choice/dimension-effects.ts";
import type { Front } from "../../compare/choice/front.ts";
import type { TagStrengths } from "../../compare/choice/strengths.ts";
import type { ChoiceOpen } from "../../compare/verdict-word.ts";
import type { ReportNamedCase, ReportRouting } from "./choice-findings.ts";

/** A race among configurations, in which those that are behind beyond doubt were not asked any more. */
export interface ReportRace {
  /** The end that it was run for. close: none of those that are left is ahead of one by the margin; best: one is left. */
  for: "close" | "best";
  /** The loss that is close enough, in the unit of the score. */
  margin: number;
  /** Seed of the order in which cases entered, a conversation as a whole. */
  seed: string;
  /** Chances at most of a wrong answer. */
  level: {
    /** That the best one was ever dropped. */
    drop: number;
    /** That the one which is close enough is not. */
    close: number;
  };
  /** The way in which it ended: close enough, one left, all asked without either, or null: it was interrupted, or other grades than those by which it was run leave it without an end. */
  ended: "close-enough" | "one-left" | "all-asked" | null;
  /** The target that is close enough; null: it did not end so. */
  closeEnough: string | null;
  /**
   * Cases after which it ended; null: it did not end by itself.
   * @asType integer
   */
  after: number | null;
  /**
   * Cases that all were to be asked.
   * @asType integer
   */
  of: number;
  /** Targets that were not asked any more, the first one first. */
  dropped: {
    /** Name of the target. */
    target: string;
    /**
     * Cases of the race after which it was behind beyond doubt.
     * @asType integer
     */
    after: number;
  }[];
  /**
   * Requests that were not sent.
   * @asType integer
   */
  spared: number;
  /** Their price, in the owner's unit; null: not known, or there are none. */
  saved: number | null;
}

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
    /** 95 % interval of that cost by clusters; null: not known, or too few cases. */
    costRange: {
      /** Lower end. */
      lower: number;
      /** Upper end. */
      upper: number;
    } | null;
    /** Mean time of an answered run, in milliseconds; null: not known. */
    time: number | null;
    /** 95 % interval of that time by clusters, in milliseconds; null: not known, or too few cases. */
    timeRange: {
      /** Lower end. */
      lower: number;
      /** Upper end. */
      upper: number;
    } | null;
    /** Mean over the cases that all have a score of, or their pass rate; null without one. Where a race dropped the target, over those that it was asked before. */
    mean: number | null;
    /** Null: there is no end. */
    lower: number | null;
    /** Null: there is no end. */
    upper: number | null;
    /** Where its mean may lie beside that of the best of the others, as a picture shows it: the mean of that one plus its bounds, which hold all at once; null: there is no end. */
    range: {
      /** Null: there is no end. */
      lower: number | null;
      /** Null: there is no end. */
      upper: number | null;
    };
  }[];
  /** The targets by score and cost, and by score and time, where two or more of these are known. */
  fronts: Front[];
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
    /** Those of them that cost the same as the cheapest, within 5 % or as far as is known: the best of these is named. Empty: it is alone. */
    sameCost: string[];
    /** The cost of the named one, times that of the one with the highest score, case by case; null: it is that one, or it is not known. */
    ratio: {
      /** 0.8: it costs 20 % less. */
      value: number;
      /** End of its 95 % interval. */
      lower: number;
      /** End of its 95 % interval. */
      upper: number;
    } | null;
  };
  /** The race by which it was found; left out: all were asked every case. */
  race?: ReportRace;
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
  tags?: TagStrengths;
  /** A way to send cases to several targets that gains; left out: none is known to. */
  routing?: ReportRouting;
  /** The effect of each dimension of a matrix; left out: there is no matrix, or nothing can be told. */
  dimensions?: DimensionEffects;
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
