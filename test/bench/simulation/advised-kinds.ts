import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { binaryPairs, conversations, flakyCases, logNormal } from "./draws.ts";
import { type DrawnCase, passGate, scoreGate } from "./drawn-gates.ts";

/** A kind of data on which a gate gives advice. */
export interface AdvisedKind {
  name: string;
  gates: ComparedMetric;
  margin: number;
  /** A true drop beyond the margin at which the gate is often inconclusive. */
  worse: number;
  /** Cases, or conversations. */
  groups: number;
  draw: (groups: number, drop: number, random: RandomStream) => DrawnCase[];
  /** A drop as it is written. */
  shown: (drop: number) => string;
  /** Reason why its smallest drop is found less often than is promised; left out: it is not. */
  named?: string;
}

const points = (drop: number): string => `${(drop * 100).toFixed(1)} points`;
const units = (drop: number): string => drop.toFixed(2);

function ofDifferences(differences: Float64Array, clusters: Int32Array | null): DrawnCase[] {
  return Array.from(differences, (candidate, place) => {
    const cluster = clusters?.[place];
    return { baseline: 0, candidate, ...(cluster !== undefined && { cluster }) };
  });
}

/** Conversations of four turns whose scores are alike by 0.4. */
function talks(groups: number): AdvisedKind {
  return {
    name: `${groups} conversations of 4 turns, ICC 0.4`,
    gates: scoreGate("value", 0.3),
    margin: 0.3,
    worse: 0.6,
    groups,
    draw: (count, drop, random) => {
      const { differences, clusters } = conversations(
        { conversations: count, turns: 4, icc: 0.4, shift: -drop },
        random,
      );
      return ofDifferences(differences, clusters);
    },
    shown: units,
  };
}

/** A long tail to the worse. */
function skewed(of: "value" | "median"): AdvisedKind {
  const middle = of === "median" ? 1 : Math.exp(0.5);
  return {
    name: `50 cases, log-normal losses${of === "median" ? ", `of: median`" : ""}`,
    gates: scoreGate(of, 1),
    margin: 1,
    worse: of === "median" ? 1.3 : 1.6,
    groups: 50,
    draw: (count, drop, random) =>
      Array.from({ length: count }, () => ({ baseline: 0, candidate: middle - logNormal(random) - drop })),
    shown: units,
  };
}

const estimated = "from few values";

export const advisedKinds: readonly AdvisedKind[] = [
  {
    name: "120 cases, pass or fail, one run each, of which 8 % differ",
    gates: passGate(0.05),
    margin: 0.05,
    worse: 0.1,
    groups: 120,
    draw: (count, drop, random) => {
      const counts = binaryPairs(count, { bothPass: 0.8 - drop, onlyA: 0.04, onlyB: 0.04 + drop }, random).counts;
      const { onlyA = 0, onlyB = 0 } = counts ?? {};
      return Array.from({ length: count }, (_, place) => ({
        baseline: place < onlyA ? 0 : 1,
        candidate: place >= onlyA && place < onlyA + onlyB ? 0 : 1,
      }));
    },
    shown: points,
  },
  {
    name: "60 cases, pass or fail, three runs each",
    gates: scoreGate("value", 0.05, { kind: "bounded", min: -1, max: 1 }),
    margin: 0.05,
    worse: 0.1,
    groups: 60,
    draw: (count, drop, random) => ofDifferences(flakyCases({ cases: count, runs: 3, drop }, random).differences, null),
    shown: points,
    named: "a drop varies by itself",
  },
  talks(30),
  { ...talks(12), named: estimated },
  { ...skewed("median"), named: estimated },
  { ...skewed("value"), named: estimated },
];
