import type { ComparedMetric } from "../comparison-plan.ts";
import { alikeTargets, type BestOfMany, endOfAll, meanOf } from "./choice.ts";
import type { ChoiceNumbers } from "./choice-tally.ts";
import { raceLevel, type RaceStanding } from "./race-watch.ts";

interface Raced {
  compared: ComparedMetric;
  /** Those whose numbers were collected: the ones that are left, or all where all were asked to the end. */
  targets: readonly string[];
  expected: string | null;
}

/**
 * The choice that a race came to: by its bets alone, because somebody looked after every case. Only the last one left is named. Where
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
        cost: meanOf(numbers.costs[place] ?? new Float64Array(0)),
        mean,
        lower: isBounded ? lower : null,
        upper: isBounded ? upper : null,
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
    casesNeeded: null,
    race,
  };
}
