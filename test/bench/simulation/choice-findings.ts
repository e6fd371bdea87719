import type { VariedDimension } from "../../../src/compare/choice/dimension-effects.ts";
import { type Findings, findingsOf } from "../../../src/compare/choice/findings.ts";
import type { TagCodes } from "../../../src/compare/tallies/segments.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { clusterTotals } from "../../../src/stats/clusters.ts";
import { normalCdf, normalQuantile } from "../../../src/stats/distributions/normal.ts";
import { numbersOf } from "./choice.ts";
import { passGate, scoreGate } from "./drawn-gates.ts";
import { gauss } from "./draws.ts";
import type { Situation } from "./situation.ts";

/** A sheet that many configurations are asked, with the truth about each. */
interface Sheet {
  /** True pass rate, or mean score, of each. */
  rates: readonly number[];
  cases: number;
  /** Cases of each cluster, in turn; left out: every case is its own. */
  turns?: readonly number[];
  /** All cases of a cluster have the same values of tags; left out: each case has its own. */
  isTaggedWhole?: true;
  /** Share of the clusters that break as a whole, each configuration by itself; left out: none. */
  broken?: number;
  /** A score instead of pass or fail, whose ends nobody named. */
  isScore?: true;
  /** Rates in the cases with the first value of the first tag; left out: the same. */
  inFirst?: readonly number[];
  /** Numbers of values of each tag; left out: 4, 8 and 3. */
  tagged?: readonly number[];
  dimensions?: readonly VariedDimension[];
}

/** Deviations of what a case, or a whole cluster, does to all configurations, and of what one of them does by itself. */
const [common, ofCluster, own] = [0.3, 0.3, 0.15];
const whole = Math.hypot(common, ofCluster, own);

/** A value of a tag: the first ones are the most frequent, about as 1, 1/2, 1/3. */
function drawnValue(values: number, random: RandomStream): number {
  const total = Array.from({ length: values }, (_, at) => 1 / (at + 1)).reduce((sum, each) => sum + each, 0);
  let left = random.next() * total;
  for (let at = 0; at < values; at++) {
    left -= 1 / (at + 1);
    if (left < 0) return at + 1;
  }
  return values;
}

/** Without the choice itself, of which they take nothing but the sums of the clusters. */
function drawnFindings(sheet: Sheet, random: RandomStream, seed: string): Findings {
  const { rates, cases, turns, isTaggedWhole, broken = 0, isScore, inFirst = rates, tagged = [4, 8, 3] } = sheet;
  const values = rates.map(() => new Float64Array(cases));
  const clusters = turns === undefined ? null : new Int32Array(cases);
  const limitsOf = (of: readonly number[]): number[] => of.map((rate) => normalQuantile(rate) * whole);
  const limits = { first: limitsOf(inFirst), rest: limitsOf(rates) };
  const tags = tagged.map((count, at): TagCodes => ({
    tag: `t${at}`,
    values: Array.from({ length: count }, (_, value) => `v${value}`),
    codes: new Int32Array(cases),
  }));
  let [cluster, left, shared] = [-1, 0, 0];
  let isBroken: boolean[] = [];
  let codes: number[] = [];
  for (let at = 0; at < cases; at++) {
    const begins = left === 0;
    if (begins) {
      cluster += 1;
      left = turns?.[cluster % turns.length] ?? 1;
      shared = gauss(random) * ofCluster;
      isBroken = rates.map(() => random.next() < broken);
    }
    left -= 1;
    if (clusters !== null) clusters[at] = cluster;
    if (begins || isTaggedWhole !== true) codes = tagged.map((count) => drawnValue(count, random));
    for (const [place, tag] of tags.entries()) tag.codes[at] = codes[place] ?? 0;
    const hardness = shared + gauss(random) * common;
    for (const [place, limit] of (codes[0] === 1 ? limits.first : limits.rest).entries()) {
      const reached = limit - hardness - gauss(random) * own;
      const column = values[place];
      const value = isScore === true ? normalCdf(reached / 0.5) : Number(reached > 0);
      if (column !== undefined) column[at] = isBroken[place] === true ? 0 : value;
    }
  }
  const numbers = numbersOf(values, { clusters, cases, tags });
  const compared = isScore === true ? scoreGate("value", 0.05) : passGate(0.05);
  const places = rates.map((_, place) => place);
  const totals = values.map((scores) => clusterTotals(scores, clusters));
  const summed = {
    sums: totals.map(({ sums, scale }) => sums.map((sum) => sum * scale)),
    sizes: totals[0]?.sizes ?? new Float64Array(0),
  };
  return findingsOf(numbers, { own: places, places, summed, compared, dimensions: sheet.dimensions ?? [], seed });
}

const falseCell = "a place beside the others is told for a value of a tag, that is none";
const falseRouting = "a routing is told that gains nothing";
const foundCell = "the configuration that is weak in one value is told";
const foundRouting = "the routing that gains is told";

