import type { ChoiceOpen, GateWord, VerdictWord } from "../../compare/verdict-word.ts";
import type { Integer } from "../../lib/integer.ts";

/**
 * Everything that a result says, as data: who, on which metric, with which figures and rows. `say.ts` is the only place that
 * words them, and every medium draws the same ones.
 */
export interface Findings {
  /** Both sides are the same bot on purpose: all that is found is chance. */
  isSameBot: boolean;
  /** The word at the top, and what it is said of. */
  headline: Headline;
  /** Said behind the headline: other candidates that are surely better or worse, and answers that are all the same. */
  also: Also[];
  /** A line each below the figures. */
  facts: Fact[];
}

/** A metric of a candidate beside its baseline, in all rows or those with one value of a tag. */
export interface Compared {
  /** Name of the target. */
  candidate: string;
  /** Name of the target that it is compared with. */
  baseline: string;
  /** Name of the metric. */
  metric: string;
  /** The rows that it is about; null: all. */
  slice: TagValue | null;
}

export interface TagValue {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
}

/** The rows that have a value of a tag, or of two. */
export interface PlaceName extends TagValue {
  /** The value of a second tag that the rows have too; null: a tag alone. */
  and: TagValue | null;
}

/** Rows that turned. */
export interface Turned {
  /** Rows that are compared. */
  rows: Integer;
  /** Rows that got worse. */
  worse: Integer;
  /** Rows that got better. */
  better: Integer;
  /** `flips`: every run of them agrees, before and after; `passes`: some runs differ; `scores`: they got another score; `people`: by labels of people. */
  by: "flips" | "passes" | "scores" | "people";
}

/** A loss or a gain in the unit of its metric, and the loss that is accepted. */
export interface MeasuredLoss {
  /** Signed so that positive is better; null: it was not measured. */
  difference: number | null;
  /** The loss that is accepted; null: there is none. */
  margin: number | null;
}

/** The statement that stands first. */
export type Headline =
  /** One metric decides: worse, better, as good as before, or worse by less than is accepted. */
  | ({
      kind: "difference";
      word: VerdictWord;
      is: "worse" | "better" | "as-good" | "slightly-worse";
      turned: Turned;
      /** The run stopped as soon as this was decided: what was measured is too large then. */
      stoppedEarly: boolean;
    } & Compared &
      MeasuredLoss)
  /** So many rows do not decide it. */
  | ({
      kind: "too-few";
      word: GateWord;
      turned: Turned;
      /** Every answer is the same on both sides. */
      isSame: boolean;
      /** Rows in all that would settle it; null: no such number is known. */
      needs: Integer | null;
      /** Rows that would have to newly fail for a regression, with none that newly passes; null: not asked, or more than there are. */
      proof: Integer | null;
      /** Groups that the rows count as, such as 24 conversations or 4 different questions; null: each is its own. */
      counted: { count: Integer; noun: string } | null;
    } & Compared &
      MeasuredLoss)
  /** Rows that newly fail are counted. */
  | ({
      kind: "losses";
      word: GateWord;
      lost: Integer;
      gained: Integer;
      rows: Integer;
      allowed: Integer;
      /** Those of the lost ones without an answer, and without a grade. */
      unanswered: Integer;
      ungraded: Integer;
    } & Compared)
  /** Rows have to hold over repeats. */
  | ({
      kind: "tries";
      word: GateWord;
      failing: Integer;
      open: Integer;
      rows: Integer;
      pass: Integer;
      of: Integer;
      /** Names of the first rows that do not hold. */
      named: string[];
    } & Compared)
  /** One place alone makes it worse. */
  | ({ kind: "place"; word: VerdictWord; place: TurnedPlace; overall: "as-good" | "better"; rows: Integer } & Omit<
      Compared,
      "slice"
    >)
  /** Nothing can be told, and more rows would not help. `about`: the pair and the metric, where there are several; null: there is one. */
  | { kind: "cannot-tell"; word: GateWord; why: string; pair: string | null; metric: string | null }
  /** The data carry no verdict. */
  | { kind: "invalid"; word: VerdictWord; why: string }
  /** A target stopped answering. */
  | { kind: "silent"; word: VerdictWord; why: string }
  /** It ended before all was sent. */
  | {
      kind: "interrupted";
      word: null;
      /** Requests that are done and kept. */
      done: Integer;
      /** Requests of the plan. */
      of: Integer;
    }
  | ChoiceHeadline
  /** One target by itself. */
  | { kind: "alone"; word: null; target: string; metric: string; value: number; rows: Integer; passes: boolean }
  /** Answers that nothing grades or compares. */
  | { kind: "answers"; word: null; targets: AnsweredBy[]; rows: Integer }
  /** Answers that are compared, and not graded. */
  | {
      kind: "not-graded";
      word: null;
      pairs: { candidate: string; baseline: string; differ: Integer; rows: Integer }[];
    };

