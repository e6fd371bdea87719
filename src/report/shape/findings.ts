import type { SliceName, TagValue } from "../../compare/slice-name.ts";
import type { UnitCount } from "../../compare/cause.ts";
import type { ChoiceOpen, GateWord, VerdictWord } from "../../compare/verdict-word.ts";
import type { Integer } from "../../lib/integer.ts";
import type { ProviderFinding } from "./provider.ts";

/**
 * Everything that a result says, as data: who, on which metric, with which figures and rows. `say/` is the only place that
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

/** A statement and the word above it. */
interface Stated<Kind extends string, Word extends VerdictWord | null> {
  /** Which statement it is. */
  kind: Kind;
  /** The word above it; null: there is none. */
  word: Word;
}

/** The statement that stands first. */
export type Headline =
  | DifferenceHeadline
  | TooFewHeadline
  | LossesHeadline
  | TriesHeadline
  | PlaceHeadline
  | CannotTellHeadline
  | InvalidHeadline
  | SilentHeadline
  | InterruptedHeadline
  | ChoiceHeadline
  | AloneHeadline
  | AnswersHeadline
  | UngatedHeadline
  | NotGradedHeadline;

/** The candidate and the metric that a headline is about; null: it is about none. */
export function subjectOfHeadline(headline: Headline): Pick<Compared, "candidate" | "metric"> | null {
  if (headline.kind === "cannot-tell") return headline.about;
  return "candidate" in headline ? headline : null;
}

/** One metric decides: worse, better, as good as before, or worse by less than is accepted. */
export interface DifferenceHeadline extends Stated<"difference", VerdictWord>, Compared, MeasuredLoss {
  /** The candidate beside its baseline. */
  is: "worse" | "better" | "as-good" | "slightly-worse";
  /** The rows that turned. */
  turned: Turned;
  /** The run stopped as soon as this was decided: what was measured is too large then. */
  stoppedEarly: boolean;
}

/** So many rows do not decide it. */
export interface TooFewHeadline extends Stated<"too-few", GateWord>, Compared, MeasuredLoss {
  /** The rows that turned. */
  turned: Turned;
  /** Every answer is the same on both sides. */
  isSame: boolean;
  /** Rows in all that would settle it; null: no such number is known. */
  needs: Integer | null;
  /** Rows that would have to newly fail for a regression, with none that newly passes; null: not asked, or more than there are. */
  proof: Integer | null;
  /** The groups that the rows count as; null: each is its own. */
  counted: UnitCount | null;
  /** Where it is surely worse, although all rows together do not decide; null: nowhere. */
  place: TurnedPlace | null;
}

/** Rows that newly fail are counted. */
export interface LossesHeadline extends Stated<"losses", GateWord>, Compared {
  /** Rows that newly fail. */
  lost: Integer;
  /** Rows that newly pass. */
  gained: Integer;
  /** Rows that are compared. */
  rows: Integer;
  /** Rows that may newly fail. */
  allowed: Integer;
  /** Lost rows without an answer. */
  unanswered: Integer;
  /** Lost rows that are answered and not graded. */
  ungraded: Integer;
  /** Runs of each row, where both sides have as many: a row newly fails where all of one pass and all of the other fail. */
  runs?: Integer;
}

/** Rows have to hold over repeats. */
export interface TriesHeadline extends Stated<"tries", GateWord>, Compared {
  /** Rows that do not hold. */
  failing: Integer;
  /** Rows that still may. */
  open: Integer;
  /** Rows that are looked at. */
  rows: Integer;
  /** Passes that are asked of each row. */
  pass: Integer;
  /** Tries of each row that they are asked of. */
  of: Integer;
  /** Names of the first rows that do not hold. */
  named: string[];
}

/** One place alone makes it worse. */
export interface PlaceHeadline extends Stated<"place", VerdictWord>, Omit<Compared, "slice"> {
  /** The place. */
  place: TurnedPlace;
  /** The candidate over all rows. */
  overall: "as-good" | "better" | "open";
  /** All rows that are compared. */
  rows: Integer;
  /** The loss over all rows that is accepted; null: there is none. */
  margin: number | null;
}

/** Nothing can be told, and more rows would not help. */
export interface CannotTellHeadline extends Stated<"cannot-tell", GateWord> {
  /** Why, as a sentence. */
  why: string;
  /** The metric that it is said of; null: of none. */
  about: Compared | null;
  /** Others beside it. */
  names: {
    /** Other candidates. */
    pair: boolean;
    /** Other metrics with a gate. */
    metric: boolean;
  };
  /** Where it is surely worse, although all rows together do not decide; null: nowhere. */
  place: TurnedPlace | null;
}

/** The data carry no verdict. */
interface InvalidHeadline extends Stated<"invalid", VerdictWord> {
  /** Why, as a sentence. */
  why: string;
  /** It quotes the most frequent error. */
  quotes: boolean;
}

/** A target stopped answering. */
interface SilentHeadline extends Stated<"silent", VerdictWord> {
  /** Who, and how often, as a sentence. */
  why: string;
}

