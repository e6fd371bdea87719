import { holm } from "../../stats/multiplicity.ts";
import { fewestClusters } from "../../stats/difference.ts";
import type { Relabelled } from "../../stats/resampling/relabel.ts";
import { type UnitCount, unitCount } from "../cause.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { PathTest } from "../tallies/structure-tally.ts";

/** The parts of an answer that are compared beyond its grades. */
type BehaviourPart = "texts" | "structure";

/** Says if a candidate behaves differently, by what, or why that is not known. */
type BehaviourFound =
  | { state: "changed"; by: readonly BehaviourPart[] }
  | { state: "unchanged" }
  /** `few`: null where none has an answer of every run. */
  | { state: "too-few"; few: { size: UnitCount; needed: number } | null }
  | { state: "no-noise-floor"; isRepeated: boolean }
  | { state: "not-compared" };

/** Result of the test if a candidate behaves differently from the baseline, beyond the baseline's own variation. */
export type Behaviour = BehaviourFound & {
  /** Changes that so few cases could not have shown, when none was found; null if there are none. */
  unseen: { part: BehaviourPart; size: UnitCount } | null;
  /** Test of the texts, by relabelling within cases; null if there is nothing to relabel. */
  text: Relabelled | null;
  /** Tests of the structure, the most significant first; at most 50. */
  paths: PathTest[];
  /** Mean distance of the first answers; mean distance of the baseline to itself. */
  meanDistance: number | null;
  meanNoise: number | null;
  /** Cases in which the baseline was answered twice or more. */
  measured: number;
};

const mostPaths = 50;

/** The two questions, texts and structure, are decided together at alpha (Holm). */
export function behaviourOf(
  results: PairResults,
  { alpha, seed, clusterColumn }: { alpha: number; seed: string; clusterColumn: string | null },
): Behaviour {
  const tests = results.structure.tests(seed);
  const relabelled = results.texts.test(`${seed}/texts`);
  const text = relabelled.cases === 0 ? null : relabelled;
  const { meanDistance, meanNoise } = results;
  const measured = results.structure.measured();
  const about = {
    unseen: null,
    text,
    paths: tests.slice(0, mostPaths),
    meanDistance,
    meanNoise,
    measured: measured.cases,
  };
  if (results.counts.compared + results.counts.failed === 0) {
    return { ...about, state: "not-compared" };
  }
  if (about.measured === 0) {
    return { ...about, state: "no-noise-floor", isRepeated: results.repeated };
  }
  const structure = tests.reduce((least, { adjusted }) => Math.min(least, adjusted), 1);
  const [ofText, ofStructure] = holm([text?.greater.p ?? null, structure]);
  const by = [
    ...(ofText !== null && ofText !== undefined && ofText <= alpha ? ["texts" as const] : []),
    ...(ofStructure !== null && ofStructure !== undefined && ofStructure <= alpha ? ["structure" as const] : []),
  ];
  if (by.length === 0 && text === null && results.counts.compared > 0) return { ...about, state: "too-few", few: null };
  const size = unitCount({ clusters: measured.clusters, n: measured.cases }, clusterColumn);
  if (by.length === 0) {
    const unseen = unseenOf({ text, clusters: measured.clusters, alpha });
    if (unseen.length === (text === null ? 1 : 2)) {
      const needed = Math.max(fewestClusters, measured.clusters + 1);
      return { ...about, state: "too-few", few: { size, needed } };
    }
    const [part] = unseen;
    return { ...about, state: "unchanged", unseen: part === undefined ? null : { part, size } };
  }
  return { ...about, state: "changed", by };
}

/**
 * Changes that so few clusters could not have shown, however different they were. The least p of structure is that of
 * all of them differing, 2^-C; that of texts is at most 3^-C, since the answers of three runs can be labelled in three
 * ways.
 */
function unseenOf(given: { text: Relabelled | null; clusters: number; alpha: number }): BehaviourPart[] {
  const { text, clusters, alpha } = given;
  const tests = text === null ? 1 : 2;
  const isUnseen = (labels: number, count: number): boolean =>
    count < fewestClusters || tests * labels ** -count > alpha;
  return [
    ...(text !== null && isUnseen(3, text.units) ? ["texts" as const] : []),
    ...(isUnseen(2, clusters) ? ["structure" as const] : []),
  ];
}
