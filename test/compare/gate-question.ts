import type { MarginQuestion } from "../../src/compare/summary/gate-shapes.ts";
import { inferenceOf } from "../../src/stats/paired/inference.ts";
import { comparisonOf } from "../../src/stats/paired/paired-comparison.ts";
import type { PairedData } from "../../src/stats/paired/paired-data.ts";

interface Given extends Partial<Omit<MarginQuestion, "inferred" | "kind">> {
  margin: number;
  alpha?: number;
  seed?: string;
}

/** What a gate with this margin asks of some differences. */
export function questionOf(data: PairedData, { alpha = 0.05, seed = "1", ...given }: Given): MarginQuestion {
  const inference = inferenceOf(data, seed);
  const options = { margin: given.margin, confidence: 1 - alpha, seed };
  return {
    kind: "margin",
    metric: "correct",
    of: "pass",
    candidate: "test",
    baseline: "prod",
    slice: null,
    figures: null,
    invalid: null,
    lossOf: (margin) => margin,
    inferred: { inference, comparison: comparisonOf(inference, options), counts: data.counts },
    noise: null,
    gaps: null,
    unable: null,
    fixedBaseline: false,
    clusterColumn: null,
    chosen: null,
    headroom: null,
    floorCause: null,
    instead: [],
    repeatFirst: false,
    countRows: null,
    values: 1,
    looked: null,
    range: data.range,
    outside: null,
    ...given,
  };
}
