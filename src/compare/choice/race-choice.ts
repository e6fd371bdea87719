import { sum } from "../../stats/sum.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import { alikeTargets, type BestOfMany, endOfAll } from "./choice.ts";
import type { ChoiceNumbers } from "./choice-tally.ts";
import { raceLevel, type RaceStanding } from "./race-watch.ts";

interface Raced {
  compared: ComparedMetric;
  /** Those whose numbers were collected: the ones that are left, or all where all were asked to the end. */
  targets: readonly string[];
  expected: string | null;
}

/**
 * The choice that a race came to: by its bets alone, because every case was looked at. Only the last one left is named. Where
 * each is good, and what a matrix varies, take tests of a fixed number of cases: nothing is said of them.
 */
export function raceChoice(
  numbers: ChoiceNumbers,
  race: RaceStanding,
  { compared, targets, expected }: Raced,
): BestOfMany {
  const { configurations, cases, clusters } = race;
  const left = configurations.flatMap(({ target, droppedAfter }) => (droppedAfter === null ? [target] : []));
  const [only] = left;
  const areAllHere = targets.length === configurations.length;
  const open =
    cases === 0 ? "no case" : left.length === configurations.length ? endOfAll(numbers.values, compared) : null;
  const named = open === null && left.length === 1 && only !== undefined ? only : null;
  return {
    expected,
    metric: compared.metric.name,
    of: compared.of,
    cases,
    clusters,
    level: { set: raceLevel.drop, name: raceLevel.drop },
    configurations: configurations.map(({ target, droppedAfter, mean, lower, upper }) => {
      const place = targets.indexOf(target);
      const isBounded = open === null;
      return {
        target,
        cost: meanAlone(numbers.costs[place]),
        time: meanAlone(numbers.times[place]),
        mean,
        lower: isBounded ? lower : null,
        upper: isBounded ? upper : null,
        range: { lower: null, upper: null },
        // One that was dropped is behind the best, and nothing is known of its place among the others.
        rank: isBounded && named !== null && droppedAfter === null ? { first: 1, last: 1 } : null,
        left: numbers.left[place] ?? { cases: 0, keys: [] },
      };
    }),
    set: open === null ? left : configurations.map(({ target }) => target),
    named,
    ahead: null,
    lead: null,
    alike: alikeTargets(numbers.alike, targets),
    open,
    // All of them were asked no case beyond the first drop.
    nobody: areAllHere ? numbers.nobody : { cases: 0, first: [] },
    disputed: areAllHere ? numbers.disputed : [],
    fronts: [],
    casesNeeded: null,
    race,
  };
}

/** Mean of what is known of the cases that one was asked, which are not those of all: without a range. */
function meanAlone(values: Float64Array = new Float64Array(0)): BestOfMany["configurations"][number]["cost"] {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : { mean: sum(known) / known.length, lower: null, upper: null };
}
