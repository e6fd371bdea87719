import type { ShownOutcome } from "../../api/outcomes.ts";
import type { ReportChange } from "./model.ts";

/** The part of a row that a list shows, and by which lists are sorted and filtered. */
export interface RowHead extends RowFigures {
  row: number | null;
  file: string | null;
  question: string;
  sides: HeadSide[];
  /** Beginnings of the cells of the sheet that were asked for; left out: none was. */
  cells?: Record<string, string>;
  /** Judgements of people on its answers; left out where there is none. */
  judged?: RowJudgement;
  /** Its past, where the list is sorted by it. */
  nights?: RowNights;
}

/** A row over the nights of its suite, by the primary metric. */
export interface RowNights {
  /** When the night began since which it is as it is now; null: in all nights that are looked at. */
  since: number | null;
  /** Times that it came out otherwise than in the night before. */
  changes: number;
}

/** Judgements of people on a row, each once. */
export interface RowJudgement {
  /** Labels of its answers. */
  labels: string[];
  /** Somebody wrote a comment; left out: nobody did. */
  commented?: true;
}

/** The numbers by which lists are sorted and filtered: a head without the excerpts of texts, which take the longest. */
export interface RowFigures {
  key: string;
  place: number;
  tags: Record<string, string>;
  sides: Omit<HeadSide, "excerpt">[];
  changes: HeadChange[];
  /** True when some run of some target has no usable answer. */
  failed: boolean;
  /** By the primary metric, if it says pass or fail: `missed` where some run of some target does. */
  graded: "passed" | "missed" | null;
  /** The tries of some target pass and fail. */
  flaky: boolean;
}

interface HeadSide {
  /** Outcome of the first run. */
  outcome: ShownOutcome;
  failed: boolean;
  excerpt: string;
  /** Scores by metric. */
  scores: (number | null)[];
  latencyMs: number | null;
  /** Cost of the first run. */
  cost: number | null;
  /** Read and written for the first run. */
  tokens: number | null;
}

type HeadChange = Pick<ReportChange, "kind" | "trend" | "distance" | "excess"> & {
  rank: number;
  members: number;
};
