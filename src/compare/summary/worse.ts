import { holm } from "../../stats/multiplicity.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { OtherTag } from "../tallies/slices.ts";
import type { GateResult, TaggedCases } from "./gate-shapes.ts";
import type { SliceTags } from "./held-slices.ts";
import type { SliceSummary } from "./slice-summary.ts";

/** A metric that is surely worse, over all cases or those with one value of a tag: it is said whatever the gates are. */
export interface WorseMetric {
  candidate: string;
  metric: string;
  of: MeasureOf;
  /** Its place among the metrics of the candidate. */
  place: number;
  /** Null: all cases. */
  slice: WorseSlice | null;
  /** Mean difference, below 0; for a ratio one of logarithms. */
  difference: number;
  /** Two-sided, of no difference: adjusted over all metrics and candidates (Holm), or over all values of tags and pairs of them (Benjamini and Hochberg). */
  p: number;
}

/** The cases with one value of a tag, or of two, and the middle of each side. */
interface WorseSlice extends TaggedCases {
  and: OtherTag | null;
  cases: number;
  baseline: number | null;
  now: number | null;
}

/** Claims that nobody asked for have to be sure. */
const level = 0.01;

export function worseMetrics(candidates: readonly CandidateSummary[], gates: readonly GateResult[]): WorseMetric[] {
  const whole = sureMetrics(candidates).flatMap((each) => (each.difference < 0 ? [{ ...each, slice: null }] : []));
  return [...whole, ...candidates.flatMap((candidate) => worseSlices(candidate, gates))];
}

/** Metrics that surely differ over all cases, to the worse or to the better. */
export function sureMetrics(candidates: readonly CandidateSummary[]): Omit<WorseMetric, "slice">[] {
  const all = candidates.flatMap(({ candidate, metrics }) =>
    metrics.map(({ metric, of, comparison }, place) => ({ candidate, metric, of, place, comparison })),
  );
  const adjusted = holm(all.map(({ comparison }) => comparison?.p ?? null));
  return all.flatMap(({ comparison, ...about }, i) => {
    const [difference, p] = [comparison?.estimate ?? 0, adjusted[i] ?? null];
    return difference !== 0 && p !== null && p <= level ? [{ ...about, difference, p }] : [];
  });
}

/** Values of tags that no gate asks about, but for those that are worse only because of others which are surely worse. */
function worseSlices({ candidate, slices, metrics }: CandidateSummary, gates: readonly GateResult[]): WorseMetric[] {
  return slices.flatMap(({ metric, of, difference, adjusted, ...slice }): WorseMetric[] => {
    const isAsked = (gate: GateResult): boolean =>
      slice.and === null && gate.slice?.tag === slice.tag && gate.metric === metric && gate.of === of;
    if (gates.some(isAsked) || difference === null || difference >= 0 || adjusted === null || adjusted > level)
      return [];
    if (slice.heldBy.some((tags) => slices.some((each) => isSure(each) && isOf(each, { ...tags, metric, of }))))
      return [];
    const place = metrics.findIndex((each) => each.metric === metric && each.of === of);
    const { tag, value, and, cases, baseline, now } = slice;
    return [
      { candidate, metric, of, place, slice: { tag, value, and, cases, baseline, now }, difference, p: adjusted },
    ];
  });
}

function isSure({ adjusted }: SliceSummary): boolean {
  return adjusted !== null && adjusted <= level;
}

function isOf(slice: SliceSummary, { metric, of, tag, value, and }: SliceTags & Pick<SliceSummary, "metric" | "of">) {
  const isSame = slice.metric === metric && slice.of === of && slice.tag === tag && slice.value === value;
  return isSame && slice.and?.tag === and?.tag && slice.and?.value === and?.value;
}
