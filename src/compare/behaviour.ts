import { holm } from "../stats/multiplicity.ts";
import type { Relabelled } from "../stats/relabel.ts";
import type { PairResults } from "./pair-results.ts";
import type { PathTest } from "./structure-tally.ts";

/** Whether a candidate behaves otherwise than the baseline, beyond what the baseline does to itself. */
export interface Behaviour {
  state: "changed" | "unchanged" | "no-noise-floor" | "not-compared";
  /** What it was decided by, in words. */
  reason: string;
  /** Of the texts, by relabelling within cases; null where there is nothing to relabel. */
  text: Relabelled | null;
  /** Of the structure, the most significant first; at most 50. */
  paths: PathTest[];
  /** Mean distance of the first answers; mean distance of the baseline to itself. */
  meanDistance: number | null;
  meanNoise: number | null;
  /** Cases in which the baseline ran twice or more. */
  measured: number;
}

const mostPaths = 50;
const structureWord = "its structure";

/** The two questions, texts and structure, are decided together at alpha (Holm). */
export function behaviourOf(results: PairResults, { alpha, seed }: { alpha: number; seed: string }): Behaviour {
  const tests = results.structure.tests(seed);
  const relabelled = results.texts.test(`${seed}/texts`);
  const text = relabelled.cases === 0 ? null : relabelled;
  const { meanDistance, meanNoise } = results;
  const about = {
    text,
    paths: tests.slice(0, mostPaths),
    meanDistance,
    meanNoise,
    measured: results.structure.measured(),
  };
  if (results.counts.compared + results.counts.failed === 0) {
    return { ...about, state: "not-compared", reason: "there is no case that is finished on both sides" };
  }
  if (about.measured === 0) {
    const reason = "no noise floor measured, the baseline ran once";
    return { ...about, state: "no-noise-floor", reason };
  }
  const structure = tests.reduce((least, { adjusted }) => Math.min(least, adjusted), 1);
  const [ofText, ofStructure] = holm([text?.greater.p ?? null, structure]);
  const found = [
    ...(ofText !== null && ofText !== undefined && ofText <= alpha ? ["its texts"] : []),
    ...(ofStructure !== null && ofStructure !== undefined && ofStructure <= alpha ? [structureWord] : []),
  ];
  if (found.length === 0) {
    return {
      ...about,
      state: "unchanged",
      reason: "no more different from the baseline than the baseline from itself",
    };
  }
  const differ = found.length === 1 && found[0] === structureWord ? "differs" : "differ";
  const reason = `${found.join(" and ")} ${differ} from the baseline more than the baseline from itself`;
  return { ...about, state: "changed", reason };
}
