import {
  differenceOf,
  pairedFigures,
  type PairedComparison,
  type PairedData,
  type PairedOptions,
} from "../../src/stats/difference.ts";

/** Infers, and gives the figures alone. */
export function comparePairs(data: PairedData, options: PairedOptions): PairedComparison {
  return pairedFigures(differenceOf(data), options);
}
