import { clusterTotals } from "../../stats/clusters.ts";
import { sum } from "../../stats/sum.ts";
import { type BestLevel, bestSet, type NoBestSet } from "../../stats/choice/best-set.ts";
import { askedOnce, denseCode } from "../summary/asked-once.ts";
import { type ComparedMetric, lowerIsBetter, type MeasureOf, rangeOf } from "../comparison-plan.ts";
import type { ChoiceNumbers } from "./choice-tally.ts";

/** The best of many configurations, as far as it is known. Plain JSON. */
export interface Choice {
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
}

export interface ChoiceConfiguration {
  target: string;
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

/** Why there is no set: `floor` and `ceiling`: all are at that end of the scale; `alike`: all gave the same answers to the letter. */
export type ChoiceOpen = "no case" | "alike" | "floor" | "ceiling" | NoBestSet;

const level = { set: 0.05, name: 0.025 };

interface ChoiceRules {
  compared: ComparedMetric;
  targets: readonly string[];
  seed: string;
}

/** Chooses among configurations by one metric. Those that are alike to the letter, answers and scores, are one. */
export function choiceOf(numbers: ChoiceNumbers, { compared, targets, seed }: ChoiceRules): Choice {
  const { values } = numbers;
  const cases = values[0]?.length ?? 0;
  const own = ownPlaces(numbers);
  const places = [...new Set(own)];
  const summed = sumsOf({ ...numbers, values: places.map((place) => values[place] ?? new Float64Array(0)) });
  const end = cases === 0 ? "no case" : endOfAll(values, compared);
  const rules = { seed: `${seed}/choice`, alpha: level.name };
  const found = end ?? (places.length === 1 ? "alike" : bestSet({ ...summed, range: rangeOf(compared) }, rules));
  const base = {
    metric: compared.metric.name,
    of: compared.of,
    cases,
    clusters: summed.sizes.length,
    level,
    alike: alikeTargets(numbers.alike, targets),
  };
  const sign = lowerIsBetter(compared) ? -1 : 1;
  const configurationsOf = (told: (at: number) => Pick<ChoiceConfiguration, "lower" | "upper" | "rank">) =>
    targets.map((target, place): ChoiceConfiguration => {
      const total = sum(values[place] ?? []);
      return {
        target,
        mean: cases === 0 ? null : (sign * total) / cases,
        ...told(places.indexOf(own[place] ?? place)),
        left: numbers.left[place] ?? { cases: 0, keys: [] },
      };
    });
  if (typeof found === "string") {
    const nothing = { lower: null, upper: null, rank: null };
    const configurations = configurationsOf(() => nothing);
    return { ...base, configurations, set: [...targets], named: null, ahead: null, lead: null, open: found };
  }
  const [set, name] = [found.at(level.set), found.at(level.name)];
  const ranks = found.ranks(level.set);
  const targetAt = (at: number | null): string | null => (at === null ? null : (targets[places[at] ?? -1] ?? null));
  const named = targetAt(name.only);
  return {
    ...base,
    configurations: configurationsOf((at) => ({
      lower: set.lower[at] ?? null,
      upper: set.upper[at] ?? null,
      rank: ranks[at] ?? null,
    })),
    set: targets.filter((_, place) => set.members[places.indexOf(own[place] ?? place)] === true),
    named,
    ahead: named === null ? targetAt(set.only) : null,
    lead: leadOf(name),
    open: null,
  };
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
function endOfAll(values: readonly Float64Array[], compared: ComparedMetric): "floor" | "ceiling" | null {
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

function alikeTargets(groups: readonly number[], targets: readonly string[]): string[][] {
  const found = Map.groupBy(targets, (target) => groups[targets.indexOf(target)] ?? -1);
  return [...found.values()].filter((group) => group.length > 1);
}
