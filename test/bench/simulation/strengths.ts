import { strengthsOf } from "../../../src/compare/choice/strengths.ts";
import type { SliceCell, SliceTable } from "../../../src/compare/summary/slice-table.ts";
import { slicesOf, type TagCodes } from "../../../src/compare/tallies/slices.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { normalCdf, normalQuantile } from "../../../src/stats/distributions/normal.ts";
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

function drawnStrengths(sheet: Sheet, random: RandomStream, seed: string): SliceTable["lines"] {
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
  const range = isScore === true ? null : 1;
  return strengthsOf({ values, clusters, slices: tags.flatMap(slicesOf), range, seed }, 1)?.lines ?? [];
}

const stands = (cell: SliceCell | null): boolean => cell !== null && cell.mark !== null;

const falseCell = "a place beside the others is told for a value of a tag, that is none";
const foundCell = "the configuration that is weak in one value is told";

/** No configuration is better or worse anywhere than elsewhere. */
function nothingThere(name: string, asks: string, sheet: Sheet, repetitions: number): Situation {
  return {
    name,
    asks,
    repetitions,
    once(random, repetition) {
      const cells = drawnStrengths(sheet, random, `simulation/${repetition}`).flatMap((value) => value.cells);
      return { [falseCell]: cells.some(stands) };
    },
    promised: { [falseCell]: 0.055 },
  };
}

/** The first is better than the others by so much in one value of the first tag, and worse elsewhere. */
function somethingThere(name: string, asks: string, sheet: Sheet, repetitions: number): Situation {
  return {
    name,
    asks,
    repetitions,
    once(random, repetition) {
      const rows = drawnStrengths(sheet, random, `simulation/${repetition}`);
      const cell = rows.find(({ slice }) => slice?.tag === "t0" && slice.value === "v0")?.cells[0];
      const other = rows.filter(({ slice }) => slice?.tag !== "t0").flatMap(({ cells }) => cells);
      return {
        [foundCell]: cell?.mark === "worse",
        [falseCell]: other.some(stands),
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

/** Where configurations are good. */
export const strengthSituations: readonly Situation[] = [...nothing, ...something];
