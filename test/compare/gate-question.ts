import type { MarginQuestion } from "../../src/compare/summary/gate-shapes.ts";
import { differenceOf, pairedFigures, type PairedData } from "../../src/stats/difference.ts";

interface Given extends Partial<Omit<MarginQuestion, "inferred" | "kind">> {
  margin: number;
  alpha?: number;
}

/** What a gate with this margin asks of some differences. */
export function questionOf(data: PairedData, { alpha = 0.05, ...given }: Given): MarginQuestion {
  const difference = differenceOf(data);
  const options = { margin: given.margin, confidence: 1 - alpha };
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
    inferred: { difference, comparison: pairedFigures(difference, options) },
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
