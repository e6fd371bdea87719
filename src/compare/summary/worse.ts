import { holm } from "../../stats/multiplicity.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { OtherTag } from "../tallies/segments.ts";
import { sureLevel } from "../verdict-word.ts";
import type { GateResult, TaggedCases } from "./gate-shapes.ts";
import type { MetricSummary } from "./metric-summary.ts";
import type { SegmentTags } from "./explained-segments.ts";
import type { SegmentSummary } from "./segment-summary.ts";

/** A metric that is surely worse, over all cases or those with one value of a tag: it is said whatever the gates are. */
export interface WorseMetric {
  candidate: string;
  metric: string;
  of: MeasureOf;
  /** Its place among the metrics of the candidate. */
  place: number;
  /** Null: all cases. */
  slice: WorseSegment | null;
  /** Mean difference, below 0; for a ratio one of logarithms. */
  difference: number;
  /** Two-sided, of no difference: adjusted over all metrics and candidates (Holm), or over all values of tags and pairs of them (Benjamini and Hochberg). */
  p: number;
}

/** The cases with one value of a tag, or of two, and the middle of each side. */
interface WorseSegment extends TaggedCases {
  and: OtherTag | null;
  cases: number;
  baseline: number | null;
  now: number | null;
}

/** The parts of a candidate's summary in which losses are looked for. */
interface Compared extends Pick<CandidateSummary, "candidate" | "slices"> {
  metrics: readonly Pick<MetricSummary, "metric" | "of" | "comparison" | "atCeiling">[];
}

export function worseMetrics(candidates: readonly Compared[], gates: readonly GateResult[]): WorseMetric[] {
  const whole = sureMetrics(candidates).flatMap((each) => (each.difference < 0 ? [{ ...each, slice: null }] : []));
  return [...whole, ...candidates.flatMap((candidate) => worseSegments(candidate, gates))];
}

/** Metrics that surely differ over all cases, to the worse or to the better. */
export function sureMetrics(
  candidates: readonly Pick<Compared, "candidate" | "metrics">[],
): Omit<WorseMetric, "slice">[] {
  const all = candidates.flatMap(({ candidate, metrics }) =>
    metrics.map(({ metric, of, comparison, atCeiling }, place) => {
      return { candidate, metric, of, place, comparison: atCeiling === true ? null : comparison };
    }),
  );
  const adjusted = holm(all.map(({ comparison }) => comparison?.p ?? null));
  return all.flatMap(({ comparison, ...about }, i) => {
    const [difference, p] = [comparison?.estimate ?? 0, adjusted[i] ?? null];
    return difference !== 0 && p !== null && p <= sureLevel ? [{ ...about, difference, p }] : [];
  });
}

/** Values of tags that no gate asks about, but for those that are worse only because of others which are surely worse. */
function worseSegments(
  { candidate, slices: segments, metrics }: Compared,
  gates: readonly GateResult[],
): WorseMetric[] {
  return segments.flatMap(({ metric, of, difference, adjusted, ...segment }): WorseMetric[] => {
    const isAsked = (gate: GateResult): boolean =>
      segment.and === null && gate.slice?.tag === segment.tag && gate.metric === metric && gate.of === of;
    if (gates.some(isAsked) || difference === null || difference >= 0 || adjusted === null || adjusted > sureLevel)
      return [];
    if (segment.heldBy.some((tags) => segments.some((each) => isSure(each) && isOf(each, { ...tags, metric, of }))))
      return [];
    const place = metrics.findIndex((each) => each.metric === metric && each.of === of);
    const { tag, value, and, cases, baseline, now } = segment;
    return [
      { candidate, metric, of, place, slice: { tag, value, and, cases, baseline, now }, difference, p: adjusted },
    ];
  });
}

function isSure({ adjusted }: SegmentSummary): boolean {
  return adjusted !== null && adjusted <= sureLevel;
}

function isOf(
  segment: SegmentSummary,
  { metric, of, tag, value, and }: SegmentTags & Pick<SegmentSummary, "metric" | "of">,
) {
  const isSame = segment.metric === metric && segment.of === of && segment.tag === tag && segment.value === value;
  return isSame && segment.and?.tag === and?.tag && segment.and?.value === and?.value;
}