/** No configuration is better or worse anywhere than elsewhere, and no routing gains anything. */
function nothingThere(name: string, asks: string, sheet: Sheet, repetitions: number): Situation {
  return {
    name,
    asks,
    repetitions,
    once(random, repetition) {
      const { tags, routing } = drawnFindings(sheet, random, `simulation/${repetition}`);
      const cells = tags?.values.flatMap((value) => value.cells) ?? [];
      return { [falseCell]: cells.some(({ stands }) => stands !== null), [falseRouting]: routing !== undefined };
    },
    promised: { [falseCell]: 0.055, [falseRouting]: 0.055 },
  };
}

/** The first is better than the others by so much in one value of the first tag, and worse elsewhere. */
function somethingThere(name: string, asks: string, sheet: Sheet, repetitions: number): Situation {
  return {
    name,
    asks,
    repetitions,
    once(random, repetition) {
      const { tags, routing } = drawnFindings(sheet, random, `simulation/${repetition}`);
      const rows = tags?.values ?? [];
      const cell = rows.find(({ tag, value }) => tag === "t0" && value === "v0")?.cells[0];
      const other = rows.filter(({ tag }) => tag !== "t0").flatMap(({ cells }) => cells);
      return {
        [foundCell]: cell?.stands === "worse",
        [falseCell]: other.some(({ stands }) => stands !== null),
        [foundRouting]: routing !== undefined && routing.tag === "t0" && routing.mean > routing.singleMean,
      };
    },
    promised: { [falseCell]: 0.055 },
  };
}

const equal = (count: number, rate = 0.8): number[] => Array.from({ length: count }, () => rate);
const spread = (count: number): number[] => equal(count).map((rate, at) => rate - (0.2 * at) / (count - 1));
const twoBest = (count: number): number[] => equal(count).map((rate, at) => (at < 2 ? rate : rate - 0.1));
const repetitionsOf = (cases: number, count = 3): number => (cases >= 1_000 ? 200 : 400) / (count >= 20 ? 2 : 1);
const conversation = [4];
const unequal = [1, 1, 2, 2, 3, 5, 8, 20];

const nothing: readonly Situation[] = [
  ...[2, 3, 6, 20].flatMap((count) =>
    [60, 200, 1_000].flatMap((cases) => [
      nothingThere(
        `${count} configurations, ${cases} cases`,
        "all are equal",
        { rates: equal(count), cases },
        repetitionsOf(cases, count),
      ),
      ...(count === 20 && cases === 1_000
        ? []
        : [
            nothingThere(
              `${count} configurations, ${cases} cases in conversations of 4`,
              "from best to worst 20 points",
              { rates: spread(count), cases, turns: conversation },
              repetitionsOf(cases, count),
            ),
          ]),
    ]),
  ),
  ...[200, 1_000].flatMap((cases) => [
    nothingThere(
      `3 configurations, ${cases} cases, tags of whole clusters of 1 to 20`,
      "two are the best, the other 10 points behind",
      { rates: twoBest(3), cases, turns: unequal, isTaggedWhole: true },
      repetitionsOf(cases),
    ),
    nothingThere(
      `6 configurations, ${cases} cases, 96 % pass`,
      "all are equal",
      { rates: equal(6, 0.96), cases },
      repetitionsOf(cases),
    ),
    nothingThere(
      `6 configurations, ${cases} cases, a score without ends`,
      "two are the best, the others 10 points behind",
      { rates: twoBest(6), cases, isScore: true },
      repetitionsOf(cases),
    ),
  ]),
  nothingThere(
    "3 configurations, 100 conversations of 6, tags of whole ones, 8 % of which break",
    "all are equal",
    { rates: equal(3, 0.92), cases: 600, turns: [6], isTaggedWhole: true, broken: 0.08 },
    600,
  ),
];

/** The first is best by 3 points over all, and 20 points worse in the first value of the first tag, 48 % of the cases. */
const weakInFirst = (count: number): Pick<Sheet, "rates" | "inFirst"> => ({
  rates: equal(count).map((rate, at) => (at === 0 ? rate + 0.1 : rate)),
  inFirst: equal(count).map((rate, at) => (at === 0 ? rate - 0.1 : rate)),
});

const something: readonly Situation[] = [3, 6].flatMap((count) =>
  [200, 1_000].map((cases) =>
    somethingThere(
      `${count} configurations, ${cases} cases`,
      "one is 10 points worse than the others in half of the cases, and 10 points better in the rest",
      { ...weakInFirst(count), cases },
      repetitionsOf(cases) / 2,
    ),
  ),
);

/** Where configurations are good, and routings. */
export const strengthSituations: readonly Situation[] = [...nothing, ...something];

/** A full grid of dimensions, with the value of each dimension in each configuration. */
function gridOf(sizes: readonly number[]): { count: number; dimensions: VariedDimension[] } {
  const count = sizes.reduce((product, size) => product * size, 1);
  let step = count;
  const dimensions = sizes.map((size, at): VariedDimension => {
    step /= size;
    const every = step;
    const of = Array.from({ length: count }, (_, place) => Math.floor(place / every) % size);
    return { name: `d${at}`, values: Array.from({ length: size }, (_, value) => String(value)), of };
  });
  return { count, dimensions };
}

