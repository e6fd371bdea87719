import { clusterTotals } from "../../stats/clusters.ts";
import { normalQuantile } from "../../stats/distributions/normal.ts";
import { sum } from "../../stats/sum.ts";
import { type BestLevel, type BestSet, bestSet } from "../../stats/choice/best-set.ts";
import { askedOnce, denseCode } from "../summary/asked-once.ts";
import { type ComparedMetric, lowerIsBetter, type MeasureOf, rangeOf } from "../comparison-plan.ts";
import type { ChoiceOpen, ChoiceWord } from "../verdict-word.ts";
import type { RaceStanding } from "./race-watch.ts";
import type { ChoiceNumbers } from "./choice-tally.ts";
import type { VariedDimension } from "./dimension-effects.ts";
import { type Findings, findingsOf } from "./findings.ts";

/** The best of many configurations, as far as it is known. Plain JSON. */
export interface BestOfMany extends Pick<ChoiceNumbers, "nobody" | "disputed">, Findings {
  /** The configuration that was meant to be the best; null: nobody said. */
  expected: string | null;
  metric: string;
  of: MeasureOf;
  /** Cases that all have a score of, and clusters of them. */
  cases: number;
  clusters: number;
  /** Levels of the set, and of a name: with equal ones a set has one member more often than its level. */
  level: { set: number; name: number };
  configurations: ChoiceConfiguration[];
  /** Those that may be the best, in the order of the suite; all of them where nothing can be told. */
  set: string[];
  /** The best one, where it is known; else null. */
  named: string | null;
  /** The only one in the set, where that could be chance in one of twenty such comparisons; else null. */
  ahead: string | null;
  /** The least by which the best one is ahead of all others; null: none is named. */
  lead: number | null;
  /** Configurations that gave the same answers to the letter, in groups. */
  alike: string[][];
  /** Why there is no set; null: there is one. */
  open: ChoiceOpen | null;
  /** The cheapest of those that are good enough; left out: the best is asked for. */
  cheapest?: CheapestChoice;
  /** The race that it was made by; left out: all were asked every case. */
  race?: RaceStanding;
  /** Cases that would tell the two with the highest means apart, were these true; null: no number would, or one is named. */
  casesNeeded: number | null;
}

/** The cheapest of the configurations that are surely worse than the best by less than a margin. */
interface CheapestChoice {
  /** In the unit of the score. */
  margin: number;
  /** In the order of the suite. */
  goodEnough: string[];
  /** Null: none is good enough for sure, or the cost of one that is is not known. */
  named: string | null;
  /** Good enough ones whose cost is not known. */
  unpriced: string[];
}

interface ChoiceConfiguration {
  target: string;
  /** Mean cost of a run in the cases whose cost is known, in the owner's unit; null: of none. */
  cost: number | null;
  /** Mean over the cases that all have; null without one. */
  mean: number | null;
  /** Mean less that of the best of the others, in the unit of the score and positive where better: simultaneous 95 % bounds; null: no end. */
  lower: number | null;
  upper: number | null;
  /** First and last place that it may have, all at once; null where nothing can be told. */
  rank: { first: number; last: number } | null;
  /** Cases that left because it has no score of them, and keys of the first. */
  left: { cases: number; keys: string[] };
}

const level = { set: 0.05, name: 0.025 };

/** The rules of a choice. */
export interface ChoiceSettings {
  /** The configuration that is meant to be chosen; null: nobody says. */
  expected: string | null;
  /** The cheapest of those that lose less than this is chosen, in the unit of the score; null: the best. */
  margin: number | null;
  /** Properties in which the configurations differ, each with the place of every side's value; left out: there are none. */
  dimensions?: readonly VariedDimension[];
}

interface ChoiceRules extends ChoiceSettings {
  compared: ComparedMetric;
  targets: readonly string[];
  seed: string;
}

