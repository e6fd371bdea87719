import type { ReportChange } from "./model.ts";

/** What a list shows of a row, and what lists are sorted and filtered by. */
export interface RowHead extends RowFigures {
  question: string;
  sides: HeadSide[];
}

/** What lists are sorted and filtered by: a head without what is cut out of texts, which takes the longest. */
export interface RowFigures {
  key: string;
  place: number;
  tags: Record<string, string>;
  sides: Omit<HeadSide, "excerpt">[];
  changes: HeadChange[];
  /** Some run of some target has no usable answer. */
  failed: boolean;
  /** The same question was passed once and failed once by the same target, or became so. */
  flaky: boolean;
}

interface HeadSide {
  /** Of the first run. */
  outcome: string;
  failed: boolean;
  excerpt: string;
  /** By metric. */
  scores: (number | null)[];
  latencyMs: number | null;
}

type HeadChange = Pick<ReportChange, "kind" | "trend" | "distance" | "excess"> & {
  rank: number;
  members: number;
};
