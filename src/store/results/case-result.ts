import type { Lack, Score } from "../../score/contract/scorer.ts";
import { type StoredCase, StoredJob } from "./columns.ts";

/** Everything that is stored of one case: the row it was read from, and what each target answered. */
export interface CaseResult extends StoredCase {
  caseId: number;
  /** Finished and unfinished jobs of kind `case`, by target in the order of the suite, then by repeat. */
  jobs: JobResult[];
}

/** One job and the attempt that decided it. */
export class JobResult extends StoredJob {
  /** Its scores by the place of the scorer; undefined where it was not graded. */
  scores: (JobScore | undefined)[] = [];
}

/** Score of one answer by one scorer. */
export interface JobScore {
  /** null: unscored. */
  value: number | null;
  /** null where the scorer only measures, and for what is unscored. */
  pass: boolean | null;
  /** The reason for this grade, or for having none. */
  reason: string | null;
  lack?: Lack;
  /** Left out: it is as the scorer said. */
  edit?: ScoreEdit;
}

/** A stored score as scorers give it. */
export function scoreOf({ value, pass, reason, lack }: JobScore): Score {
  if (value !== null) return { value, pass, reason: reason ?? "" };
  return { unscored: reason ?? "", ...(lack === undefined ? {} : { lack }) };
}

/** A score as it is stored. */
export function jobScoreOf(score: Score): JobScore {
  if (!("unscored" in score)) return score;
  const { unscored, lack } = score;
  return { value: null, pass: null, reason: unscored, ...(lack === undefined ? {} : { lack }) };
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
