import type { Interval } from "../../stats/interval.ts";
import type { Slice } from "../tallies/slices.ts";

/** A slice with the places of its cases. */
export interface PlacedSlice {
  slice: Slice;
  places: Int32Array;
}

/**
 * True for a pair of values that says more than each of the two alone: its interval lies apart from no difference, and from
 * the interval of the other cases with either value. `intervalOf`: the interval in the cases at some places.
 */
export function saysMore(
  { slice }: PlacedSlice,
  interval: Interval | null,
  { alone, intervalOf }: { alone: readonly PlacedSlice[]; intervalOf: (places: Int32Array) => Interval | null },
): boolean {
  const { and } = slice;
  if (and === null) return true;
  if (interval === null || (interval.low <= 0 && interval.high >= 0)) return false;
  return [slice, and].every(({ tag, value }) => {
    const all = alone.find((each) => each.slice.tag === tag && each.slice.value === value);
    const others = all && intervalOf(all.places.filter((place) => !slice.has(place)));
    if (others === undefined || others === null) return false;
    return interval.high < 0 ? interval.high < others.low : interval.low > others.high;
  });
}
