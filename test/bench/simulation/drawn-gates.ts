import { type ComparedMetric, lossOf, marginGate } from "../../../src/compare/comparison-plan.ts";
import { countedCase } from "../../../src/compare/cases/case-turn.ts";
import { sideValue } from "../../../src/compare/cases/side-value.ts";
import type { AskedGate } from "../../../src/compare/verdict/kind.ts";
import { askGates } from "../../../src/compare/verdict/ask.ts";
import type { GateFacts } from "../../../src/compare/verdict/facts.ts";
import { decideGates, gateFindings } from "../../../src/compare/verdict/decide.ts";
import { type CaseGroups, inferredUnder, judgedCases } from "../../../src/compare/metrics/metric-inference.ts";
import { slicedMetrics } from "../../../src/compare/summary/sliced-metrics.ts";
import { sliceSummaries, type SliceSummary } from "../../../src/compare/summary/slices.ts";
import { type WorsePlace, worsePlaces } from "../../../src/compare/summary/places.ts";
import { metricTally } from "../../../src/compare/tallies/metric-tally.ts";
import type { PairResults } from "../../../src/compare/tallies/pair-results.ts";
import { SliceIndex } from "../../../src/compare/tallies/slices.ts";
import type { Metric } from "../../../src/score/contract/scorer.ts";
import { passing, prod, unfinished } from "../../compare/case-result.ts";

/** Scores of a case on both sides; of passes and fails 1 and 0. */
export interface DrawnCase {
  baseline: number;
  candidate: number;
  /** Number of its conversation; left out: it is its own. */
  cluster?: number;
  tags?: Readonly<Record<string, string>>;
}

const levels = { alpha: 0.05, passAlpha: 0.05 };
const noTags = {};

/** The state of each gate of a metric, by the product's own tallies, questions and gates. */
export function drawnStates(compared: ComparedMetric, cases: readonly DrawnCase[], seed: string) {
  return gateFindings(drawnQuestions(compared, cases, seed), levels);
}

/** The same with all that a gate tells: its bounds, its advice, its smallest drop. */
export function drawnResults(compared: ComparedMetric, cases: readonly DrawnCase[], seed: string): GateFacts[] {
  return decideGates(drawnQuestions(compared, cases, seed), levels);
}

/** Values of tags, as a comparison tells them, and the places that it calls surely worse. */
export function drawnSlices(
  compared: ComparedMetric,
  cases: readonly DrawnCase[],
): { slices: SliceSummary[]; places: WorsePlace[] } {
  const results = tallied(compared, cases);
  const cells = slicedMetrics([compared], results);
  const { slices } = sliceSummaries(cells, results, { stop: null, chosen: null, primary: compared });
  return { slices, places: worsePlaces(cells, results) };
}

/** The questions of the gates of a metric; `given`: more that is known of the cases. */
export function drawnQuestions(
  compared: ComparedMetric,
  cases: readonly DrawnCase[],
  seed: string,
  given: Partial<Pick<PairResults, "groupColumns">> = {},
): AskedGate[] {
  return questionsOf(compared, { ...tallied(compared, cases), expectedLength: null, ...given }, seed);
}

/** What is collected of drawn cases, by the product's own tallies. */
export function tallied(compared: ComparedMetric, cases: readonly DrawnCase[]) {
  const tally = metricTally(compared);
  const index = new SliceIndex();
  for (const { baseline, candidate, tags = noTags } of cases) {
    const values = { baseline: valueOf(baseline, compared), candidate: valueOf(candidate, compared) };
    tally.add(countedCase(compared, values, { expectedDiffers: false }));
    index.add(tags);
  }
  const isClustered = cases.some(({ cluster }) => cluster !== undefined);
  const clusters = isClustered ? Int32Array.from(cases, ({ cluster }, place) => cluster ?? place) : null;
  const groups = { clusters, questions: null, asked: null, sent: new Int32Array(0) };
  return { metrics: [tally.numbers()], ...groups, slices: index.slices() };
}

type Tallied = Pick<PairResults, "metrics" | "slices" | "expectedLength" | "groupColumns"> & CaseGroups;

/** The state of each gate of the first metric of what was tallied. */
export function statesOf(compared: ComparedMetric, results: Tallied, seed: string) {
  return gateFindings(questionsOf(compared, results, seed), levels);
}

function questionsOf(compared: ComparedMetric, results: Tallied, seed: string): AskedGate[] {
  const [numbers] = results.metrics;
  if (numbers === undefined) return [];
  const { alpha, passAlpha } = levels;
  const margin = lossOf(compared, marginGate(compared)?.margin ?? 0);
  const options = { margin, confidence: 1 - alpha, passConfidence: 1 - passAlpha };
  const cases = judgedCases(compared, numbers, results);
  return askGates({
    metrics: [compared],
    results,
    candidate: "test",
    baseline: "prod",
    ...levels,
    seed,
    fixedBaseline: false,
    clusterColumn: null,
    stop: null,
    chosen: null,
    overall: [{ inferred: inferredUnder({ stop: null, chosen: null }, cases, options), noise: null }],
  });
}

function valueOf(value: number, compared: ComparedMetric) {
  const score = { value, pass: compared.metric.passes ? value === 1 : null, reason: null };
  return sideValue([unfinished(prod, { outcome: "ok", scores: [score] })], compared);
}

/** A score without pass or fail, compared by its mean, its median or its ratio, with a gate. */
export function scoreGate(
  of: "value" | "median" | "ratio",
  margin: number,
  scale: Metric["scale"] = unbounded,
): ComparedMetric {
  const metric = passing({ name: "score", type: "python", passes: false, scale, lowerIsBetter: of === "ratio" });
  return { ...metric, of, gates: [{ kind: "margin", margin, by: null }] };
}

const unbounded: Metric["scale"] = { kind: "unbounded", unit: null };

/** A pass rate with gates: over all cases, and over the values of a tag. */
export function passGate(margin: number, by: readonly (string | null)[] = [null]): ComparedMetric {
  return { ...passing(), gates: by.map((tag) => ({ kind: "margin", margin, by: tag })) };
}
