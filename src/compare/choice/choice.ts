import { clusterCodes, clusterTotals } from "../../stats/clusters.ts";
import { normalQuantile } from "../../stats/distributions/normal.ts";
import { sum } from "../../stats/sum.ts";
import { type BestLevel, type BestSet, bestSet } from "../../stats/choice/best-set.ts";
import { type Spending, spendingOf } from "../../stats/choice/spending.ts";
import { askedOnce } from "../metrics/asked-once.ts";
import { type ComparedMetric, endsOf, lowerIsBetter, type MeasureOf, rangeOf } from "../comparison-plan.ts";
import type { ChoiceOpen, ChoiceWord } from "../verdict-word.ts";
import type { RaceStanding } from "./race-watch.ts";
import type { ChoiceNumbers } from "./choice-tally.ts";
import type { SliceTable } from "../summary/slice-table.ts";
import { strengthsOf } from "./strengths.ts";
import { type Front, frontLevel, frontOf } from "./front.ts";
import type { Integer } from "../../lib/integer.ts";

/** The best of many configurations, as far as it is known. Plain JSON: `report.json` holds the most of it, with these comments. */
export interface BestOfMany extends Pick<ChoiceNumbers, "nobody" | "disputed"> {
  /** Name of the metric that it is chosen by. */
  metric: string;
  of: MeasureOf;
  /** The target that was meant to be the best; null: nobody said. */
  expected: string | null;
  /** Targets that may be the best, in the order of the suite; all of them where nothing can be told. */
  set: string[];
  /** The best one; null: it is not known. */
  named: string | null;
  /** The only one in the set, which in one of twenty such comparisons would be as clear by chance; null: there are several, or it is named. */
  ahead: string | null;
  /** The least by which the named one is ahead of all others, in the unit of the score; null: none is named. */
  lead: number | null;
  /** Levels of the set and of a name: with equal ones a set would have one member more often than its level. */
  level: {
    /** Chance at most that the best one is not in the set. */
    set: number;
    /** Chance at most that a name is said of one that is not the best, or is one of several. */
    name: number;
  };
  configurations: ChoiceConfiguration[];
  /** The targets by score and cost, and by score and time, where two or more of these are known. */
  fronts: Front[];
  /** The cheapest of those that are surely worse than the best by less than a margin. */
  cheapest?: CheapestChoice;
  /** The race that it was made by. */
  race?: RaceStanding;
  /** Targets that gave the same answers to the letter, in groups. */
  alike: string[][];
  /** Cases that all have a score of. */
  cases: Integer;
  /** Clusters of them, such as conversations; as many as there are cases where each is its own. */
  clusters: Integer;
  /** Where each target is good; left out: there are no tags, or nothing can be told. */
  slices?: SliceTable;
  /** Why nothing can be told; null: something can. */
  open: ChoiceOpen | null;
  /** Cases that would tell the two that are ahead apart, as far as is known now; null: that is no number of cases, or one is named. */
  casesNeeded: Integer | null;
}

interface CheapestChoice {
  /** The loss that is accepted, in the unit of the score. */
  margin: number;
  /** Targets that are surely no worse, in the order of the suite. */
  goodEnough: string[];
  /** The cheapest of them; null: there is none, or a cost is not known. */
  named: string | null;
  /** Those of them whose cost is not known. */
  unpriced: string[];
  /** Those of them that cost the same as the cheapest, within 5 % or as far as is known: the best of these is named. Empty: it is alone. */
  sameCost: string[];
  /** The cost of the named one, times that of the one with the highest score, case by case; null: it is that one, or it is not known. */
  ratio: {
    /** 0.8: it costs 20 % less. */
    value: number;
    /** End of its 95 % interval. */
    lower: number;
    /** End of its 95 % interval. */
    upper: number;
  } | null;
}

