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

/** The segments of a candidate that are decided to be worse, and not because of others alone: those of the primary metric first, of each the greatest loss first. */
export function worstSegments(
  summary: Pick<ReportSummary, "slices" | "metrics" | "verdict">,
  candidate: string,
): ReportSegment[] {
  const worse = summary.slices.filter(
    (segment) => segmentDecision(segment, summary) === "worse" && segment.heldBy.length === 0,
  );
  return ofCandidate(worse, candidate, summary.metrics);
}

/** Number of hints that are told. */
const mostHints = 2;

/** The segments of a candidate that lost much and may have by chance: those that are worth a look beside what is decided. */
export function hintedSegments(
  segments: readonly ReportSegment[],
  candidate: string,
  metrics: readonly { name: string }[],
): ReportSegment[] {
  const hints = segments.filter((segment) => segment.isHint);
  return ofCandidate(hints, candidate, metrics).slice(0, mostHints);
}

function ofCandidate(
  segments: readonly ReportSegment[],
  candidate: string,
  metrics: readonly { name: string }[],
): ReportSegment[] {
  const placeOf = ({ metric }: ReportSegment): number => metrics.findIndex(({ name }) => name === metric);
  return segments
    .filter((segment) => segment.candidate === candidate)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a.difference ?? 0) - (b.difference ?? 0));
}
