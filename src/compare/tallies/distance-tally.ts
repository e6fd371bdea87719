import { relabelTally } from "../../stats/resampling/relabel.ts";
import type { Difference } from "../cases/case-change.ts";
import { durations } from "./durations.ts";
import type { PairResults } from "./pair-results.ts";

/** Collects how far the texts of a pair are from each other, and from themselves. */
export interface DistanceTally {
  /** `cluster`: null where every case is its own. */
  add: (difference: Difference, cluster: number | null) => void;
  results: () => Pick<PairResults, "texts" | "changedByChance" | "meanDistance" | "meanNoise" | "medianGapMs">;
}

export function distanceTally(): DistanceTally {
  const distances = meanOf();
  const noises = meanOf();
  const gaps = durations();
  const texts = relabelTally();
  let changedByChance: number | null = 0;
  return {
    add({ distance, noise, labelled, changedByChance: chance, gapMs }, cluster) {
      distances.add(distance);
      noises.add(noise);
      changedByChance = changedByChance === null || chance === null ? null : changedByChance + chance;
      if (gapMs !== null) gaps.add(gapMs);
      if (labelled !== null) texts.add(labelled, cluster);
    },
    results: () => ({
      texts,
      changedByChance,
      meanDistance: distances.mean(),
      meanNoise: noises.mean(),
      medianGapMs: gaps.quantile(0.5),
    }),
  };
}

/** The mean of the values that there are; null of none. */
function meanOf(): { add: (value: number | null) => void; mean: () => number | null } {
  let [sum, count] = [0, 0];
  return {
    add(value) {
      if (value === null) return;
      sum += value;
      count += 1;
    },
    mean: () => (count === 0 ? null : sum / count),
  };
}
