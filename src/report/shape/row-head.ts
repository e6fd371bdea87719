import type { ShownOutcome } from "../../api/outcomes.ts";
import type { ReportChange, ReportRow } from "./row.ts";

/**
 * A row as a line of a list. It is a shape of its own because it goes from the viewer's server to the page, a hundred lines at a
 * time, and the answers of a `ReportRow` may have 200 KB each: it has the beginnings of texts, and the first run of each side.
 */
export interface RowHead extends Pick<ReportRow, "key" | "place" | "row" | "file" | "tags"> {
  question: string;
  sides: HeadSide[];
  changes: Pick<ReportChange, "kind" | "trend" | "distance">[];
  /** Beginnings of the cells of the sheet that were asked for. */
  cells?: Record<string, string>;
  /** Judgements of people on its answers. */
  judged?: RowJudgement;
  /** Its past, where the list is sorted by it. */
  nights?: RowNights;
}

interface HeadSide {
  outcome: ShownOutcome;
  /** Some run has no usable answer. */
  failed: boolean;
  excerpt: string;
  /** Scores over all runs, by metric. */
  scores: (number | null)[];
  latencyMs: number | null;
  cost: number | null;
  tokens: number | null;
  /** Beginnings of the fields of its JSON answer that were asked for, by their paths; left out: it has none of them. */
  fields?: Record<string, string>;
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
  /** Somebody wrote a comment. */
  commented?: true;
}
