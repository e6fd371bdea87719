import { randomStream } from "../../lib/random.ts";
import { sum } from "../../stats/sum.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import { inferredOf, pairedNumbers } from "../summary/metric-inference.ts";
import type { TagCodes } from "../tallies/segments.ts";
import type { PlacedScores } from "./strengths.ts";

/** Sending some values of a tag to another configuration than the rest, where that gains on cases that it was not chosen by. */
export interface Routing {
  /** The tag by whose values cases are sent. */
  tag: string;
  /** Where the cases with each of these values go, as the place of the configuration; the most cases first. */
  routes: { value: string; to: number }[];
  /** The configuration of all other cases. */
  rest: number;
  /** The one that is best of all on the held-out half, had it all cases. */
  single: number;
  /**
   * Cases of the half that it was measured on.
   * @asType integer
   */
  cases: number;
  /** Mean of the routing on that half, or its pass rate. */
  mean: number;
  /** The same of the single target. */
  singleMean: number;
  /** The least that it gains, with 95 % on both sides; null: there is no end. */
  lower: number | null;
  /** The most that it gains; null: there is no end. */
  upper: number | null;
}

const level = 0.05;
const leastCases = 5;
const mostRoutes = 5;

interface RoutedScores extends PlacedScores {
  questions: Int32Array | null;
  compared: ComparedMetric;
}

/**
 * Chooses a routing by one half of the clusters, drawn by the seed, and tests it on the other half. It is told where it beats
 * each single configuration there by the paired test of a comparison at 5 %: all of these have to hold, so that none is corrected
 * for the others; and since one routing alone is tested, it needs no correction for those that were looked at. Null: none holds.
 */
export function routingOf(given: RoutedScores, sign: 1 | -1): Routing | null {
  const { values } = given;
  const cases = values[0]?.length ?? 0;
  if (values.length < 2 || cases === 0) return null;
  const { chosenBy, heldOut } = halvesOf(given, cases);
  const chosen = chosenRouting(given, chosenBy);
  return chosen === null ? null : testedRouting(chosen, heldOut, given, sign);
}

/** Places of the cases of two halves of the clusters. */
function halvesOf(
  { clusters, questions, seed }: RoutedScores,
  cases: number,
): { chosenBy: number[]; heldOut: number[] } {
  const random = randomStream(`${seed}/routing`);
  const sides = new Map<number, boolean>();
  const units = clusters ?? questions;
  const chosenBy: number[] = [];
  const heldOut: number[] = [];
  for (let at = 0; at < cases; at++) {
    const unit = units?.[at] ?? at;
    const side = sides.get(unit) ?? random.next() < 0.5;
    if (units !== null) sides.set(unit, side);
    (side ? chosenBy : heldOut).push(at);
  }
  return { chosenBy, heldOut };
}

interface ChosenRouting extends Pick<Routing, "routes" | "rest"> {
  tag: TagCodes;
  /** Sum over its cases of what it gains, each value less its standard error. */
  gain: number;
}

function chosenRouting(given: RoutedScores, places: readonly number[]): ChosenRouting | null {
  const { values, tags } = given;
  const means = values.map((own) => places.reduce((total, at) => total + (own[at] ?? 0), 0));
  const rest = means.indexOf(Math.max(...means));
  const found = tags.map((tag) => routingBy(tag, rest, given, places));
  const [best] = found.filter(({ routes }) => routes.length > 0).toSorted((one, other) => other.gain - one.gain);
  return best ?? null;
}

/** The values of a tag that gain elsewhere by more than their standard error; with a pseudo case at each end of the scale. */
function routingBy(
  tag: TagCodes,
  rest: number,
  { values, range }: RoutedScores,
  places: readonly number[],
): ChosenRouting {
  const counts = new Float64Array(tag.values.length + 1);
  for (const at of places) {
    const code = tag.codes[at] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  const best = tag.values.map(() => ({ to: rest, gain: 0 }));
  for (const [to, own] of values.entries()) {
    if (to === rest) continue;
    const [sums, squares] = [new Float64Array(counts.length), new Float64Array(counts.length)];
    for (const at of places) {
      const code = tag.codes[at] ?? 0;
      const by = (own[at] ?? 0) - (values[rest]?.[at] ?? 0);
      sums[code] = (sums[code] ?? 0) + by;
      squares[code] = (squares[code] ?? 0) + by * by;
    }
    for (const [at, each] of best.entries()) {
      const [count = 0, total = 0, square = 0] = [counts[at + 1], sums[at + 1], squares[at + 1]];
      if (count < leastCases) continue;
      const gain = total - Math.sqrt(square - (total * total) / count + 2 * (range ?? 0) ** 2);
      if (gain > each.gain) best[at] = { to, gain };
    }
  }
  const routed = tag.values
    .flatMap((value, at) => {
      const { to, gain } = best[at] ?? { to: rest, gain: 0 };
      return to === rest ? [] : [{ value, to, gain, count: counts[at + 1] ?? 0 }];
    })
    .toSorted((one, other) => other.gain - one.gain)
    .slice(0, mostRoutes);
  const gain = routed.reduce((total, each) => total + each.gain, 0);
  const routes = routed.toSorted((one, other) => other.count - one.count).map(({ value, to }) => ({ value, to }));
  return { tag, rest, routes, gain };
}

function testedRouting(
  { tag, routes, rest }: ChosenRouting,
  places: readonly number[],
  { values, clusters, questions, compared, seed }: RoutedScores,
  sign: 1 | -1,
): Routing | null {
  const toOf = new Map(routes.map(({ value, to }) => [tag.values.indexOf(value) + 1, to]));
  const routed = Float64Array.from(places, (at) => values[toOf.get(tag.codes[at] ?? 0) ?? rest]?.[at] ?? 0);
  const at = (codes: Int32Array | null): Int32Array | null =>
    codes === null ? null : Int32Array.from(places, (place) => codes[place] ?? 0);
  const about = { clusters: at(clusters), questions: at(questions) };
  const single = compared.of === "pass" && values.every((own) => own.every((value) => value === 0 || value === 1));
  const singles = values
    .map((own, place) => ({ place, scores: Float64Array.from(places, (each) => own[each] ?? 0) }))
    .toSorted((one, other) => sum(other.scores) - sum(one.scores));
  const tested = singles.map(({ place, scores }) => {
    const differences = routed.map((value, each) => value - (scores[each] ?? 0));
    if (!(sum(differences) > 0)) return null;
    const paired = pairedNumbers(compared, { single, sides: null }, { differences, ...about });
    const found = inferredOf(paired, { margin: 0, seed: `${seed}/routing/${place}`, second: false, decides: false });
    const { p = null, interval = null } = found?.comparison ?? {};
    return p === null || p > level ? null : { place, interval, mean: sum(scores) / places.length };
  });
  const [best] = tested;
  if (best === undefined || best === null || tested.includes(null)) return null;
  return {
    tag: tag.tag,
    routes,
    rest,
    single: best.place,
    cases: places.length,
    mean: (sign * sum(routed)) / places.length,
    singleMean: sign * best.mean,
    lower: best.interval?.low ?? null,
    upper: best.interval?.high ?? null,
  };
}
