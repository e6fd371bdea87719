import type { RowUnit } from "../../compare/cause.ts";
import type { Integer } from "../../lib/integer.ts";
import type { SuiteLine } from "../../suite/suite-path.ts";
import type { SliceName } from "../../compare/slice-name.ts";
import type { RowName } from "./findings.ts";

/** The one thing to do next; `say/next.ts` words it. */
export interface NextStep {
  /** The thing to do. */
  step: Step;
  /** The commands that do it, in their order, each by its words. */
  commands: string[][];
  /** The line of the suite file that is to be changed before; left out: none is, or it is not found. */
  at?: SuiteLine;
  /** The suite file that it takes is not found: its commands show what was run; left out: it takes none, or it is there. */
  lost?: {
    /** Where it was; null: there never was one. */
    folder: string | null;
    /** Names of the files there that have its name, where several do and none is chosen; left out: none has it. */
    alike?: string[];
  };
}

/** Something to do. */
export type Step =
  | LookStep
  | PlaceStep
  | DoneStep
  | ReadStep
  | CheckJudgeStep
  | ResumeStep
  | AskFailedStep
  | GradeStep
  | MergeStep
  | FindOutStep
  | FillStep
  | ExplainStep
  | RepeatStep
  | AddStep
  | Plain<"send-in-doubt">
  | Plain<"same-sheet">
  | Plain<"sample-more">
  | Plain<"correct">;

interface Plain<Kind extends string> {
  /** Which step it is. */
  kind: Kind;
}

/** Rows that a step leads to. */
export type StepRows =
  | "worse"
  | "not-holding"
  | "bad-by-people"
  | "disputed"
  | "changed"
  | "answers"
  | "some-answers"
  | "expected"
  | "all";

/** Rows are looked at. */
interface LookStep extends Plain<"look"> {
  /** Which rows. */
  rows: StepRows;
  /** Number of them; null: not counted. */
  count: Integer | null;
}

/** The rows of a place are looked at. */
interface PlaceStep extends Plain<"look-at-place"> {
  /** Name of the target. */
  target: string;
  /** The place. */
  place: SliceName;
  /** Other places beside it. */
  more: Integer;
  /** Rows of it that got worse. */
  count: Integer;
  /** They passed, and fail. */
  fails: boolean;
  /** The headline names the place. */
  isTold: boolean;
}

/** A few rows are read and judged. */
interface ReadStep extends Plain<"read"> {
  /** Name of the target. */
  target: string;
  /** Number of them. */
  count: Integer;
}

/** People label some rows, by which the judge is checked that the verdict rests on. */
interface CheckJudgeStep extends Plain<"check-judge"> {
  /** The metric of the judge. */
  metric: string;
  /** Rows to label. */
  count: Integer;
}

/** Nothing is left to do, but to take the one that was chosen. */
interface DoneStep extends Plain<"done"> {
  /** Name of the target to take; null: none was chosen. */
  take: string | null;
  /** The saving beside one with the same answers; null: not known. */
  cheaper: {
    /** Name of the other target. */
    than: string;
    /** Share by which it is cheaper. */
    share: number;
  } | null;
  /** Rows that are left to look at. */
  rows: StepRows;
}

/** The rest of a batch is sent. */
interface ResumeStep extends Plain<"resume"> {
  /** Something stopped it that is to be mended before. */
  mend: boolean;
  /** It was decided, and the rest is asked for too. */
  rest: boolean;
}

/** Failed questions are asked again. */
interface AskFailedStep extends Plain<"ask-failed"> {
  /** Name of the target. */
  target: string;
  /** Number of them. */
  failed: Integer;
  /** Something stopped it that is to be mended before. */
  mend: boolean;
}

/** Stored answers are graded. */
interface GradeStep extends Plain<"grade"> {
  /** `scorer`: nothing grades them yet; `judge`, `expected`, `same-scorer`: by those of today; `range`: by a range that the scorer is given. */
  by: "scorer" | "judge" | "expected" | "same-scorer" | "range";
  /** Name of the metric that is given a range, or graded by another scorer; null: none is. */
  metric: string | null;
}

/** Parts of a run are put together. */
interface MergeStep extends Plain<"merge"> {
  /** Numbers of the parts that are missing. */
  parts: Integer[];
  /** Parts in all. */
  of: Integer;
}

/** A target does not answer: why is found out, and then the rows are asked again. */
interface FindOutStep extends Plain<"find-out"> {
  /** Name of the target. */
  target: string;
  /** Runs without an answer; null: more than are accepted. */
  runs: Integer | null;
}

/** Answers that are missing in a sheet are filled in. */
interface FillStep extends Plain<"fill"> {
  /** Name of the column. */
  column: string;
  /** Name of the sheet; null: there are several. */
  file: string | null;
  /** The first rows without one. */
  first: RowName[];
  /** Number of rows without one. */
  rows: Integer;
}

/** A grade that is missing is explained. */
interface ExplainStep extends Plain<"explain"> {
  /** Name of the metric. */
  metric: string;
}

/** Each row is asked more often. */
interface RepeatStep extends Plain<"repeat"> {
  /** Times that each is asked. */
  repeats: Integer;
  /** Number of rows; null: to see which changes are chance. */
  rows: Integer | null;
}

/** Rows are added to the sheet, and all are compared. */
interface AddStep extends Plain<"add"> {
  /** Number of rows; null: not known. */
  rows: Integer | null;
  /** They have to ask something else than those that are there. */
  mustDiffer: boolean;
  /** Name of the sheet; null: not known. */
  file: string | null;
  /** The most rows that two looks of the suite hold for, where it would be more; null: it is not. */
  most: Integer | null;
  /** Groups that the sheet has to come to; null: rows are counted. */
  groups: {
    /** The fewest. */
    least: Integer;
    /** The rows of each. */
    of: RowUnit;
  } | null;
  /** It is a second look. */
  isSecond: boolean;
}
