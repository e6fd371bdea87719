import type { Difference } from "../cases/case-change.ts";
import type { CaseComparison, PairedResult } from "../cases/case-comparison.ts";
import type { ReadSide, Side } from "../cases/case-side.ts";

/** A case as one pair sees it. */
export interface PairCase {
  result: PairedResult;
  compared: CaseComparison;
  from: Side;
  to: Side;
  read: { baseline: ReadSide; candidate: ReadSide };
  difference: Difference;
  /** Number of its cluster in the whole comparison. */
  cluster: number;
  /** Place of its cluster in the order of sending; null: it does not count. Left out: no order matters. */
  place?: number | null | undefined;
}
