import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { type Comparison, type ComparisonSettings, comparisonStream } from "../../src/compare/comparison.ts";

/** Compares all cases at once and gives only the summary. */
export function compareCases(results: Iterable<PairedResult>, settings: ComparisonSettings): Comparison {
  const stream = comparisonStream(settings);
  for (const result of results) stream.add(result);
  return stream.summary();
}
