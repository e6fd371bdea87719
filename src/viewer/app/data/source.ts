import type { ReportRow, ReportSummary } from "../../../report/shape/model.ts";
import type { Labelled, LabelKept, NewLabel, NewVote, OldLabel, OldVote, RowJudged, VoteKept } from "../../api.ts";
import type { SavedView } from "../../api.ts";
import type { RowHead, RowJudgement } from "../../../report/shape/row-head.ts";
import type { RowGroup } from "../../../report/shape/row-group.ts";
import type { TagValue } from "../../tags.ts";
import type { Show, AddressSort } from "./address.ts";

/** The rows that are wanted, and their order. */
export interface ListQuery {
  show: Show;
  /** Rows have one value of each tag that is named. */
  tags: TagValue[];
  text: string;
  /** Rows that have one thing in common; empty or left out: all. */
  group?: RowGroup;
  labelled: Labelled;
  sort: AddressSort;
  /** Columns of the sheet that the heads of the rows have with them; left out: none. */
  columns?: readonly string[];
  /** Place of the candidate among the candidates. */
  candidate: number;
}

/** The rows that a query finds. */
export interface RowList {
  /** Number of rows; null: not known yet. */
  matched: number | null;
  /** Number of rows that each filter would find, within the other conditions; null: not known yet. */
  counts: Record<string, number> | null;
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
  /** Rows that are read so far. */
  ready: () => number;
  list: (query: ListQuery) => RowList;
  row: (key: string) => Promise<ReportRow | null>;
  /** The turns of its conversation that came before a row, in their order; a long one from its middle on. */
  earlier: (row: ReportRow) => Promise<ReportRow[]>;
  /** Tells of rows that have come. Returns what ends it. */
  subscribe: (listener: () => void) => () => void;
  /** Number of rows that each filter finds, without the other conditions; null where it is not known. */
  count: (show: Show, candidate: number) => number | null;
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
  /** Judgements of people on the answers of a row. */
  judged: (key: string) => Promise<JudgedRow>;
  /** Resolves with the label as it was kept, and the one that it took the place of. */
  label: (given: NewLabel) => Promise<Pick<LabelKept, "label" | "before">>;
  takeBack: (given: OldLabel) => Promise<void>;
  vote: (given: NewVote) => Promise<VoteKept["before"]>;
  takeBackVote: (given: OldVote) => Promise<void>;
  /** Key of the next row of a list of which nobody labelled an answer; null: there is none. */
  nextUnlabelled: (query: ListQuery, key: string) => Promise<string | null>;
  /** Makes the comparison again, with the scores as they are now. */
  compareAgain: () => void;
  /** The request of an answer as a command line, without its key. */
  curl: (jobId: number) => Promise<string>;
  /** Address of the rows that a query finds, as CSV. */
  exportAddress: (query: ListQuery, form?: "comparison" | "runs") => string;
  /** Views of rows that were saved beside the results. */
  savedViews: () => Promise<SavedView[]>;
  /** Saves a view by its name, in the place of one of that name; null removes it. */
  saveView: (name: string, view: string | null) => Promise<SavedView[]>;
  /** Gives the batch a name; `replace` takes it from what has it. */
  pin: (name: string, replace: boolean) => Promise<void>;
}
