import type { ReportSlice, ReportSummary } from "../shape/model.ts";

/** The p, adjusted for all slices of the comparison, up to which a slice is said to differ. */
const level = 0.05;

/** The decision about a slice: worse or better; null where chance among so many slices explains its difference, and where the data decide nothing. */
export function sliceDecision(
  { p, difference }: Pick<ReportSlice, "p" | "difference">,
  { verdict }: Pick<ReportSummary, "verdict">,
): "worse" | "better" | null {
  if (verdict.state === "invalid" || p === null || p > level || difference === null || difference === 0) return null;
  return difference < 0 ? "worse" : "better";
}

/** The slices of a candidate that are decided to be worse, and not because of others alone: those of the primary metric first, of each the greatest loss first. */
export function worstSlices(
  summary: Pick<ReportSummary, "slices" | "metrics" | "verdict">,
  candidate: string,
): ReportSlice[] {
  const worse = summary.slices.filter(
    (slice) => sliceDecision(slice, summary) === "worse" && slice.heldBy.length === 0,
  );
  return ofCandidate(worse, candidate, summary.metrics);
}

/** Number of hints that are told. */
const mostHints = 2;

/** The slices of a candidate that lost much and may have by chance: those that are worth a look beside what is decided. */
export function hintedSlices(
  slices: readonly ReportSlice[],
  candidate: string,
  metrics: readonly { name: string }[],
): ReportSlice[] {
  const hints = slices.filter((slice) => slice.isHint);
  return ofCandidate(hints, candidate, metrics).slice(0, mostHints);
}

function ofCandidate(
  slices: readonly ReportSlice[],
  candidate: string,
  metrics: readonly { name: string }[],
): ReportSlice[] {
  const placeOf = ({ metric }: ReportSlice): number => metrics.findIndex(({ name }) => name === metric);
  return slices
    .filter((slice) => slice.candidate === candidate)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || (a.difference ?? 0) - (b.difference ?? 0));
}
