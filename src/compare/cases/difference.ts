import type { OutputFieldDifference } from "./output-fields.ts";
import type { Pairing } from "./pairing.ts";
import type { TextComparison } from "./text-comparison.ts";

/** What was found between a candidate and its baseline for one case, before it is said which change that is. */
export interface FoundDifference extends TextComparison {
  candidate: string;
  pairing: Pairing;
  /** Between the first runs; null unless both have a run record of which the structure is known. */
  members: OutputFieldDifference[] | null;
  /** The same between the first run of the baseline and the next that has a run record; null without two. */
  noiseMembers: OutputFieldDifference[] | null;
  /** The sides were graded by other expected texts. */
  expectedDiffers: boolean;
  /** Null when a side is not finished; false where a turn was skipped: the turn that failed before it is what differs. */
  outcomeDiffers: boolean | null;
  /** Null unless the baseline has two finished runs. */
  noiseOutcomeDiffers: boolean | null;
  /** Milliseconds between the sending of the first runs; null when one was not sent. */
  gapMs: number | null;
}
