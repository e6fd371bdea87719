import type { ReportRow, ReportRun, ReportSummary } from "../../../report/shape/model.ts";
import type { Beside, LabelKept, NewLabel, OldLabel, RowJudged, CaseNight, PinKept } from "../../api.ts";
import type { ListColumns } from "../../../report/model/row-figures.ts";
import type { RowHead, RowJudgement } from "../../../report/shape/row-head.ts";
import type { RowFilter } from "../../../report/model/row-filters.ts";
import type { AddressSort } from "./address.ts";

/** The rows that are wanted, and their order. */
export interface ListQuery extends ListColumns {
  /** In the query language of rows. */
  text: string;
  sort: AddressSort;
  /** Place of the candidate among the candidates. */
  candidate: number;
}

/** The rows that a query finds. */
export interface RowList {
  /** Number of rows; null: not known yet. */
  matched: number | null;
  /** Number of rows that each filter would find, within the other conditions; null: not known yet. */
  counts: Record<string, number> | null;
  /** Mean of each target over them by the primary metric; null: not known yet, or not at all. */
  means: (number | null)[] | null;
  /** Why they could not be read, as a sentence; null: they could. It is tried again. */
  failure: string | null;
  /** Number `index` of them; null while it is fetched: the source tells when it is there. */
  head: (index: number) => RowHead | null;
  /** Place of a row in the list; null when it is not in it, or not known. */
  indexOf: (key: string) => number | null;
}

/** The place that the page takes its rows from: the data inside a report, or the database behind the viewer. */
export interface Source {
  summary: ReportSummary;
  /** Rows that can be listed; fewer than the cases where a report left some out. */
  total: number;
  /** Rows of the view that was saved as this file, of which it may lack some; null: it is not of a view alone. */
  view: number | null;
  /** Rows that are read so far. */
  ready: () => number;
  list: (query: ListQuery) => RowList;
  row: (key: string) => Promise<ReportRow | null>;
  /** The turns of its conversation that came before a row, in their order; a long one from its middle on. */
  earlier: (row: ReportRow) => Promise<ReportRow[]>;
  /** Tells of rows that have come. Returns what ends it. */
  subscribe: (listener: () => void) => () => void;
  /** Number of rows that each filter finds, without the other conditions; null where it is not known. */
  count: (show: RowFilter, candidate: number) => number | null;
  /** Some answer may have a label: in a file only where one has. */
  labels: () => boolean;
  /** Actions that only the viewer can do; null in a file. */
  actions: Actions | null;
}

/** Judgements of people on the answers of a row; `judged` is what the list says of them, null: nothing. */
export interface JudgedRow extends RowJudged {
  judged: RowJudgement | null;
}

/** Actions that need the database. */
export interface Actions {
  /** The runs of the suite before and after this one; null: the comparison is not a run's own. */
  beside: Beside | null;
  /** Judgements of people on the answers of a row. */
  judged: (key: string) => Promise<JudgedRow>;
  /** Resolves with the label as it was kept, and the one that it took the place of. */
  label: (given: NewLabel) => Promise<Pick<LabelKept, "label" | "before">>;
  takeBack: (given: OldLabel) => Promise<void>;
  /** Key of the next row of a list of which nobody labelled an answer; null: there is none. */
  nextUnlabelled: (query: ListQuery, key: string) => Promise<string | null>;
  /** Makes the comparison again, with the scores as they are now. */
  compareAgain: () => void;
  /** Address of the rows that a query finds, as CSV. */
  exportAddress: (query: ListQuery, form?: "comparison" | "runs") => string;
  /** A case of a target over the nights of the suite, the oldest first. */
  nights: (key: string, target: string) => Promise<CaseNight[]>;
  /** Its answer in one of them; null: there is none. */
  answerOfNight: (batch: string, key: string, target: string) => Promise<ReportRun | null>;
  /** Address of a page of the rows that a query finds, or of the row with a key: one file that opens anywhere. */
  pageAddress: (query: ListQuery, key: string | null) => string;
  /** Gives the batch a name; `replace` takes it from what has it. */
  pin: (name: string, replace: boolean) => Promise<PinKept>;
}
