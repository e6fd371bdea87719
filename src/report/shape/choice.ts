import type { BestOfMany } from "../../compare/choice/choice.ts";
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
export interface ReportChoice extends Omit<
  BestOfMany,
  "configurations" | "of" | "race" | "nobody" | "disputed" | "routing"
> {
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
  /** A way to send cases to several targets that gains; left out: none is known to. */
  routing?: ReportRouting;
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
}
