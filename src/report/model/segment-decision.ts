import type { ReportSegment, ReportSummary } from "../shape/model.ts";

/** The p, adjusted for all segments of the comparison, up to which a segment is said to differ. */
const level = 0.05;

/** The decision about a segment: worse or better; null where chance among so many segments explains its difference, and where the data decide nothing. */
export function segmentDecision(
  { p, difference }: Pick<ReportSegment, "p" | "difference">,
  { verdict }: Pick<ReportSummary, "verdict">,
): "worse" | "better" | null {
  if (verdict.state === "invalid" || p === null || p > level || difference === null || difference === 0) return null;
  return difference < 0 ? "worse" : "better";
}
