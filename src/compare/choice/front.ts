import type { Spending } from "../../stats/choice/spending.ts";

/** A thing that is spent on a case, by which configurations are looked at beside their scores. */
export type SpentOn = "cost" | "time";

/**
 * A configuration may be the best for what it spends. `yes`: each other one is surely worse, or surely spends more; `no`: one is
 * surely better and surely spends less; `open`: that is not known.
 */
type FrontState = "yes" | "no" | "open";

/** The configurations by what they score and what they spend. */
export interface Front {
  /** Cost or time, which is looked at beside the score. */
  by: SpentOn;
  /** Those of which it is known, in the order of the suite. */
  targets: {
    /** Name of the target. */
    target: string;
    /** `yes`: each other one is surely worse, or surely spends more; `no`: one is surely better and surely spends less. All of this holds at once with 95 %. */
    state: FrontState;
    /** Target with the highest score that beats it: surely where the state is no, else by the figures alone; null: none. */
    beatenBy: string | null;
  }[];
  /** Those that no other beats by the figures alone, from what spends the least to what spends the most. */
  line: string[];
}

/** Level of all claims about pairs, half of it for scores and half for spending. */
export const frontLevel = 0.05;

export interface FrontInput {
  by: SpentOn;
  targets: readonly string[];
  /** Means, positive better. */
  means: readonly number[];
  /** True where the first is surely better than the second, at half the level for all pairs at once. */
  isBetter: (one: number, other: number) => boolean;
  /** True where both gave the same answers to the letter. */
  isAlike: (one: number, other: number) => boolean;
  spending: Spending;
  /** Too few clusters: nothing is sure. */
  isOpen: boolean;
}

/**
 * The configurations that none beats, by what is spent. A claim about two needs both of their score and of their spending: each family of
 * pairs has half the level (scores by the largest of all pairs, spending by Bonferroni), so that with a chance of the level at most
 * any of them is wrong. Null where the spending of fewer than two is known.
 */
export function frontOf({ by, targets, means, isBetter, isAlike, spending, isOpen }: FrontInput): Front | null {
  const places = targets.flatMap((_, place) => (spending.means[place] === null ? [] : [place]));
  if (places.length < 2) return null;
  const pairs = (places.length * (places.length - 1)) / 2;
  const confidence = 1 - frontLevel / 2 / pairs;
  // A pair is looked at once: what is spent more of one side is spent less of the other.
  const dearer = new Set<string>();
  for (const [at, one] of isOpen ? [] : places.entries()) {
    for (const other of places.slice(at + 1)) {
      const found = spending.ratio(one, other, confidence);
      if (found !== null && found.interval.low > 1) dearer.add(`${one} ${other}`);
      if (found !== null && found.interval.high < 1) dearer.add(`${other} ${one}`);
    }
  }
  const isDearer = (one: number, other: number): boolean => dearer.has(`${one} ${other}`);
  const spent = (place: number): number => spending.means[place]?.mean ?? 0;
  const mean = (place: number): number => means[place] ?? 0;
  const beats = (one: number, other: number): boolean =>
    (isBetter(one, other) || isAlike(one, other)) && isDearer(other, one);
  const beatsByFigures = (one: number, other: number): boolean =>
    mean(one) >= mean(other) && spent(one) <= spent(other) && (mean(one) > mean(other) || spent(one) < spent(other));
  const highest = (found: readonly number[]): string | null =>
    targets[found.toSorted((one, other) => mean(other) - mean(one))[0] ?? -1] ?? null;
  const stateOf = (place: number): Front["targets"][number] => {
    const others = places.filter((other) => other !== place);
    const sure = others.filter((other) => beats(other, place));
    const target = targets[place] ?? "";
    if (sure.length > 0) return { target, state: "no", beatenBy: highest(sure) };
    const isSure = others.every((other) => isBetter(place, other) || isDearer(other, place));
    if (isSure && !isOpen) return { target, state: "yes", beatenBy: null };
    return { target, state: "open", beatenBy: highest(others.filter((other) => beatsByFigures(other, place))) };
  };
  const line = places
    .filter((place) => !places.some((other) => beatsByFigures(other, place)))
    .toSorted((one, other) => spent(one) - spent(other));
  return { by, targets: places.map(stateOf), line: line.map((place) => targets[place] ?? "") };
}
