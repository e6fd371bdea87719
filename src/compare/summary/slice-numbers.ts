import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { Slice } from "../tallies/slices.ts";
import type { GivenCases } from "./metric-inference.ts";

/** The numbers of a metric in the cases of a slice, as if there were no others. */
export interface SliceNumbers {
  numbers: Pick<MetricNumbers, "single" | "sides">;
  given: GivenCases;
}

/** Places of the cases of a slice. */
export function placesOfSlice({ has, cases }: Slice, all: number): Int32Array {
  const places = new Int32Array(cases);
  let next = 0;
  for (let place = 0; place < all && next < cases; place++) if (has(place)) places[next++] = place;
  return places.subarray(0, next);
}

export function numbersAt(
  places: Int32Array,
  { differences, single, sides }: MetricNumbers,
  { clusters, sent }: Pick<PairResults, "clusters" | "sent">,
): SliceNumbers {
  return {
    numbers: {
      single,
      sides: sides && {
        baseline: floatsAt(places, sides.baseline),
        candidate: floatsAt(places, sides.candidate),
      },
    },
    given: {
      differences: floatsAt(places, differences),
      clusters: clusters && intsAt(places, clusters),
      sent: sent.length === 0 ? sent : intsAt(places, sent),
    },
  };
}

function floatsAt(places: Int32Array, values: Float64Array): Float64Array {
  const found = new Float64Array(places.length);
  for (let at = 0; at < places.length; at++) found[at] = values[places[at] ?? 0] ?? Number.NaN;
  return found;
}

function intsAt(places: Int32Array, values: Int32Array): Int32Array {
  const found = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) found[at] = values[places[at] ?? 0] ?? 0;
  return found;
}
