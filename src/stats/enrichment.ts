import { fisherMore } from "./fisher.ts";
import { benjaminiHochberg, holm } from "./multiplicity.ts";

/** A unit that either is one of those in question or not, with what it has. Units are independent of each other. */
export interface MarkedUnit {
  isMarked: boolean;
  /** Its features by their numbers, each once. */
  features: Iterable<number>;
  /** The half that it is in, by lot: of the first, features are chosen, and by the other they are confirmed. */
  half: 0 | 1;
}

/** Units with a feature among the marked ones and among the others. */
export interface FeatureCounts {
  marked: number;
  markedWith: number;
  others: number;
  othersWith: number;
}

/** A feature that is more frequent among the marked units than among the others. */
export interface EnrichedFeature {
  feature: number;
  /** Over all units. */
  all: FeatureCounts;
  /** Over the half that was not looked at when the feature was chosen. */
  confirmed: FeatureCounts;
  /** Fisher's exact p of that half, one-sided, adjusted for the features that were chosen (Holm). */
  p: number;
}

/** The level of both steps. */
const level = 0.05;
/** Marked units that must have a feature in the first half: fewer could be anything. */
const leastWith = 3;

/**
 * The features that marked units have more often than others, the surest first. In the first half every feature is tested
 * (Fisher's exact test, one-sided) and chosen at a false discovery rate of 5 % (Benjamini and Hochberg 1995); those chosen
 * are tested once more in the other half, with Holm's adjustment. The second step alone keeps the chance that any feature is
 * named falsely below 5 %, whatever depends on whatever: its half was not looked at before.
 */
export function enrichedFeatures(units: readonly MarkedUnit[]): EnrichedFeature[] {
  const halves = [0, 1].map((half) => countedIn(units.filter((unit) => unit.half === half)));
  const [first, second] = halves;
  if (first === undefined || second === undefined || first.marked === 0 || second.marked === 0) return [];
  const tested = Array.from(first.counts, ([feature, counts]) => ({ feature, ...counts })).filter(
    ({ markedWith }) => markedWith >= leastWith,
  );
  const ps = benjaminiHochberg(tested.map((counts) => moreOften({ ...first, ...counts })));
  const chosen = tested.filter((_, place) => (ps[place] ?? 1) <= level);
  const confirmed = chosen.map(({ feature }): FeatureCounts => {
    const { marked, others, counts } = second;
    return { marked, others, ...(counts.get(feature) ?? { markedWith: 0, othersWith: 0 }) };
  });
  const adjusted = holm(confirmed.map(moreOften));
  return chosen
    .flatMap(({ feature, markedWith, othersWith }, place): EnrichedFeature[] => {
      const [own, p] = [confirmed[place], adjusted[place]];
      if (own === undefined || p === null || p === undefined || p > level) return [];
      const all = {
        marked: first.marked + own.marked,
        markedWith: markedWith + own.markedWith,
        others: first.others + own.others,
        othersWith: othersWith + own.othersWith,
      };
      return [{ feature, all, confirmed: own, p }];
    })
    .toSorted((one, other) => one.p - other.p || other.all.markedWith - one.all.markedWith);
}

interface Counted {
  marked: number;
  others: number;
  counts: Map<number, Pick<FeatureCounts, "markedWith" | "othersWith">>;
}

function countedIn(units: readonly MarkedUnit[]): Counted {
  const counted: Counted = { marked: 0, others: 0, counts: new Map() };
  for (const { isMarked, features } of units) {
    if (isMarked) counted.marked += 1;
    else counted.others += 1;
    for (const feature of features) {
      const known = counted.counts.get(feature) ?? { markedWith: 0, othersWith: 0 };
      counted.counts.set(feature, known);
      if (isMarked) known.markedWith += 1;
      else known.othersWith += 1;
    }
  }
  return counted;
}

function moreOften({ marked, markedWith, others, othersWith }: FeatureCounts): number {
  return fisherMore({
    failing: markedWith,
    rows: markedWith + othersWith,
    allFailing: marked,
    allRows: marked + others,
  });
}
