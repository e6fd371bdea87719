import type { CaseChange, CaseFlip, CaseTurn } from "./case-kinds.ts";
import type { OutputFieldDifference } from "./output-fields.ts";
import type { Pairing } from "./pairing.ts";
import type { TextComparison } from "./text-comparison.ts";

/** A candidate against its baseline, for one case. */
export interface Difference extends Omit<TextComparison, "between"> {
  candidate: string;
  pairing: Pairing;
  /** Differing members of the first runs; null unless both have a run record with a known structure. */
  members: OutputFieldDifference[] | null;
  /** The same between the first run of the baseline and the next that has a run record; null without two. */
  noiseMembers: OutputFieldDifference[] | null;
  /** Those of both by which the case is changed: where a target names its answer, what is said in it; else all. */
  telling: { members: OutputFieldDifference[]; noise: OutputFieldDifference[] | null };
  /** The sides were graded by other expected texts. */
  expectedDiffers: boolean;
  /**
   * Some run of the candidate ended in another way than some run of the baseline. Null when a side is not finished; false where
   * a turn was skipped: the turn that failed before it is what differs.
   */
  outcomeDiffers: boolean | null;
  /** The same of the first runs alone, as it is counted beside the baseline's first two. */
  firstOutcomeDiffers: boolean | null;
  /** Null unless the baseline has two finished runs. */
  noiseOutcomeDiffers: boolean | null;
  /** Milliseconds between the sending of the two runs that were sent nearest to each other; null when a side sent none. */
  gapMs: number | null;
  /** Chance that the case would be `changed`, were all its runs of one side; null where it has too many runs to know. */
  changedByChance: number | null;
  change: CaseChange;
  /** By the primary metric, over all tries; null where that says nothing of the case, or the case is no pair. */
  turn: CaseTurn | null;
  flips: CaseFlip[];
}
