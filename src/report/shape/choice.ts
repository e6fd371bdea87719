import type { BestOfMany } from "../../compare/choice/choice.ts";
import type { NamedCase } from "../../compare/choice/choice-tally.ts";
import type { Integer } from "../../lib/integer.ts";

/** A case by what a reader knows it by. */
export interface ReportNamedCase extends Omit<NamedCase, "input"> {
  /** The beginning of its question. */
  question: string;
}

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
  /** Cases after which it ended; null: it did not end by itself. */
  after: Integer | null;
  /** Cases that all were to be asked. */
  of: Integer;
  /** Targets that were not asked any more, the first one first. */
  dropped: {
    /** Name of the target. */
    target: string;
    /** Cases of the race after which it was behind beyond doubt. */
    after: Integer;
  }[];
  /** Requests that were not sent. */
  spared: Integer;
  /** Their price, in the owner's unit; null: not known, or there are none. */
  saved: number | null;
}

/** The best of many configurations, as far as it is known. */
export interface ReportChoice extends Omit<BestOfMany, "configurations" | "of" | "race" | "nobody" | "disputed"> {
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
    /** Number of cases. */
    cases: Integer;
    /** The first of them. */
    first: ReportNamedCase[];
  };
  /** Cases on which the targets disagree most, the most first. */
  disputed: (ReportNamedCase & {
    /** Score of each target, in the order of the intervals. */
    scores: number[];
  })[];
  /** First and last place that each target may have, all at once; empty where nothing can be told. */
  ranks: {
    /** Name of the target. */
    target: string;
    /** 1: it may be the best. */
    first: Integer;
    /** As many as there are targets: it may be the worst. */
    last: Integer;
  }[];
  /** Targets without a score of some cases, which therefore do not count for any; empty: none. */
  left: {
    /** Name of the target. */
    target: string;
    /** Number of cases. */
    cases: Integer;
    /** Keys of the first of them. */
    keys: string[];
  }[];
}