/** It ended before all was sent. */
interface InterruptedHeadline extends Stated<"interrupted", null> {
  /** Requests that are done and kept. */
  done: Integer;
  /** Requests of the plan. */
  of: Integer;
}

/** One target by itself. */
export interface AloneHeadline extends Stated<"alone", null> {
  /** Name of the target. */
  target: string;
  /** Name of the metric. */
  metric: string;
  /** Its mean or rate. */
  value: number;
  /** Rows that have a score. */
  rows: Integer;
  /** The value is a rate. */
  passes: boolean;
}

/** Answers that nothing grades or compares. */
export interface AnswersHeadline extends Stated<"answers", null> {
  /** Who answered, and how often. */
  targets: AnsweredBy[];
  /** Rows that were asked. */
  rows: Integer;
}

/** Answers are graded, and no gate decides. */
export interface UngatedHeadline extends Stated<"ungated", null>, Compared, MeasuredLoss {
  /** `open`: it is neither surely worse nor surely better. */
  is: "worse" | "better" | "open";
  /** The rows that turned. */
  turned: Turned;
}

/** Answers that are compared, and not graded. */
export interface NotGradedHeadline extends Stated<"not-graded", null> {
  /** Who answers how many rows differently. */
  pairs: {
    /** Name of the target. */
    candidate: string;
    /** Name of the target that it is compared with. */
    baseline: string;
    /** Rows with another answer. */
    differ: Integer;
    /** Rows that both answered. */
    rows: Integer;
  }[];
}

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
export interface ChoiceHeadline extends Stated<"choice", VerdictWord> {
  /** Name of the metric that it is chosen by. */
  metric: string;
  /** Targets that may be taken: one, or several that are alike. */
  take: string[];
  /** `best`: surely; `ahead`: not quite surely; `cheapest`: of those that are good enough; `close`: close enough, by a race; `tie`: none of them is surely better, and each other one is surely behind; `alike`: the same answers; `open`: several may be the best; `none`: none is good enough; `unpriced`: a cost is not known; `unable`: see `open`. */
  is: "best" | "ahead" | "cheapest" | "close" | "tie" | "alike" | "open" | "none" | "unpriced" | "unable";
  /** Why nothing can be told; null: something can. */
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
export type Also = AlsoSure | AlsoLost | AlsoSame | AlsoOpen;

/** Another candidate, or another metric, that is surely better or worse. */
interface AlsoSure {
  /** Which way. */
  kind: "better" | "worse";
  /** Name of the target. */
  candidate: string;
  /** Name of the metric; null: not known. */
  metric: string | null;
}

/** Another candidate that fails more rows than its gate accepts. */
interface AlsoLost {
  /** Its rows decide. */
  kind: "newly-fail";
  /** Name of the target. */
  candidate: string;
  /** Rows that newly fail. */
  rows: Integer;
}

/** Other candidates of which nothing is decided either. */
interface AlsoOpen {
  /** They are undecided. */
  kind: "undecided";
  /** Names of the targets, the largest loss first. */
  candidates: string[];
}

/** All answers are the same. */
interface AlsoSame {
  /** Every answer is the same. */
  kind: "same-answers";
  /** Name of the target. */
  candidate: string;
  /** Name of the target that it is compared with. */
  baseline: string;
  /** Rows that both answered. */
  rows: Integer;
}

/** Rows of a place, and those of them that got worse. */
export interface TurnedPlace extends SliceName {
  /** Rows that have it. */
  rows: Integer;
  /** Rows of it that got worse. */
  worse: Integer;
  /** The metric passes and fails, and every run of the rows agrees. */
  flips: boolean;
  /** The mean difference in these rows, where scores are compared; null: passes are counted. */
  difference: number | null;
}

/** A line below the figures, by its kind. */
interface Line<Kind extends string> {
  /** Which line it is. */
  kind: Kind;
}

/** A line below the figures. */
export type Fact =
  | WhereFact
  | AnsweredFact
  | GradedFact
  | ChangedFact
  | RunsFact
  | OneMoreFact
  | ToDecideFact
  | SharedLevelFact
  | AlsoWorseFact
  | AskedSecondFact
  | Line<"early">
  | Line<"by-judge">
  | NoteFact
  | ProviderFact
  | Line<"may-choose">
  | ReasonsFact
  | LeftOutFact
  | ToSeparateFact
  | AlikeFact
  | CostFact
  | NonePassesFact;

/** Where it is surely worse. */
export interface WhereFact extends Line<"where"> {
  /** Name of the target. */
  candidate: string;
  /** The headline is about another candidate. */
  isOther: boolean;
  /** Name of the metric. */
  metric: string;
  /** Up to two places, the second without the rows of the first. */
  places: TurnedPlace[];
  /** All other rows; null: they are not counted. */
  rest: {
    /** Number of them. */
    rows: Integer;
    /** Those that got worse. */
    worse: Integer;
    /** Those that got better; null: not known. */
    better: Integer | null;
  } | null;
}

/** Answers that are missing, by the side that lacks them. */
export interface AnsweredFact extends Line<"answered"> {
  /** Who lacks answers. */
  targets: LackingAnswers[];
}

/** A target that lacks answers. */
interface LackingAnswers extends AnsweredBy {
  /** The first rows without one. */
  missing: RowName[];
}

/** Grades that one side lacks more often than chance explains. */
interface GradedFact extends Line<"graded"> {
  /** Name of the target. */
  candidate: string;
  /** Name of the target that it is compared with. */
  baseline: string;
  /** Name of the metric. */
  metric: string;
  /** Rows that the candidate alone has no grade of. */
  candidateLacks: Integer;
  /** Rows that the baseline alone has no grade of. */
  baselineLacks: Integer;
}

/** Answers that are not as before. */
export interface ChangedFact extends Line<"changed"> {
  /** Name of the target. */
  candidate: string;
  /** Rows that changed. */
  rows: Integer;
  /** Rows that both answered. */
  of: Integer;
  /** Those that are so by chance; null: not known. */
  byChance: Integer | null;
  /** Their texts are the same: other members of the output changed. */
  sameTexts: boolean;
  /** There are other candidates. */
  several: boolean;
}

/** Rows that were asked more than once. */
export interface RunsFact extends Line<"runs"> {
  /** Who was asked how often. */
  targets: {
    /** Name of the target. */
    target: string;
    /** Runs of each row. */
    runs: Integer;
  }[];
  /** A row right once of two counts half. */
  halves: boolean;
}

/** The range counts one more row that loses all that it can. */
interface OneMoreFact extends Line<"one-more"> {
  /** Name of the metric. */
  metric: string;
}

/** Rows that undecided candidates take, and candidates that no number of rows decides. */
interface ToDecideFact extends Line<"to-decide"> {
  /** Rows in all that each takes. */
  needs: {
    /** Name of the target. */
    candidate: string;
    /** Rows in all. */
    rows: Integer;
  }[];
  /** Names of targets that ten times these rows would not decide; none beside a headline of such a one. */
  beyond: string[];
  /** Rows that there are. */
  rows: Integer;
}

/** A level that is shared among candidates: alone some would be a regression. */
interface SharedLevelFact extends Line<"shared-level"> {
  /** Number of candidates. */
  candidates: Integer;
  /** The level, such as 0.05. */
  share: number;
  /** Those that alone would be a regression. */
  alone: string[];
}

/** Metrics that are surely worse beside a headline of another one. */
interface AlsoWorseFact extends Line<"also-worse"> {
  /** Each of them. */
  losses: {
    /** Name of the target. */
    candidate: string;
    /** Name of the metric. */
    metric: string;
    /** The difference, below 0. */
    difference: number;
    /** The loss that is accepted; null: there is none. */
    margin: number | null;
  }[];
  /** There are other candidates. */
  several: boolean;
}

/** Times are compared, and one side was mostly asked second. */
interface AskedSecondFact extends Line<"asked-second"> {
  /** Name of the target. */
  target: string;
  /** Share of the rows. */
  share: number;
}

/** Sentences that another part of the program made. */
export interface NoteFact extends Line<"note"> {
  /** Their subject. */
  label: "judge" | "looks" | "night" | "known" | "caution" | "graded" | "advice" | "race" | "groups";
  /** The sentences. */
  texts: string[];
}

/** Words of the services of themselves, beside what the suite has changed. */
interface ProviderFact extends Line<"provider">, ProviderFinding {}

/** Further reasons why nothing is decided. */
interface ReasonsFact extends Line<"reasons"> {
  /** Each as a sentence. */
  texts: string[];
}

/** Rows that count for no configuration, because one has no score of them. */
interface LeftOutFact extends Line<"left-out"> {
  /** Name of the target. */
  target: string;
  /** Number of rows. */
  rows: Integer;
  /** Keys of the first of them. */
  keys: string[];
}

/** Rows that would separate the first two configurations. */
export interface ToSeparateFact extends Line<"to-separate"> {
  /** Number of rows. */
  rows: Integer;
  /** The two, the higher first. */
  first: {
    /** Name of the target. */
    target: string;
    /** Its mean or rate; null: not known. */
    value: number | null;
  }[];
  /** Name of the metric. */
  metric: string;
}

/** Configurations that gave the same answers. */
interface AlikeFact extends Line<"alike"> {
  /** Names of the targets. */
  targets: string[];
  /** Rows that all answered. */
  rows: Integer;
}

/** The cost of the chosen one beside that of the one with the highest score, row by row. */
export interface CostFact extends Line<"cost"> {
  /** The chosen one. */
  target: string;
  /** The one with the highest score. */
  than: string;
  /** The cost as a multiple of that of the other. */
  ratio: {
    /** 0.8: it costs 20 % less. */
    value: number;
    /** End of its 95 % interval. */
    lower: number;
    /** End of its 95 % interval. */
    upper: number;
  };
}

/** Rows that pass with none of the targets. */
export interface NonePassesFact extends Line<"none-passes"> {
  /** Number of rows. */
  rows: Integer;
  /** The first of them. */
  first: RowName[];
}

/** The row of a sheet; its key where it is of none. */
export interface RowName {
  /** Its number; null: it is of none. */
  row: Integer | null;
  /** The file; null: there is one, or none. */
  file: string | null;
  /** The key of the case. */
  key: string;
}
