import type { Random } from "../../../src/lib/random.ts";
import type { DrawnCluster } from "../../../src/stats/betting/until-decided.ts";

/** A candidate as it is imagined, beside its baseline. */
export interface ImitatedBot {
  /** Loss of the pass rate. */
  drop: number;
  /** Share of the cases in which one run of each side differ by chance. */
  noise: number;
  /** Runs of a case on each side. */
  runs: { baseline: number; candidate: number };
  /** Cases that belong together are lost together. Default: each by itself. */
  together?: boolean;
}

/** Draws the sum of the differences of a cluster: every case passes, but for what is lost and for chance. */
export function drawnCluster(bot: ImitatedBot, size: number, random: Random): DrawnCluster {
  const { drop, noise, runs, together = false } = bot;
  // Two runs differ when one of them turns, and the other does not.
  const turn = (1 - Math.sqrt(1 - 2 * Math.min(0.5, noise))) / 2;
  // Runs that turn back by chance take a part of the loss away.
  const lost = Math.min(1, drop / Math.max(1e-9, 1 - 2 * turn));
  const rate = (isLost: boolean, times: number): number => {
    let passes = 0;
    for (let run = 0; run < times; run++) if (random() < turn === isLost) passes += 1;
    return passes / times;
  };
  const isAllLost = together && random() < lost;
  let sum = 0;
  for (let one = 0; one < size; one++) {
    const isLost = together ? isAllLost : random() < lost;
    sum += rate(isLost, runs.candidate) - rate(false, runs.baseline);
  }
  return { sum, size };
}
