import type { CaseChange } from "../cases/case-kinds.ts";
import { type ShownSide } from "../cases/shown-side.ts";

/** A case of which a person should read both answers. */
export interface DifferentCase {
  key: string;
  change: CaseChange;
  distance: number | null;
  /** Distance from the baseline beyond the baseline's distance from itself; null if that is not known. */
  excess: number | null;
  outcomeDiffers: boolean;
  baseline: ShownSide;
  candidate: ShownSide;
}