/** Chooses among configurations by one metric. Those that are alike to the letter, answers and scores, are one. */
export function choiceOf(
  numbers: ChoiceNumbers,
  { compared, targets, expected, margin, dimensions = [], seed }: ChoiceRules,
): BestOfMany {
  const { values } = numbers;
  const cases = values[0]?.length ?? 0;
  const own = ownPlaces(numbers);
  const places = [...new Set(own)];
  const summed = sumsOf({ ...numbers, values: places.map((place) => values[place] ?? new Float64Array(0)) });
  const end = cases === 0 ? "no case" : endOfAll(values, compared);
  const rules = { seed: `${seed}/choice`, alpha: level.name };
  const found = end ?? (places.length === 1 ? "alike" : bestSet({ ...summed, range: rangeOf(compared) }, rules));
  const base = {
    expected,
    metric: compared.metric.name,
    of: compared.of,
    cases,
    clusters: summed.sizes.length,
    level,
    alike: alikeTargets(numbers.alike, targets),
    nobody: numbers.nobody,
    disputed: numbers.disputed,
  };
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const configurationsOf = (told: (at: number) => Pick<ChoiceConfiguration, "lower" | "upper" | "rank">) =>
    targets.map((target, place): ChoiceConfiguration => {
      const total = sum(values[place] ?? []);
      return {
        target,
        cost: meanOf(numbers.costs[place] ?? new Float64Array(0)),
        mean: cases === 0 ? null : (sign * total) / cases,
        ...told(places.indexOf(own[place] ?? place)),
        left: numbers.left[place] ?? { cases: 0, keys: [] },
      };
    });
  if (typeof found === "string") {
    const nothing = { lower: null, upper: null, rank: null };
    const configurations = configurationsOf(() => nothing);
    const none = { set: [...targets], named: null, ahead: null, lead: null, casesNeeded: null };
    const cheapest = margin === null ? {} : { cheapest: { margin, goodEnough: [], named: null, unpriced: [] } };
    return { ...base, configurations, ...none, ...cheapest, open: found };
  }
  const [set, name] = [found.at(level.set), found.at(level.name)];
  const ranks = found.ranks(level.set);
  const targetAt = (at: number | null): string | null => (at === null ? null : (targets[places[at] ?? -1] ?? null));
  const named = targetAt(name.only);
  const configurations = configurationsOf((at) => ({
    lower: set.lower[at] ?? null,
    upper: set.upper[at] ?? null,
    rank: ranks[at] ?? null,
  }));
  return {
    ...base,
    ...findingsOf(numbers, { own, places, summed, compared, dimensions, seed: `${seed}/choice` }),
    configurations,
    ...(margin !== null && { cheapest: cheapestOf(configurations, { margin, sign }) }),
    set: targets.filter((_, place) => set.members[places.indexOf(own[place] ?? place)] === true),
    named,
    ahead: named === null ? targetAt(set.only) : null,
    lead: leadOf(name),
    open: null,
    casesNeeded: named === null ? casesToName(found, { cases, configurations: places.length }) : null,
  };
}

/** Costs that lie no further apart are the same: the better one is taken. */
const sameCost = 1.05;

/** A configuration is good enough where its simultaneous lower bound says so: it passes against each that may be the best. */
function cheapestOf(
  configurations: readonly ChoiceConfiguration[],
  { margin, sign }: { margin: number; sign: 1 | -1 },
): CheapestChoice {
  const good = configurations.filter(({ lower }) => lower !== null && lower >= -margin);
  const unpriced = good.flatMap(({ target, cost }) => (cost === null ? [target] : []));
  const least = Math.min(...good.map(({ cost }) => cost ?? Infinity));
  const [named] = good
    .filter(({ cost }) => cost !== null && cost <= least * sameCost)
    .toSorted((one, other) => sign * ((other.mean ?? 0) - (one.mean ?? 0)));
  const goodEnough = good.map(({ target }) => target);
  return { margin, goodEnough, named: unpriced.length > 0 ? null : (named?.target ?? null), unpriced };
}

/** Mean of the values that are known; null of none. */
export function meanOf(values: Float64Array): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : sum(known) / known.length;
}

/** Power of the number of cases that is advised, and the most times the present ones that anybody would ask. */
const power = 0.8;
const mostTimes = 50;

/**
 * Cases with which the two with the highest means are told apart in four of five comparisons, by the level of a name shared among
 * all others: an upper estimate. Null where they are equal, or where it would be more than fifty times as many.
 */
