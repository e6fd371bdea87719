import type { RandomStream } from "../../../src/lib/random.ts";
import type { PairedData } from "../../../src/stats/difference.ts";
import { normalQuantile } from "../../../src/stats/distributions/normal.ts";

/** A standard normal number. */
export function gauss(random: RandomStream): number {
  return normalQuantile((random.bits() + 0.5) / 2 ** 32);
}

/** exp of a normal number: a long tail to one side, with a median of 1. */
export function logNormal(random: RandomStream): number {
  return Math.exp(gauss(random));
}

/** Chances of the four outcomes of a case that runs once on each side; what is left is that both fail. */
export interface Chances {
  bothPass: number;
  onlyA: number;
  onlyB: number;
}

/** Cases that pass or fail, one run each side. */
export function binaryPairs(n: number, chances: Chances, random: RandomStream): PairedData {
  const counts = { bothPass: 0, onlyA: 0, onlyB: 0, bothFail: 0 };
  for (let index = 0; index < n; index++) {
    const u = random.next();
    if (u < chances.onlyA) counts.onlyA += 1;
    else if (u < chances.onlyA + chances.onlyB) counts.onlyB += 1;
    else if (u < chances.onlyA + chances.onlyB + chances.bothPass) counts.bothPass += 1;
    else counts.bothFail += 1;
  }
  return { differences: new Float64Array(0), clusters: null, counts, range: 1 };
}

export interface Conversations {
  conversations: number;
  turns: number;
  icc: number;
  /** True mean difference; the deviation of a turn is 1. */
  shift: number;
}

/** Differences of scores of turns, those of one conversation alike. */
export function conversations(
  { conversations: count, turns, icc, shift }: Conversations,
  random: RandomStream,
): PairedData {
  const differences = new Float64Array(count * turns);
  const clusters = new Int32Array(count * turns);
  for (let conversation = 0; conversation < count; conversation++) {
    const common = gauss(random) * Math.sqrt(icc);
    for (let turn = 0; turn < turns; turn++) {
      const index = conversation * turns + turn;
      differences[index] = shift + common + gauss(random) * Math.sqrt(1 - icc);
      clusters[index] = conversation;
    }
  }
  return { differences, clusters, counts: null, range: null };
}

export interface FlakyCases {
  cases: number;
  runs: number;
  /** True drop of the mean chance to pass. */
  drop: number;
}

/** Cases that pass with a chance of their own, run several times on each side; differences of pass rates. */
export function flakyCases({ cases, runs, drop }: FlakyCases, random: RandomStream): PairedData {
  const rate = (chance: number): number => {
    let passes = 0;
    for (let run = 0; run < runs; run++) if (random.next() < chance) passes += 1;
    return passes / runs;
  };
  const differences = Float64Array.from({ length: cases }, () => {
    // Two thirds nearly always pass, the others anything; a drop takes the same chance from each that has it to lose.
    const chance = random.next() < 2 / 3 ? 0.95 : drop + random.next() * (1 - drop);
    return rate(chance - drop) - rate(chance);
  });
  return { differences, clusters: null, counts: null, range: 1 };
}
