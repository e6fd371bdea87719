import type { Integer } from "../../lib/integer.ts";

/** A judge that was asked the questions of its first check again, to see whether it has changed. */
export interface JudgeWatch {
  /** Name of the suite. */
  suite: string;
  /** Name of the judge's score. */
  scorer: string;
  /** When the night was that tells this, ISO 8601. */
  at: string;
  /**
   * `same`: nothing shows that it has changed; `noisy`: it contradicts itself so often that other grades tell nothing, and only its
   * model, fingerprint and settings are watched; `changed`: it has, as this night shows; `unanswered`: it gave too few grades to say.
   */
  state: JudgeState;
  /** Questions that it was asked in this night; 0: none were due. */
  questions: Integer;
  /** Those that it gave a grade. */
  answered: Integer;
  /** Grades that are higher than those by which it is known. */
  higher: Integer;
  /** Grades that are lower. */
  lower: Integer;
  /** Grades that can be compared. */
  of: Integer;
  /** Share of its grades that are others when it is asked the same twice; null: not known. */
  noise: number | null;
  /** Requests that the questions took. */
  requests: Integer;
  /** Their cost; null without a price. */
  cost: number | null;
  /** Why questions are without a grade; null: none is, or it is not known. */
  reason: string | null;
  /** The signs that it has changed. */
  signs: ReportedJudgeSign[];
  /** Batches to grade again when it has changed: that of the night before and that of this one. */
  grade: string[];
  /** When it was found to have changed before, ISO 8601; null: it was not. */
  changedBefore: string | null;
}

export type JudgeState = "same" | "noisy" | "changed" | "unanswered";

type ReportedJudgeSign = GradesSign | FactSign;

/** Its grades of the same questions are others. */
interface GradesSign {
  /** The sign is one of its grades. */
  kind: "grades";
  /** Grades that are higher. */
  higher: Integer;
  /** Grades that are lower. */
  lower: Integer;
  /** Grades that can be compared. */
  of: Integer;
  /** When it is most likely another since, ISO 8601. */
  since: string;
}

/** Its replies name another model or fingerprint, or its settings in the suite are others. */
interface FactSign {
  /** The fact that is another. */
  kind: "settings" | "model" | "fingerprint";
  /** The names before, or a hash of the settings. */
  before: string;
  /** Those of this night. */
  now: string;
}