interface ChoiceConfiguration {
  target: string;
  /** Mean cost of a run in the cases whose cost is known, in the owner's unit; null: of none. */
  cost: SpentMean | null;
  /** Mean time of an answered run, in milliseconds; null: of none. */
  time: SpentMean | null;
  /** Bounds of its mean beside that of the best of the others, as a picture draws them: simultaneous, with no end at the best one. */
  range: { lower: number | null; upper: number | null };
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

/** A mean with its own 95 % interval, by clusters; null where there is no range. */
interface SpentMean {
  mean: number;
  lower: number | null;
  upper: number | null;
}

const level = { set: 0.05, name: 0.025 };

/** The rules of a choice. */
export interface ChoiceSettings {
  /** The configuration that is meant to be chosen; null: nobody says. */
  expected: string | null;
  /** The cheapest of those that lose less than this is chosen, in the unit of the score; null: the best. */
  margin: number | null;
}

interface ChoiceRules extends ChoiceSettings {
  compared: ComparedMetric;
  targets: readonly string[];
  seed: string;
}

/** Chooses among configurations by one metric. Those that are alike to the letter, answers and scores, are one. */
export function choiceOf(numbers: ChoiceNumbers, rules: ChoiceRules): BestOfMany {
  const { compared, targets, expected, margin, seed } = rules;
  const { values } = numbers;
  const cases = values[0]?.length ?? 0;
  const own = ownPlaces(numbers);
  const places = [...new Set(own)];
  const summed = sumsOf({ ...numbers, values: places.map((place) => values[place] ?? new Float64Array(0)) });
  const end = cases === 0 ? "no case" : endOfAll(values, compared);
  const drawn = { seed: `${seed}/choice`, alpha: level.name };
  const found = end ?? (places.length === 1 ? "alike" : bestSet({ ...summed, range: rangeOf(compared) }, drawn));
  const spent = spentBy(numbers);
  const placeOf = (place: number): number => places.indexOf(own[place] ?? place);
  /** True where one is surely better than another, for all pairs at once at 1 - alpha. */
  const isBetterAt = (alpha: number): ((one: number, other: number) => boolean) => {
    const isBetter = typeof found === "string" ? () => false : found.isBetter(alpha);
    return (one, other) => isBetter(placeOf(one), placeOf(other));
  };
  const frontBy = (by: Front["by"]): Front | [] =>
    frontOf({
      by,
      targets,
      means: values.map((each) => sum(each) / cases),
      isBetter: isBetterAt(frontLevel / 2),
      isAlike: (one, other) => own[one] === own[other],
      spending: spent[by],
      isOpen: typeof found === "string" && found !== "alike",
    }) ?? [];
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const levels = typeof found === "string" ? null : { found, set: found.at(level.set), name: found.at(level.name) };
  const configurations = targets.map((target, place): ChoiceConfiguration => {
    const at = placeOf(place);
    return {
      target,
      cost: spentMean(spent.cost, place),
      time: spentMean(spent.time, place),
      mean: cases === 0 ? null : (sign * sum(values[place] ?? [])) / cases,
      ...(levels === null
        ? noBounds
        : {
            lower: levels.set.lower[at] ?? null,
            upper: levels.set.upper[at] ?? null,
            rank: rankOf(place, { own, at, set: levels.set, isBetter: isBetterAt(level.set) }),
            range: rangeAt(at, { ...levels, sign }),
          }),
      left: numbers.left[place] ?? { cases: 0, keys: [] },
    };
  });
  // Those that are alike to the letter are all good enough: what they cost parts them.
  const good = configurations.flatMap(({ lower }, place) =>
    found === "alike" || (margin !== null && lower !== null && lower >= -margin) ? [place] : [],
  );
  const about = {
    expected,
    metric: compared.metric.name,
    of: compared.of,
    cases,
    clusters: summed.sizes.length,
    level,
    alike: alikeTargets(numbers.alike, targets),
    fronts: cases === 0 ? [] : (["cost", "time"] as const).flatMap(frontBy),
    nobody: numbers.nobody,
    disputed: numbers.disputed,
  };
  const cheapest =
    margin === null ? {} : { cheapest: cheapestOf(configurations, { margin, sign, good, spending: spent.cost }) };
  if (levels === null) {
    const open = typeof found === "string" ? found : null;
    return { ...about, configurations, ...noneNamed(targets), ...cheapest, open };
  }
  const { set, name } = levels;
  const targetAt = (at: number | null): string | null => (at === null ? null : (targets[places[at] ?? -1] ?? null));
  const named = targetAt(name.only);
  return {
    ...about,
    ...slicesIn(numbers, { own, places, targets, compared, seed: `${seed}/choice` }),
    configurations,
    ...cheapest,
    set: targets.filter((_, place) => set.members[placeOf(place)] === true),
    named,
    ahead: named === null ? targetAt(set.only) : null,
    lead: leadOf(name),
    open: null,
    casesNeeded: named === null ? casesToName(levels.found, { cases, configurations: places.length }) : null,
  };
}

interface Ranked {
  /** For each configuration the place of the first one that is alike. */
  own: readonly number[];
  at: number;
  set: BestLevel;
  isBetter: (one: number, other: number) => boolean;
}

/**
 * The places that a configuration may have. Those that are alike share theirs: each of them counts. One that is surely behind is not
 * the first, and one that is alone in the set is: that is told of all others together, and more often sure than of each pair.
 */
function rankOf(place: number, { own, at, set, isBetter }: Ranked): { first: number; last: number } {
  const first = 1 + own.filter((_, other) => isBetter(other, place)).length;
  const last = own.length - own.filter((_, other) => isBetter(place, other)).length;
  return {
    first: set.members[at] === true ? first : Math.max(2, first),
    last: set.only === at ? own.filter((each) => each === own[place]).length : last,
  };
}

interface Distinct extends Pick<ChoiceRules, "targets" | "compared" | "seed"> {
  /** For each configuration the place of the first one that is alike, and those places. */
  own: readonly number[];
  places: readonly number[];
}

/** Scores by slice and configuration; configurations that are alike to the letter share their cells. */
function slicesIn(
  { values, clusters, questions, slices }: ChoiceNumbers,
  { own, places, targets, compared, seed }: Distinct,
): Pick<BestOfMany, "slices"> {
  const distinct = places.map((place) => values[place] ?? new Float64Array(0));
  const found = strengthsOf(
    { values: distinct, clusters: clusters ?? questions, slices, range: rangeOf(compared), seed },
    lowerIsBetter(compared) ? -1 : 1,
  );
  if (found === null) return {};
  const at = own.map((place) => places.indexOf(place));
  const lines = found.lines.map((line) => ({ ...line, cells: at.flatMap((place) => line.cells[place] ?? []) }));
  return { slices: { across: null, columns: [...targets], lines, left: found.left } };
}

const noBounds = { lower: null, upper: null, rank: null, range: { lower: null, upper: null } };

const noneNamed = (targets: readonly string[]) => ({
  set: [...targets],
  named: null,
  ahead: null,
  lead: null,
  casesNeeded: null,
});

/** Costs that lie no further apart are the same: the better one is taken. */
const sameCost = 1.05;
const costLevel = 0.95;

interface CheapestInput {
  margin: number;
  sign: 1 | -1;
  /** Places of those that are good enough: their simultaneous lower bound passes against each that may be the best. */
  good: readonly number[];
  spending: Spending;
}

/**
 * The cheapest of those that are good enough. One costs more than another where their ratio is above 1.05 and its own paired 95 %
 * interval (on the logarithm, by clusters) lies above 1; else their costs are the same, and the better one is taken.
 */
function cheapestOf(
  configurations: readonly ChoiceConfiguration[],
  { margin, sign, good, spending }: CheapestInput,
): CheapestChoice {
  const nameOf = (place: number): string => configurations[place]?.target ?? "";
  const costAt = (place: number): number => configurations[place]?.cost?.mean ?? Infinity;
  const better = (one: number, other: number): number =>
    sign * ((configurations[other]?.mean ?? 0) - (configurations[one]?.mean ?? 0));
  const unpriced = good.filter((place) => costAt(place) === Infinity).map(nameOf);
  const [least] = good.toSorted((one, other) => costAt(one) - costAt(other));
  const isDearer = (place: number): boolean => {
    if (least === undefined || place === least) return false;
    const found = spending.ratio(place, least, costLevel);
    return found === null ? costAt(place) > costAt(least) : found.ratio > sameCost && found.interval.low > 1;
  };
  const same = good.filter((place) => costAt(place) < Infinity && !isDearer(place));
  const [named] =
    unpriced.length > 0 ? [] : same.toSorted((one, other) => better(one, other) || costAt(one) - costAt(other));
  const [highest] = configurations.map((_, place) => place).toSorted(better);
  const found =
    named === undefined || highest === undefined || named === highest
      ? null
      : spending.ratio(named, highest, costLevel);
  return {
    margin,
    goodEnough: good.map(nameOf),
    named: named === undefined ? null : nameOf(named),
    unpriced,
    sameCost: same.length < 2 ? [] : same.map(nameOf),
    ratio: found === null ? null : { value: found.ratio, lower: found.interval.low, upper: found.interval.high },
  };
}

/** Costs and times of each configuration. */
function spentBy({ costs, times, clusters }: ChoiceNumbers): Record<Front["by"], Spending> {
  const dense = clusters === null ? null : clusterCodes(clusters);
  return { cost: spendingOf({ values: costs, clusters: dense }), time: spendingOf({ values: times, clusters: dense }) };
}

function spentMean({ means }: Spending, place: number): SpentMean | null {
  const own = means[place] ?? null;
  return own && { mean: own.mean, lower: own.interval?.low ?? null, upper: own.interval?.high ?? null };
}

/** The bounds of one beside the best of the others, at the place of its mean: where it is alone in the set, how far it is ahead at least. */
function rangeAt(
  at: number,
  { found, set, sign }: { found: BestSet; set: BestLevel; sign: 1 | -1 },
): { lower: number | null; upper: number | null } {
  const others = Math.max(...found.rates.filter((_, other) => other !== at));
  const lead = set.only === at ? leadOf(set) : (set.lower[at] ?? null);
  const behind = set.behind[at] ?? null;
  const [lower, upper] = [lead === null ? null : others + lead, behind === null ? null : others - behind];
  const flip = (value: number | null): number | null => (value === null ? null : value * sign);
  return sign === 1 ? { lower, upper } : { lower: flip(upper), upper: flip(lower) };
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
  const dense = codes === null ? null : clusterCodes(codes);
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
  const [worst, best] = lowerIsBetter(compared) ? [-ends.max, -ends.min] : [ends.min, ends.max];
  const areAll = (end: number): boolean => values.every((own) => own.every((value) => value === end));
  return areAll(best) ? "ceiling" : areAll(worst) ? "floor" : null;
}

export function alikeTargets(groups: readonly number[], targets: readonly string[]): string[][] {
  const found = [...new Set(groups)].map((group) => targets.filter((_, place) => groups[place] === group));
  return found.filter((group) => group.length > 1);
}

/** The parts of a choice that say whether it is a change. */
export type ChoiceDecision = Pick<BestOfMany, "named" | "ahead" | "alike" | "open" | "expected" | "set"> & {
  configurations: readonly Pick<BestOfMany["configurations"][number], "target">[];
  cheapest?: Pick<CheapestChoice, "named" | "unpriced"> | undefined;
  race?: RaceDecision | undefined;
};

/** The parts of a race that do. */
interface RaceDecision extends Pick<RaceStanding, "isThrough"> {
  end: Pick<NonNullable<RaceStanding["end"]>, "kind" | "target"> | null;
  configurations: readonly Pick<RaceStanding["configurations"][number], "target" | "droppedAfter">[];
}

/** The one that is chosen: the best, or the cheapest that is good enough; null: that is open. */
export function chosenOf({ named, cheapest }: Pick<ChoiceDecision, "named" | "cheapest">): string | null {
  return cheapest === undefined ? named : cheapest.named;
}

/** Those of which any may be taken: none of them is surely better, and each other one is surely behind. Null: there is no tie. */
export function tiedOf({ named, ahead, open, set, cheapest, race, configurations }: ChoiceDecision): string[] | null {
  const isOpen = named !== null || ahead !== null || open !== null || cheapest !== undefined;
  const isRacing = race !== undefined && !race.isThrough;
  return isOpen || isRacing || set.length < 2 || set.length === configurations.length ? null : set;
}

/** The word of a choice: another one than was expected is a change. */
export function choiceWord(choice: ChoiceDecision): ChoiceWord {
  const { alike, open, expected, race, cheapest } = choice;
  const named = chosenOf(choice);
  if (race !== undefined && open === null && named === null && race.end?.kind === "close enough") {
    // It may have been as good as the one that is close enough, unless it was dropped.
    return race.configurations.some((each) => each.target === expected && each.droppedAfter !== null)
      ? "changed"
      : "close-enough";
  }
  if (named !== null) {
    const isExpected = expected === null || named === expected;
    return isExpected || alike.some((group) => group.includes(named) && group.includes(expected)) ? "best" : "changed";
  }
  const tied = tiedOf(choice);
  if (tied !== null && (expected === null || tied.includes(expected))) return "best";
  if (cheapest !== undefined && cheapest.unpriced.length > 0) return "cannot-tell";
  return open === null || open === "too few" || open === "no case" ? "too-few-cases" : "cannot-tell";
}

/** The choice of an invalid comparison: means, costs and times stand, and nothing follows from them. */
export function invalidChoice({ slices: _slices, cheapest, ...choice }: BestOfMany): BestOfMany {
  const { configurations } = choice;
  return {
    ...choice,
    ...noneNamed(configurations.map(({ target }) => target)),
    configurations: configurations.map((each) => ({ ...each, ...noBounds })),
    ...(cheapest !== undefined && {
      cheapest: { margin: cheapest.margin, goodEnough: [], named: null, unpriced: [], sameCost: [], ratio: null },
    }),
    fronts: [],
    open: "invalid",
  };
}
