/**
 * How the answers of a candidate to one case differ from those of the baseline. `differs`: different, and nothing is
 * known of how much the baseline differs from itself.
 */
export type ChangeKind =
  | "error-appeared"
  | "error-gone"
  | "newly-flaky"
  | "newly-stable"
  | "changed"
  | "differs"
  | "within-noise"
  | "same"
  | "not-compared";

/** One case: what was asked, and what each target made of it. */
export interface ReportRow {
  key: string;
  /** 1, 2, ... in the order of the dataset. */
  place: number;
  /** Null where the case is alone in its cluster. */
  cluster: string | null;
  turn: number;
  tags: Record<string, string>;
  /** What was asked: field and text, the prompt first. */
  input: { field: string; text: string }[];
  expected: string | null;
  /** Cells of the dataset that are not in the input. */
  columns: Record<string, string>;
  sides: ReportSide[];
  /** For each candidate. */
  changes: ReportChange[];
}

export interface ReportSide {
  /** By repeat. */
  runs: ReportRun[];
  /** By metric: over the runs; null where there is no score. */
  scores: (SideScore | null)[];
}

export interface SideScore {
  /** Mean of the values, or share of passes when the metric passes; null: unscored. */
  value: number | null;
  passes: number;
  runs: number;
}

export interface ReportRun {
  jobId: number;
  repeat: number;
  /** For a record the kind of its answer, else the outcome of the job; `unfinished` without one. */
  outcome: string;
  /** It has no usable answer. */
  failed: boolean;
  answer: string | null;
  error: string | null;
  status: number | null;
  attempts: number;
  possiblyPaid: boolean;
  latencyMs: number | null;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  scores: (RunScore | null)[];
  extras: RunExtras | null;
  /** What people said of the answer; left out where nobody did, and where that is asked for by itself. */
  labels?: RunLabel[];
}

export interface RunLabel {
  /** Name of the score that it is about; empty: the answer as a whole. */
  scorer: string;
  label: string;
  note: string | null;
  /** Empty: not told. */
  author: string;
  at: number;
}

export interface RunScore {
  value: number | null;
  pass: boolean | null;
  reason: string | null;
  /** A person put it in the place of what the scorer said, for this reason; left out where nobody did. */
  edited?: {
    author: string;
    at: number;
    was: { value: number | null; pass: boolean | null; reason: string | null };
    /** Names of the edited scores that it is made of and follows; left out where it was edited itself. */
    from?: string[];
  };
}

/** What a record holds beside the answer. What is empty is left out. */
export interface RunExtras {
  references?: { url: string; title: string | null; snippet: string | null; score: number | null }[];
  audio?: string[];
  video?: string[];
  documents?: string[];
  buttons?: string[];
  logs?: { level: string; message: string }[];
  finishReason?: string;
  searchQuery?: string;
  functionError?: string;
  /** References or logs that were left out, because there are very many. */
  leftOut?: number;
}

export interface ReportChange {
  candidate: string;
  kind: ChangeKind;
  /** By the primary metric; null: neither, or nothing is known. */
  trend: "worse" | "better" | null;
  /** Of the answers, in [0, 1]; null when a side has none. */
  distance: number | null;
  /** Distance between runs of the baseline; null: no noise floor measured. */
  noise: number | null;
  /** By which rows are ranked: the distance beyond noise. */
  excess: number | null;
  members: { path: string; baseline: string; candidate: string }[];
  /** Milliseconds between the sending of the two. */
  gapMs: number | null;
}