/** The answers of a target. */
export interface AnsweredBy {
  /** Name of the target. */
  target: string;
  /** Usable answers. */
  answered: Integer;
  /** Answers that were due. */
  of: Integer;
}

/** The best of many, or why it is not known. */
export interface ChoiceHeadline {
  kind: "choice";
  word: VerdictWord;
  metric: string;
  /** Targets that may be taken: one, or several that are alike. */
  take: string[];
  /** `best`: surely; `ahead`: not quite surely; `cheapest`: of those that are good enough; `close`: close enough, by a race; `alike`: the same answers; `open`: several may be the best; `none`: none is good enough; `unpriced`: a cost is not known; `unable`: see `open`. */
  is: "best" | "ahead" | "cheapest" | "close" | "alike" | "open" | "none" | "unpriced" | "unable";
  open: ChoiceOpen | null;
  /** The target that was expected to be the best, where it is not; null: it is, or none was. */
  expected: string | null;
  /** Number of targets. */
  among: Integer;
  /** Targets that are surely behind. */
  behind: string[];
  /** Rows that all have a score of. */
  rows: Integer;
  /** Rows that the ones to take pass; null: they have scores, not passes. */
  passing: Integer | null;
  /** The least by which it is ahead, or the most by which it may be behind, in the unit of the score; null: not known. */
  by: number | null;
  /** Mean cost of a run of the one to take; null: not known. */
  cost: number | null;
}

/** Said behind the headline. */
export type Also =
  | { kind: "better" | "worse"; candidate: string; metric: string | null }
  | { kind: "same-answers"; candidate: string; baseline: string; rows: Integer };

/** Rows of a place, and those of them that got worse. */
interface TurnedPlace extends PlaceName {
  /** Rows that have it. */
  rows: Integer;
  /** Rows of it that got worse. */
  worse: Integer;
  /** The metric passes and fails, and every run of the rows agrees. */
  flips: boolean;
  /** Both sides in these rows, and their difference, where scores are compared. */
  difference: number | null;
}

/** A line below the figures. */
export type Fact =
  /** Where it is surely worse; `rest`: all other rows. */
  | {
      kind: "where";
      candidate: string;
      metric: string;
      places: TurnedPlace[];
      rest: { rows: Integer; worse: Integer; better: Integer | null } | null;
    }
  /** Answers that are missing, by the side that lacks them. */
  | { kind: "answered"; targets: (AnsweredBy & { missing: RowName[] })[] }
  /** Grades that one side lacks more often than chance explains. */
  | {
      kind: "graded";
      candidate: string;
      baseline: string;
      metric: string;
      candidateLacks: Integer;
      baselineLacks: Integer;
    }
  /** Answers that are not as before, and how many of them are so by chance; null: not known. */
  | { kind: "changed"; candidate: string; rows: Integer; of: Integer; byChance: Integer | null; several: boolean }
  /** Rows that were asked more than once. */
  | { kind: "runs"; targets: { target: string; runs: Integer }[]; halves: boolean }
  /** The range counts one more row that loses all that it can. */
  | { kind: "one-more"; metric: string }
  /** Rows that undecided candidates take. */
  | { kind: "to-decide"; needs: { candidate: string; rows: Integer }[]; rows: Integer }
  /** A level that is shared among candidates: alone some would be a regression. */
  | { kind: "shared-level"; candidates: Integer; share: number; alone: string[] }
  /** Metrics that are surely worse beside a headline of another one. */
  | {
      kind: "also-worse";
      losses: { candidate: string; metric: string; difference: number; margin: number | null }[];
      several: boolean;
    }
  /** Times are compared, and one side was mostly asked second. */
  | { kind: "asked-second"; target: string; share: number }
  /** A run that stops as soon as it is decided stops when the difference looks large. */
  | { kind: "early" }
  /** A sentence that another part of the program made. */
  | {
      kind: "note";
      label: "judge" | "looks" | "night" | "known" | "caution" | "graded" | "advice" | "race" | "groups";
      text: string;
    }
  /** Labels of some rows decide: which rows turned is known from the judge. */
  | { kind: "by-judge" }
  /** Rows that pass with none of the targets. */
  | { kind: "none-passes"; rows: Integer; first: RowName[] };

/** The row of a sheet; its key where it is of none. */
export interface RowName {
  row: Integer | null;
  file: string | null;
  key: string;
}
