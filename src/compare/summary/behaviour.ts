import { holm } from "../../stats/multiplicity.ts";
import { fewestClusters } from "../../stats/difference.ts";
import type { Relabelled } from "../../stats/resampling/relabel.ts";
import { clusterNoun, clusterWords } from "../metrics/cluster-words.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { PathTest } from "../tallies/structure-tally.ts";

/** Result of the test if a candidate behaves differently from the baseline, beyond the baseline's own variation. */
export interface Behaviour {
  state: "changed" | "unchanged" | "too-few" | "no-noise-floor" | "not-compared";
  /** The reason for the decision, in words. */
  reason: string;
  /** Changes that so few cases could not have shown, when none was found; null if there are none. */
  unseen: string | null;
  /** Test of the texts, by relabelling within cases; null if there is nothing to relabel. */
  text: Relabelled | null;
  /** Tests of the structure, the most significant first; at most 50. */
  paths: PathTest[];
  /** Mean distance of the first answers; mean distance of the baseline to itself. */
  meanDistance: number | null;
  meanNoise: number | null;
  /** Cases in which the baseline was answered twice or more. */
  measured: number;
}

const mostPaths = 50;
const structureWord = "its structure";

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
    return { ...about, state: "not-compared", reason: "there is no row that is finished on both sides" };
  }
  if (about.measured === 0) {
    const why = results.repeated ? "no row has two answers of the baseline" : "the baseline ran once";
    const reason = `how much the baseline varies by itself is not known, because ${why}`;
    return { ...about, state: "no-noise-floor", reason };
  }
  const structure = tests.reduce((least, { adjusted }) => Math.min(least, adjusted), 1);
  const [ofText, ofStructure] = holm([text?.greater.p ?? null, structure]);
  const found = [
    ...(ofText !== null && ofText !== undefined && ofText <= alpha ? ["its texts"] : []),
    ...(ofStructure !== null && ofStructure !== undefined && ofStructure <= alpha ? [structureWord] : []),
  ];
  if (found.length === 0 && text === null && results.counts.compared > 0) {
    return { ...about, state: "too-few", reason: "too few rows to know: none has an answer of every run" };
  }
  if (found.length === 0) {
    const unseen = unseenOf({ text, clusters: measured.clusters, alpha });
    if (unseen.length === (text === null ? 1 : 2)) {
      const noun = measured.clusters === measured.cases ? "rows" : clusterNoun(clusterColumn);
      const needed = Math.max(fewestClusters, measured.clusters + 1);
      const reason = `too few ${noun} to know: ${measured.clusters}, and it takes ${needed} or more`;
      return { ...about, state: "too-few", reason };
    }
    const reason = "its texts and its structure differ no more from the baseline than the baseline from itself";
    const size = clusterWords(measured.clusters, measured.cases, clusterColumn) ?? `${measured.cases} rows`;
    const but = unseen.map((what) => `${what} alone would have to differ in more than ${size} to be more than chance`);
    return { ...about, state: "unchanged", reason, unseen: but[0] ?? null };
  }
  const differ = found.length === 1 && found[0] === structureWord ? "differs" : "differ";
  const reason = `${found.join(" and ")} ${differ} from the baseline more than the baseline from itself`;
  return { ...about, state: "changed", reason };
}

/**
 * Changes that so few clusters could not have shown, however different they were. The least p of structure is that of
 * all of them differing, 2^-C; that of texts is at most 3^-C, since the answers of three runs can be labelled in three
 * ways.
 */
function unseenOf(given: { text: Relabelled | null; clusters: number; alpha: number }): string[] {
  const { text, clusters, alpha } = given;
  const tests = text === null ? 1 : 2;
  const isUnseen = (labels: number, count: number): boolean =>
    count < fewestClusters || tests * labels ** -count > alpha;
  return [
    ...(text !== null && isUnseen(3, text.units) ? ["texts"] : []),
    ...(isUnseen(2, clusters) ? ["structure"] : []),
  ];
}