function casesToName({ rates, errors }: BestSet, { cases, configurations }: { cases: number; configurations: number }) {
  const order = rates.map((_, place) => place).toSorted((one, other) => (rates[other] ?? 0) - (rates[one] ?? 0));
  const [first = 0, next = 0] = order;
  const difference = (rates[first] ?? 0) - (rates[next] ?? 0);
  const z = normalQuantile(1 - level.name / (configurations - 1)) + normalQuantile(power);
  const times = difference <= 0 ? Infinity : ((z * (errors[first]?.[next] ?? 0)) / difference) ** 2;
  return times > mostTimes ? null : Math.max(cases + 1, Math.ceil(cases * times));
}

/** For each configuration the place of the first one that is alike, answers and scores; its own where none is. */
function ownPlaces({ values, alike }: Pick<ChoiceNumbers, "values" | "alike">): number[] {
  return values.map((own, place) => {
    const isAlike = (other: number): boolean =>
      alike[other] === alike[place] && own.every((value, at) => value === values[other]?.[at]);
    return values.findIndex((_, other) => other === place || isAlike(other));
  });
}

/** The least by which the one that is named is ahead of each other one, at the level of its name. */
function leadOf({ only, behind }: BestLevel): number | null {
  if (only === null) return null;
  const others = behind.flatMap((own, place) => (place === only || own === null ? [] : [own]));
  return others.length === 0 ? null : Math.max(0, Math.min(...others));
}

/** Sums by cluster of each configuration; cases that ask the same are one, with their mean. */
function sumsOf({ values, clusters, questions }: ChoiceNumbers): { sums: Float64Array[]; sizes: Float64Array } {
  const asked = questions === null ? null : values.map((own) => askedOnce(own, questions));
  const means = asked === null ? values : asked.map((each) => each.means);
  const first = asked?.[0]?.first ?? null;
  const codes = clusters === null ? null : first === null ? clusters : first.map((place) => clusters[place] ?? 0);
  const known = new Map<number, number>();
  const dense = codes === null ? null : codes.map((code) => denseCode(known, code));
  const totals = means.map((own) => clusterTotals(own, dense));
  return {
    sums: totals.map(({ sums, scale }) => (scale === 1 ? sums : sums.map((own) => own * scale))),
    sizes: totals[0]?.sizes ?? new Float64Array(0),
  };
}

/** The end of the scale at which all are in all cases. */
export function endOfAll(values: readonly Float64Array[], compared: ComparedMetric): "floor" | "ceiling" | null {
  const ends = endsOf(compared);
  if (ends === null) return null;
  if (values.every((own) => own.every((value) => value === ends.best))) return "ceiling";
  return values.every((own) => own.every((value) => value === ends.worst)) ? "floor" : null;
}

/** Ends of a scale as its values are compared, positive better; null: it has none. */
function endsOf(compared: ComparedMetric): { worst: number; best: number } | null {
  const { metric, of } = compared;
  if (of === "ratio" || (of !== "pass" && metric.scale.kind === "unbounded")) return null;
  const { min, max } = of === "pass" || metric.scale.kind !== "bounded" ? { min: 0, max: 1 } : metric.scale;
  return lowerIsBetter(compared) ? { worst: -max, best: -min } : { worst: min, best: max };
}

export function alikeTargets(groups: readonly number[], targets: readonly string[]): string[][] {
  const found = [...new Set(groups)].map((group) => targets.filter((_, place) => groups[place] === group));
  return found.filter((group) => group.length > 1);
}

/** The word of a choice: another one than was expected is a change. */
export function choiceWord({ named: best, cheapest, alike, open, expected, race }: BestOfMany): ChoiceWord {
  if (race !== undefined && open === null && best === null && race.end?.kind === "close enough") {
    // It may have been as good as the one that is close enough, unless it was dropped.
    return race.configurations.some((each) => each.target === expected && each.droppedAfter !== null)
      ? "changed"
      : "close-enough";
  }
  const named = cheapest === undefined ? best : cheapest.named;
  if (named !== null) {
    const isExpected = expected === null || named === expected;
    return isExpected || alike.some((group) => group.includes(named) && group.includes(expected)) ? "best" : "changed";
  }
  if (cheapest !== undefined && cheapest.unpriced.length > 0) return "cannot-tell";
  return open === null || open === "too few" || open === "no case" ? "too-few-cases" : "cannot-tell";
}