const falseEffect = "an effect is told of a dimension that has none";
const missed = "a range of some effect leaves out the true one";
const falseInteraction = "an effect is told to depend on another dimension, that does not";
const falseEverywhere = "an effect is told whatever the others are, that one of them takes away";
const foundEffect = "the effect of 5 points is told";
const foundInteraction = "the dependence of 10 points is told";

interface Truth {
  /** True effect of the second value of the first dimension, by the value of the second. */
  effect: readonly number[];
}

function dimensionSituation(
  name: string,
  asks: string,
  { sizes, effect, ...sheet }: { sizes: readonly number[] } & Omit<Sheet, "rates"> & Truth,
  repetitions: number,
): Situation {
  const { count, dimensions } = gridOf(sizes);
  const [first, second] = dimensions;
  const byOf = (place: number): number => effect[second?.of[place] ?? 0] ?? effect[0] ?? 0;
  const rates = Array.from({ length: count }, (_, place) => 0.75 + (first?.of[place] === 1 ? byOf(place) : 0));
  const seconds = second?.values.length ?? 1;
  const mean =
    Array.from({ length: seconds }, (_, at) => effect[at] ?? effect[0] ?? 0).reduce((sum, each) => sum + each, 0) /
    seconds;
  const depends = new Set(effect).size > 1;
  return {
    name,
    asks,
    repetitions,
    once(random, repetition) {
      const found = drawnFindings(
        { ...sheet, rates, dimensions, tagged: [] },
        random,
        `simulation/${repetition}`,
      ).dimensions;
      const effects = found?.effects ?? [];
      const isTrue = (each: { dimension: string; from: string; to: string }): boolean =>
        each.dimension === "d0" && (each.from === "1" || each.to === "1");
      const truth = (each: { dimension: string; from: string; to: string }): number => {
        if (each.dimension === "d0") return (each.to === "1" ? mean : 0) - (each.from === "1" ? mean : 0);
        const at = (value: string): number =>
          each.dimension === "d1" ? (effect[Number(value)] ?? effect[0] ?? 0) / (sizes[0] ?? 1) : 0;
        return at(each.to) - at(each.from);
      };
      return {
        [falseEffect]: effects.some((each) => each.holds && Math.abs(truth(each)) < 1e-9),
        // The mean of a score is not quite that of the limit by which it is drawn.
        ...(sheet.isScore !== true && {
          [missed]: effects.some((each) => truth(each) < each.lower - 1e-9 || truth(each) > each.upper + 1e-9),
        }),
        ...(!depends && { [falseInteraction]: (found?.interactions.length ?? 0) > 0 }),
        ...(depends && {
          [falseEverywhere]: effects.some((each) => each.everywhere && isTrue(each)),
          [foundInteraction]: (found?.interactions ?? []).some(
            ({ dimension, other }) => dimension === "d0" && other === "d1",
          ),
        }),
        ...(!depends && mean !== 0 && { [foundEffect]: effects.some((each) => each.holds && isTrue(each)) }),
      };
    },
    promised: { [falseEffect]: 0.055, [missed]: 0.055, [falseInteraction]: 0.055, [falseEverywhere]: 0.055 },
  };
}

const grids: readonly [string, readonly number[]][] = [
  ["2 x 2", [2, 2]],
  ["2 x 3", [2, 3]],
  ["2 x 2 x 2", [2, 2, 2]],
  ["2 x 4 x 5", [2, 4, 5]],
];

const breaking: readonly Situation[] = grids.map(([name, sizes]) =>
  dimensionSituation(
    `${name}, 100 conversations of 6, 8 % of which break`,
    "all are equal",
    { sizes, cases: 600, turns: [6], broken: 0.08, effect: [0] },
    500,
  ),
);

const inGrids: readonly Situation[] = grids.flatMap(([name, sizes]) =>
  [60, 200, 1_000].flatMap((cases) => {
    if (cases === 1_000 && sizes.length > 2) return [];
    const repetitions = cases >= 1_000 || sizes.includes(5) ? 400 : 1_000;
    const about = `${name}, ${cases} cases`;
    return [
      dimensionSituation(about, "all are equal", { sizes, cases, effect: [0] }, repetitions),
      dimensionSituation(
        `${about} in conversations of 4`,
        "the first dimension costs 5 points",
        { sizes, cases, turns: conversation, effect: [-0.05] },
        repetitions,
      ),
      ...(cases === 60
        ? [
            dimensionSituation(
              `${about}, a score without ends`,
              "all are equal",
              { sizes, cases, isScore: true, effect: [0] },
              // Nothing makes these ranges wider than they are: the rate is known to half a point.
              sizes.includes(5) ? repetitions : 6_000,
            ),
          ]
        : [
            dimensionSituation(
              about,
              "the first dimension gains 10 points with the first value of the second alone",
              { sizes, cases, effect: [0.1, 0, 0, 0] },
              repetitions,
            ),
          ]),
    ];
  }),
);

/** Effects of the dimensions of a matrix. */
export const dimensionSituations: readonly Situation[] = [...inGrids, ...breaking];
