import type { CaseChange } from "../cases/case-change.ts";
import { type ShownSide } from "../cases/shown-side.ts";

/** A case of which a person should read both answers. */
export interface DifferentCase {
  key: string;
  change: CaseChange;
  distance: number | null;
  /** How much further from the baseline than the baseline from itself; null where that is not known. */
  excess: number | null;
  outcomeDiffers: boolean;
  baseline: ShownSide;
  candidate: ShownSide;
}
