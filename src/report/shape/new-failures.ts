import type { Integer } from "../../lib/integer.ts";

/** The rows that newly fail for a candidate, by what it says in them, and what their prompts have in common. */
export interface NewFailures {
  /** Name of the target. */
  candidate: string;
  /** Number of newly failing rows. */
  rows: Integer;
  /** Answers that are the same but for names and numbers, the most frequent first; at most 8. */
  said: SaidAlike[];
  /** Features that newly failing prompts have far more often than those that still pass, the surest first; at most 6. */
  common: CommonFeature[];
  /** Why it is not told what the prompts have in common; null: it is, be it nothing. */
  whyNoCommon: string | null;
}

/** Newly failing rows in which the candidate says the same but for names and numbers. */
export interface SaidAlike {
  /** The words, with … for names and # for numbers; of JSON objects the fields in which they differ from the baseline. */
  words: string;
  /** Number of rows. */
  rows: Integer;
}

/** Something that newly failing prompts have more often than others. */
export interface CommonFeature {
  /** Kind of the feature. */
  kind: "word" | "tag" | "script" | "length";
  /** The feature in words, such as `the word "card"`. */
  about: string;
  /** Name of the tag; null: it is none. */
  tag: string | null;
  /** The word, the value of the tag, the script, or the bound of the length. */
  value: string;
  /** Over all rows that were looked at. */
  all: FeatureRows;
  /** Over the half of the rows that was not looked at when the feature was chosen. */
  confirmed: FeatureRows;
  /** Fisher's exact p of that half, one-sided, adjusted for the features that were chosen (Holm). */
  p: number;
}

/** Numbers of rows. */
export interface FeatureRows {
  /** Newly failing rows. */
  failing: Integer;
  /** Those of them that have it. */
  failingWith: Integer;
  /** Rows that still pass. */
  passing: Integer;
  /** Those of them that have it. */
  passingWith: Integer;
}
