import { choiceOf, type BestOfMany } from "../../../src/compare/choice/choice.ts";
import type { ChoiceNumbers } from "../../../src/compare/choice/choice-tally.ts";
import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import { normalCdf, normalQuantile } from "../../../src/stats/distributions/normal.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { passGate, scoreGate } from "./drawn-gates.ts";
import type { Situation } from "./situation.ts";

/** A sheet that many configurations are asked, with the truth about each. */
export interface Sheet {
  /** True pass rate, or mean score, of each; the first is the best, or one of the best. */
  rates: readonly number[];
  cases: number;
  /** Cases of each cluster, in turn; left out: every case is its own. */
  turns?: readonly number[];
  /** Share of the clusters that break as a whole, each configuration by itself; left out: none. */
  broken?: number;
  /** A score between 0 and 1 instead of pass or fail. */
  isScore?: true;
}

/** Deviations of what a case, or a whole cluster, does to all configurations, and of what one of them does by itself. */
const [common, ofCluster, own] = [0.3, 0.3, 0.15];
const whole = Math.hypot(common, ofCluster, own);

/** Draws the scores of all configurations, and the cluster of each case; null: each is its own. */
export function drawnScores(
  { rates, cases, turns, broken = 0, isScore }: Sheet,
  random: RandomStream,
): { values: Float64Array[]; clusters: Int32Array | null } {
  const values = rates.map(() => new Float64Array(cases));
  const clusters = turns === undefined ? null : new Int32Array(cases);
  const limits = rates.map((rate) => normalQuantile(rate) * whole);
  let [cluster, left, shared] = [-1, 0, 0];
  let isBroken: boolean[] = [];
  for (let at = 0; at < cases; at++) {
    if (left === 0) {
      cluster += 1;
      left = turns?.[cluster % turns.length] ?? 1;
      shared = gauss(random) * ofCluster;
      isBroken = rates.map(() => random.next() < broken);
    }
    left -= 1;
    if (clusters !== null) clusters[at] = cluster;
    const hardness = shared + gauss(random) * common;
    for (const [place, limit] of limits.entries()) {
      const reached = limit - hardness - gauss(random) * own;
      const value = isScore === true ? normalCdf(reached / 0.5) : Number(reached > 0);
      const column = values[place];
      if (column !== undefined) column[at] = isBroken[place] === true ? 0 : value;
    }
  }
  return { values, clusters };
}

/** Numbers of configurations that all answered every case, no two of them alike. */
export function numbersOf(
  values: Float64Array[],
  given: Pick<ChoiceNumbers, "clusters" | "cases"> & Partial<ChoiceNumbers>,
): ChoiceNumbers {
  return {
    values,
    questions: null,
    left: values.map(() => ({ cases: 0, keys: [] })),
    alike: values.map((_, place) => place),
    costs: values.map(() => new Float64Array(0)),
    times: values.map(() => new Float64Array(0)),
    nobody: { cases: 0, first: [] },
    disputed: [],
    slices: [],
    ...given,
  };
}

/** The choice among the configurations of a sheet. */
function drawnChoice(sheet: Sheet, random: RandomStream, seed: string): BestOfMany {
  const { rates, cases, isScore } = sheet;
  const { values, clusters } = drawnScores(sheet, random);
  const compared: ComparedMetric = isScore === true ? scoreGate("value", 0.05) : passGate(0.05);
  const targets = rates.map((_, place) => `c${place}`);
  return choiceOf(numbersOf(values, { clusters, cases }), { compared, targets, expected: null, margin: null, seed });
}

const missed = "the best one, or one of the best, is not in the set";
const wrong = "a name is said that is not the best, or one of several";
const right = "the best one is named";

function situation(name: string, asks: string, sheet: Sheet, repetitions: number): Situation {
  const most = Math.max(...sheet.rates);
  const best = sheet.rates.flatMap((rate, place) => (rate === most ? [`c${place}`] : []));
  return {
    name,
    asks,
    repetitions,
    once: (random, repetition) => {
      const { set, named } = drawnChoice(sheet, random, `simulation/${repetition}`);
      // Each of those that are equally good is a best one: the first stands for all of them.
      const found = { [missed]: !set.includes(best[0] ?? "") };
      if (best.length > 1) return { ...found, [wrong]: named !== null };
      return { ...found, [wrong]: named !== null && named !== best[0], [right]: named === best[0] };
    },
    promised: { [missed]: 0.055, [wrong]: 0.035 },
  };
}

const equal = (count: number): number[] => Array.from({ length: count }, () => 0.8);
const twoBest = (count: number): number[] => [
  0.8,
  ...Array.from({ length: count - 1 }, (_, at) => (at === 0 ? 0.8 : 0.7)),
];
const oneBest = (count: number): number[] => [0.8, ...Array.from({ length: count - 1 }, () => 0.75)];

const truths: readonly [string, (count: number) => number[]][] = [
  ["all are equal", equal],
  ["two are the best, the others 10 points behind", twoBest],
  ["one is the best by 5 points", oneBest],
];
const repetitionsOf = (cases: number): number => (cases >= 1_000 ? 150 : 400);

const counted: readonly Situation[] = [3, 6, 20].flatMap((count) =>
  [60, 200, 1_000].flatMap((cases) =>
    truths.flatMap(([asks, of]) => [
      situation(`${count} configurations, ${cases} cases`, asks, { rates: of(count), cases }, repetitionsOf(cases)),
      situation(
        `${count} configurations, ${cases} cases in conversations of 4`,
        asks,
        { rates: of(count), cases, turns: [4] },
        repetitionsOf(cases),
      ),
    ]),
  ),
);

const unequal = [1, 1, 2, 2, 3, 5, 8, 20];
const more: readonly Situation[] = [
  ...truths.flatMap(([asks, of]) => [
    situation(
      "3 configurations, 250 cases in clusters of 1 to 20",
      asks,
      { rates: of(3), cases: 250, turns: unequal },
      400,
    ),
    situation(
      "6 configurations, 1,000 cases in clusters of 1 to 20",
      asks,
      { rates: of(6), cases: 1_000, turns: unequal },
      400,
    ),
    situation("3 configurations, 60 cases, a score from 0 to 1", asks, { rates: of(3), cases: 60, isScore: true }, 400),
    situation(
      "6 configurations, 200 cases, a score from 0 to 1",
      asks,
      { rates: of(6), cases: 200, isScore: true },
      400,
    ),
  ]),
  ...[20, 40, 100, 250].map((count) =>
    situation(
      `3 configurations, ${count} conversations of 6, of which 8 % break as a whole`,
      "all are equal",
      { rates: [0.92, 0.92, 0.92], cases: count * 6, turns: [6], broken: 0.08 },
      400,
    ),
  ),
];

/** Sets of those that may be the best, and names, where the best ones are known. */
export const choiceSituations: readonly Situation[] = [...counted, ...more];
