import type { AskedOf } from "../../src/compare/verdict/kind.ts";
import { marginBasis } from "../../src/compare/verdict/margin-basis.ts";
import type { MarginNumbers } from "../../src/compare/verdict/numbers.ts";
import { differenceOf, pairedFigures, type PairedData } from "../../src/stats/difference.ts";

interface Given extends Partial<Omit<MarginNumbers, "inferred" | "about">> {
  margin: number;
  alpha?: number;
  candidate?: string;
}

/** A gate with this margin on some differences. */
export function questionOf(data: PairedData, { alpha = 0.05, candidate = "test", ...given }: Given): AskedOf<"margin"> {
  const difference = differenceOf(data);
  const options = { margin: given.margin, confidence: 1 - alpha };
  const about = { metric: "correct", of: "pass" as const, candidate, baseline: "prod", slice: null };
  const numbers: MarginNumbers = {
    about,
    lossOf: (margin) => margin,
    inferred: { difference, comparison: pairedFigures(difference, options) },
    noise: null,
    gapsOfSide: null,
    fixedBaseline: false,
    clusterColumn: null,
    headroom: null,
    floorPasses: null,
    instead: [],
    repeatFirst: false,
    countRows: null,
    values: 1,
    looked: null,
    range: data.range,
    outsideRange: null,
    ...given,
  };
  const nothing = { decided: null, sureLoss: null, smallestDrop: null, noSmallestDrop: null, settle: null };
  return {
    kind: "margin",
    facts: { ...about, kind: "margin", figures: null, margin: given.margin, ...nothing },
    basis: marginBasis(numbers, { invalid: null, scorerFault: null, chosen: null }),
  };
}
