import type { ReportRow, ReportSummary } from "../report/model.ts";
import type { RowHead } from "../report/row-head.ts";

/** What the viewer's page and its server say to each other, as JSON. */
export interface BatchEntry {
  name: string;
  suite: string;
  /** `finished`, `running`, `killed` ... */
  state: string;
  reason: string | null;
  createdAt: number;
  jobs: number;
  finished: number;
  targets: string[];
  verdict: string | null;
  /** What it is pinned as. */
  pins: string[];
}

/** A comparison that is being made ready, or is. */
export type Opened =
  | { id: string; ready: false; done: number; of: number }
  | { id: string; ready: true; summary: ReportSummary; counts: Record<string, number>[] };

/** A page of the rows that a query finds. */
export interface RowPage {
  matched: number;
  heads: RowHead[];
}

export interface Label {
  /** Empty: the answer as a whole. */
  scorer: string;
  label: string;
  note: string | null;
  author: string;
  at: number;
}

/** A row in full, with what people said of its answers: by job. */
export interface RowAnswer {
  row: ReportRow;
  labels: Record<string, Label[]>;
}

export interface NewLabel {
  jobId: number;
  scorer: string;
  label: string;
  note: string | null;
  author: string;
}

/** How far a batch is, told every second while it runs. */
export interface Live {
  state: string;
  jobs: number;
  finished: number;
  targets: { name: string; jobs: number; outcomes: Record<string, number>; attempts: number; throttled: number }[];
}
