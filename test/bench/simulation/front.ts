import { type BestOfMany, choiceOf } from "../../../src/compare/choice/choice.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { drawnScores, numbersOf, type Sheet } from "./choice.ts";
import { passGate } from "./drawn-gates.ts";
import { gauss } from "./draws.ts";
import type { Situation } from "./situation.ts";

/** A sheet whose configurations also differ in what a run of them costs. */
interface PricedSheet extends Sheet {
  /** True mean cost of a run of each. */
  prices: readonly number[];
}

const margin = 0.05;
/** Deviation of the logarithm of a cost, and the part of its variance that a case, or its cluster, has in common for all. */
const [spread, ofCase, ofCluster] = [0.6, 0.4, 0.3];

/** Log-normal costs: a long question is dear for all, and a long conversation throughout. */
function drawnCosts(
  prices: readonly number[],
  { cases, clusters }: { cases: number; clusters: Int32Array | null },
  random: RandomStream,
): Float64Array[] {
  const costs = prices.map(() => new Float64Array(cases));
  let [cluster, shared] = [-1, 0];
  for (let at = 0; at < cases; at++) {
    const own = clusters?.[at] ?? at;
    if (own !== cluster) {
      cluster = own;
      shared = gauss(random) * Math.sqrt(ofCluster);
    }
    const common = shared + gauss(random) * Math.sqrt(ofCase);
    for (const [place, price] of prices.entries()) {
      const log = spread * (common + gauss(random) * Math.sqrt(1 - ofCase - ofCluster));
      const column = costs[place];
      if (column !== undefined) column[at] = price * Math.exp(log - spread ** 2 / 2);
    }
  }
  return costs;
}

function drawnChoice(sheet: PricedSheet, random: RandomStream, seed: string): BestOfMany {
  const { rates, cases, prices } = sheet;
  const { values, clusters } = drawnScores(sheet, random);
  const numbers = numbersOf(values, { clusters, cases, costs: drawnCosts(prices, { cases, clusters }, random) });
  const targets = rates.map((_, place) => `c${place}`);
  return choiceOf(numbers, { compared: passGate(margin), targets, expected: null, margin, seed });
}

const falseYes = "one is called the best for its price, that another equals or beats in both";
const falseNo = "one is called beaten by another, that is not both better and cheaper";
const notGood = "the cheapest that is named loses the margin or more";
const notCheapest = "one that is good enough costs less than the one that is named, and is called dearer";
const someYes = "some are called the best for their price";
const isNamed = "a cheapest one is named";

function situation(name: string, asks: string, sheet: PricedSheet, repetitions: number): Situation {
  const { rates, prices } = sheet;
  const most = Math.max(...rates);
  const rateOf = (place: number): number => rates[place] ?? 0;
  const priceOf = (place: number): number => prices[place] ?? 0;
  const places = rates.map((_, place) => place);
  const placeOf = (target: string): number => Number(target.slice(1));
  const isEqualled = (place: number): boolean =>
    places.some((other) => other !== place && rateOf(other) >= rateOf(place) && priceOf(other) <= priceOf(place));
  return {
    name,
    asks,
    repetitions,
    once(random, repetition) {
      const { fronts, cheapest } = drawnChoice(sheet, random, `simulation/${repetition}`);
      const states = fronts.find(({ by }) => by === "cost")?.targets ?? [];
      const named = cheapest === undefined || cheapest.named === null ? null : placeOf(cheapest.named);
      const dearer = (cheapest?.goodEnough ?? []).filter((target) => cheapest?.sameCost.includes(target) !== true);
      return {
        [falseYes]: states.some(({ target, state }) => state === "yes" && isEqualled(placeOf(target))),
        [falseNo]: states.some(({ target, state, beatenBy }) => {
          if (state !== "no") return false;
          const [own, by] = [placeOf(target), beatenBy === null ? placeOf(target) : placeOf(beatenBy)];
          return rateOf(by) <= rateOf(own) || priceOf(by) >= priceOf(own);
        }),
        [notGood]: named !== null && most - rateOf(named) >= margin - 1e-9,
        [notCheapest]: named !== null && dearer.some((target) => priceOf(placeOf(target)) < priceOf(named)),
        [someYes]: states.some(({ state }) => state === "yes"),
        [isNamed]: named !== null,
      };
    },
    promised: { [falseYes]: 0.055, [falseNo]: 0.055, [notGood]: 0.055, [notCheapest]: 0.055 },
  };
}

const each = (count: number, of: (at: number) => number): number[] => Array.from({ length: count }, (_, at) => of(at));
const equal = (count: number): number[] => each(count, () => 0.85);

const truths: readonly [string, (count: number) => Pick<PricedSheet, "rates" | "prices">][] = [
  ["all are equal, and cost the same", (count) => ({ rates: equal(count), prices: each(count, () => 1) })],
  [
    "all are equal, two cost the least and the others more and more",
    (count) => ({ rates: equal(count), prices: each(count, (at) => 1 + 0.1 * Math.max(0, at - 1)) }),
  ],
  [
    "the first is the best and the dearest, the others lose just the margin and cost half",
    (count) => ({
      rates: each(count, (at) => 0.85 - (at > 0 ? margin : 0)),
      prices: each(count, (at) => (at > 0 ? 0.5 : 1)),
    }),
  ],
  [
    "the better the dearer, 3 points and a tenth of the price a step",
    (count) => ({ rates: each(count, (at) => 0.95 - 0.03 * at), prices: each(count, (at) => 1 - 0.1 * at) }),
  ],
];

const sizes: readonly [string, Pick<Sheet, "cases" | "turns">][] = [
  ["60 cases", { cases: 60 }],
  ["200 cases", { cases: 200 }],
  ["200 cases in conversations of 4", { cases: 200, turns: [4] }],
  ["1,000 cases", { cases: 1_000 }],
];

/** The front of score and cost, and the cheapest that is good enough, where the true rates and costs are known. */
export const frontSituations: readonly Situation[] = [3, 8].flatMap((count) =>
  sizes.flatMap(([size, sheet]) =>
    truths.map(([asks, of]) =>
      situation(`${count} configurations, ${size}`, asks, { ...of(count), ...sheet }, sheet.cases >= 1_000 ? 600 : 300),
    ),
  ),
);
