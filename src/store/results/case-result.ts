import type { JobOutcome } from "../../api/outcomes.ts";
import type { AnswerKind } from "../../api/answer-kind.ts";
import type { Usage } from "../../api/usage.ts";
import type { CaseChecks } from "../../dataset/case.ts";

/** Everything that is stored of one case: the row it was read from and what each target answered. */
export interface CaseResult {
  caseId: number;
  key: string;
  inputHash: string;
  /** JSON text of the mapped input. */
  input: string;
  expected: string | null;
  cluster: string;
  turn: number;
  tags: Record<string, string>;
  /** Header to cell, as written. */
  columns: Record<string, string>;
  /** Checks of the row itself; null: none. */
  checks: CaseChecks | null;
  /** Its row as a spreadsheet shows it (the header is row 1); null where it is of no file. */
  row: number | null;
  /** Finished and unfinished jobs of kind `case`, by target in the order of the suite, then by repeat. */
  jobs: JobResult[];
}

/** One job and the attempt that decided it. */
export interface JobResult {
  jobId: number;
  targetId: number;
  repeat: number;
  /** null: not finished. */
  outcome: JobOutcome | null;
  answer: AnswerKind | null;
  error: string | null;
  status: number | null;
  attempts: number;
  possiblyPaid: boolean;
  /** Milliseconds since 1970; null where it did not happen. */
  sentAt: number | null;
  doneAt: number | null;
  /** When the first piece of the reply came: of a stream its first event. */
  firstAt: number | null;
  /** Tokens that the answer took; null: not told. */
  usage: Usage | null;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  /** The response body; null without a record. */
  body: string | null;
}

/** Score of one answer by one scorer. */
export interface JobScore {
  /** null: unscored. */
  value: number | null;
  /** null where the scorer only measures, and for what is unscored. */
  pass: boolean | null;
  /** The reason for this grade, or for having none. */
  reason: string | null;
  /** False: the scorer has nothing to say of the case, and this is no score. Left out: true. */
  applies?: false;
  /** Left out: it is as the scorer said. */
  edit?: ScoreEdit;
}

/**
 * An edit: a person put another score in the place of this one, for the reason that it has now, or of one that it is
 * made of.
 */
export interface ScoreEdit {
  /** Empty: not told. */
  author: string;
  at: number;
  /** The scorer's own score. */
  was: { value: number | null; pass: boolean | null; reason: string | null };
  /** Names of the edited scores that this one is made of, and follows; left out where it was edited itself. */
  from?: string[];
}

/** A job with its scores by the place of the scorer; undefined where it was not graded. */
export interface ScoredJob extends JobResult {
  scores: (JobScore | undefined)[];
}

/** Everything that is stored of a case, its scores included. */
export interface ScoredResult extends CaseResult {
  jobs: ScoredJob[];
}
