import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import { beyondNoise } from "../../stats/paired/beyond-noise.ts";
import { growingInts, type GrowingInts } from "./growing.ts";
import type { OutputFieldDifference, OutputFieldKind } from "../cases/output-fields.ts";
import { type StructureChange, structureChange, isStructure } from "../cases/structure.ts";

/** Number of cases in which a member path differs in one respect. */
export interface OutputFieldCount {
  path: string;
  kind: OutputFieldKind;
  change: StructureChange;
  cases: number;
  /** Its difference in the first of them. */
  example: string;
}

/** A path of the output: how often it differs from the baseline, and how often the baseline differs from itself. */
export interface PathTest {
  path: string;
  /** Its structure (what is there, its type, its count), or the values of a member that is no answer. */
  about: "structure" | "value";
  /** Cases in which the first runs of candidate and baseline differ, and those in which two runs of the baseline do. */
  raw: number;
  noise: number;
  /** Clusters that differ only from the candidate (or in more cases), and only within the baseline. */
  rawOnly: number;
  noiseOnly: number;
  /** One-sided: exact McNemar; where clusters have several cases, of whole clusters. */
  p: number;
  /** p value adjusted over all paths, by Benjamini and Hochberg. */
  adjusted: number;
}

export type StructureTally = ReturnType<typeof structureTally>;

/** Differences of the outputs of a case. */
interface StructureCase {
  cluster: number;
  /** Candidate from baseline: what is listed. */
  members: readonly OutputFieldDifference[];
  /**
   * The differences that are tested, as far as both are known: candidate from baseline, and the baseline from itself.
   */
  raw: readonly OutputFieldDifference[];
  noise: readonly OutputFieldDifference[];
  /** The baseline has two answers. */
  measured: boolean;
}

/** A function that returns random names cannot make it grow without end. */
const mostPaths = 200;

/** Number of clusters that are told apart: enough for any test here. */
const enoughClusters = 20;

interface PathTally extends Pick<PathTest, "path" | "about" | "raw" | "noise"> {
  /** Number for each cluster: cases that differ from the candidate minus those that differ within the baseline. */
  balance: GrowingInts;
}

/** Counts the structural differences of a pair, path by path. */
export function structureTally() {
  const known = new Map<string, OutputFieldCount>();
  const paths = new Map<string, PathTally>();
  const clusters = new Set<number>();
  let others = 0;
  let measured = 0;

  const count = (difference: OutputFieldDifference): void => {
    const { path, kind, baseline, candidate } = difference;
    const change = structureChange(difference);
    const name = `${change} ${path}`;
    const seen = known.get(name);
    if (seen !== undefined) seen.cases += 1;
    else if (known.size >= mostPaths) others += 1;
    else known.set(name, { path, kind, change, cases: 1, example: `${baseline} -> ${candidate}` });
  };

  const weigh = (cluster: number, difference: OutputFieldDifference, step: 1 | -1): void => {
    const about = isStructure(difference) ? "structure" : "value";
    const name = `${about} ${difference.path}`;
    let tally = paths.get(name);
    if (tally === undefined) {
      if (paths.size >= mostPaths) return;
      tally = { path: difference.path, about, raw: 0, noise: 0, balance: growingInts() };
      paths.set(name, tally);
    }
    if (step === 1) tally.raw += 1;
    else tally.noise += 1;
    tally.balance.add(cluster, step);
  };

  return {
    add(seen: StructureCase): void {
      const { cluster, raw, noise } = seen;
      for (const difference of seen.members) count(difference);
      if (seen.measured) {
        measured += 1;
        if (clusters.size < enoughClusters) clusters.add(cluster);
      }
      for (const difference of raw) weigh(cluster, difference, 1);
      for (const difference of noise) weigh(cluster, difference, -1);
    },
    counts: (): OutputFieldCount[] => Array.from(known.values()).toSorted((a, b) => b.cases - a.cases),
    /** Differences in paths beyond the first 200 different ones that were met. */
    others: (): number => others,
    tests: (seed: string): PathTest[] => testsOf(Array.from(paths.values()), seed),
    /** Cases that have two answers of the baseline, and their clusters, counted up to 20. */
    measured: () => ({ cases: measured, clusters: clusters.size }),
  };
}

function testsOf(tallies: readonly PathTally[], seed: string): PathTest[] {
  const found = tallies.map(({ balance, ...tally }) => {
    let [rawOnly, noiseOnly] = [0, 0];
    for (const step of balance.view()) {
      if (step > 0) rawOnly += 1;
      else if (step < 0) noiseOnly += 1;
    }
    const p = beyondNoise(Float64Array.from(balance.view()), `${seed}/${tally.about} ${tally.path}`);
    return { ...tally, rawOnly, noiseOnly, p };
  });
  const adjusted = benjaminiHochberg(found.map(({ p }) => p));
  return found
    .map((test, i) => ({ ...test, adjusted: adjusted[i] ?? test.p }))
    .toSorted((a, b) => a.p - b.p || b.raw - a.raw);
}
