import { type ComparedMetric, lowerIsBetter, rangeOf } from "../comparison-plan.ts";
import type { ChoiceNumbers } from "./choice-tally.ts";
import { dimensionEffects, type DimensionEffects, type VariedDimension } from "./dimension-effects.ts";
import { type Routing, routingOf } from "./routing.ts";
import { strengthsOf, type TagStrengths } from "./strengths.ts";
import type { ManySums } from "../../stats/choice/best-set.ts";

/** Beside the choice itself: where each configuration is good, and what a matrix varies does. Each is left out where there is none. */
export interface Findings {
  /** Where each target is good; left out: there are no tags, or nothing can be told. */
  tags?: TagStrengths;
  routing?: Routing;
  /** The effect of each dimension of a matrix; left out: there is no matrix, or nothing can be told. */
  dimensions?: DimensionEffects;
}

interface Chosen {
  /** For each configuration the place of the first one that is alike, and those places. */
  own: readonly number[];
  places: readonly number[];
  /** Sums by cluster of those places. */
  summed: Omit<ManySums, "range">;
  compared: ComparedMetric;
  dimensions: readonly VariedDimension[];
  seed: string;
}

/** The findings about configurations; those that are alike to the letter are one, and every one of them is told of. */
export function findingsOf(
  { values, clusters, questions, tags }: ChoiceNumbers,
  { own, places, summed, compared, dimensions, seed }: Chosen,
): Findings {
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const range = rangeOf(compared);
  const distinct = places.map((place) => values[place] ?? new Float64Array(0));
  const at = own.map((place) => places.indexOf(place));
  const strengths = strengthsOf({ values: distinct, clusters: clusters ?? questions, tags, range, seed }, sign);
  const routing = routingOf({ values: distinct, clusters, questions, tags, range, compared, seed }, sign);
  const sums = at.map((place) => summed.sums[place] ?? new Float64Array(0));
  const effects = dimensionEffects(dimensions, { sums, sizes: summed.sizes, range }, sign);
  return {
    ...(strengths !== null && {
      tags: {
        ...strengths,
        values: strengths.values.map((row) => ({ ...row, cells: at.flatMap((place) => row.cells[place] ?? []) })),
      },
    }),
    ...(routing !== null && { routing: placed(routing, places) }),
    ...(effects !== null && { dimensions: effects }),
  };
}

/** The same routing with places among all configurations. */
function placed(routing: Routing, places: readonly number[]): Routing {
  const at = (place: number): number => places[place] ?? 0;
  const routes = routing.routes.map(({ value, to }) => ({ value, to: at(to) }));
  return { ...routing, routes, rest: at(routing.rest), single: at(routing.single) };
}
