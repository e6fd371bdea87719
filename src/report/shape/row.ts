import type { ShownOutcome } from "../../api/outcomes.ts";
import type { CaseChange, CaseFlip, CaseTurn } from "../../compare/cases/case-kinds.ts";
import type { ShownMembers } from "../../store/results/columns.ts";
import type { Integer } from "../../lib/integer.ts";

/** One case: what was asked, and what each target made of it. */
export interface ReportRow {
  /** Key of the case. */
  key: string;
  /** 1, 2, ... in the order of the dataset. */
  place: number;
  /** Number of the row as a spreadsheet shows it (the header is row 1); null where the case is of no file. */
  row: Integer | null;
  /** Name of the file that the row is of; null where the dataset is one file. */
  file: string | null;
  /** Null where the case is alone in its cluster. */
  cluster: string | null;
  turn: number;
  /** Tag to value. */
  tags: Record<string, string>;
  /** The question: field and text, the prompt first. */
  input: { field: string; text: string }[];
  /** The expected answer. */
  expected: string | null;
  /** Cells of the dataset. */
  columns: Record<string, string>;
  sides: ReportSide[];
  /** Changes of each candidate. */
  changes: ReportChange[];
}

export interface ReportSide {
  /** Runs by repeat. */
  runs: ReportRun[];
  /** Scores over the runs, by metric; null if there is none. */
  scores: (SideScore | null)[];
  /** Mean by the primary metric with its missing answers as the worst, as the result counts it; left out where it is that of `scores`. */
  counted?: number;
  /** Some of its tries pass and some do not, by the metric of the flips; left out: not so. */
  flaky?: boolean;
}

export interface SideScore {
  /** Mean of the values, or share of passes when the metric passes; null: unscored. */
  value: number | null;
  passes: number;
  runs: number;
}

/** A run of a side: what is shown of its job as it is stored, and what is made of it. */
export interface ReportRun extends ShownMembers {
  /** Kind of its answer for a run record, else the outcome of the job; `unfinished` without one. See errors.md. */
  outcome: ShownOutcome;
  /** It has no usable answer. */
  failed: boolean;
  /** Text of the answer. */
  answer: string | null;
  /** Milliseconds from the first byte sent to the last received. */
  latencyMs: number | null;
  /** Scores in the order of `metrics`; null where the metric says nothing of it. */
  scores: (RunScore | null)[];
  extras: RunExtras | null;
  /** Time until its first words came; left out where nobody knows. */
  firstMs?: number;
  /** Tokens that were read and written for it; left out where the service does not tell. */
  usage?: { input: number; output: number };
  /** Left out without a price. */
  cost?: number;
  /** Its attempts; left out where there was one, and where they are not shown. */
  tries?: RunAttempt[];
  /** Labels that people gave the answer; left out if nobody did, and if they are asked for by themselves. */
  labels?: RunLabel[];
}

/** A request for an answer, and what became of it. */
export interface RunAttempt {
  number: number;
  outcome: ShownOutcome;
  status: number | null;
  error: string | null;
  possiblyPaid: boolean;
  /** When it was sent, or entered where it was not. */
  at: number;
  /** Null: it was not sent, or did not end. */
  tookMs: number | null;
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
  /** Null: unscored. */
  value: number | null;
  /** Null: the metric does not say so. */
  pass: boolean | null;
  /** The reason why it was graded so. */
  reason: string | null;
  /**
   * A person put this score, or one that it is made of, in the place of what the scorer said, for the reason given; left
   * out where nobody did.
   */
  edited?: {
    /** Empty: not told. */
    author: string;
    /** Milliseconds since 1970. */
    at: Integer;
    /** The score that the scorer gave. */
    was: Omit<RunScore, "edited">;
    /** Names of the edited scores that it is made of and follows; left out where it was edited itself. */
    from?: string[];
  };
}

/** The parts of a record beside the answer. Empty ones are left out. */
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
  /** Name of the target. */
  candidate: string;
  kind: CaseChange;
  /** Flips that count in the summary; left out where there is none. */
  flips?: CaseFlip[];
  /**
   * The turn by each metric, as the summary counts it: null where the metric leaves the case out. Left out: the summary
   * counts nothing of the case, because it is no pair, or came after the run was decided.
   */
  turns?: (CaseTurn | null)[];
  /** Trend by the primary metric, on average over all tries; null: neither, or nothing is known. */
  trend: "worse" | "better" | null;
  /** Distance of the answers, in [0, 1]; null when a side has none. */
  distance: number | null;
  /** Distance between runs of the baseline; null: its own variation was not measured. */
  noise: number | null;
  /** Distance beyond the baseline's own variation, by which rows are ranked. */
  excess: number | null;
  members: { path: string; baseline: string; candidate: string }[];
  /** Milliseconds between the sending of the two. */
  gapMs: number | null;
}
