import {
  differenceOf,
  figuresOf,
  type PairedComparison,
  type PairedData,
  type PairedOptions,
} from "../../src/stats/difference.ts";

/** Infers, and gives the figures alone. */
export function comparePairs(data: PairedData, options: PairedOptions): PairedComparison {
  return figuresOf(differenceOf(data), options);
}
