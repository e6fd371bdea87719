import type { Interval } from "../../stats/interval.ts";
import type { Segment } from "../tallies/segments.ts";

/** A segment with the places of its cases. */
export interface PlacedSegment {
  slice: Segment;
  places: Int32Array;
}

/**
 * True for a pair of values that says more than each of the two alone: its interval lies apart from no difference, and from
 * the interval of the other cases with either value. `intervalOf`: the interval in the cases at some places.
 */
export function saysMore(
  { slice: segment }: PlacedSegment,
  interval: Interval | null,
  { alone, intervalOf }: { alone: readonly PlacedSegment[]; intervalOf: (places: Int32Array) => Interval | null },
): boolean {
  const { and } = segment;
  if (and === null) return true;
  if (interval === null || (interval.low <= 0 && interval.high >= 0)) return false;
  return [segment, and].every(({ tag, value }) => {
    const all = alone.find((each) => each.slice.tag === tag && each.slice.value === value);
    const others = all && intervalOf(all.places.filter((place) => !segment.has(place)));
    if (others === undefined || others === null) return false;
    return interval.high < 0 ? interval.high < others.low : interval.low > others.high;
  });
}
