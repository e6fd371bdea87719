import { compareCases } from "../../src/compare/comparison.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import type { RunSummary } from "../../src/report/run-summary.ts";
import type { PairedResult } from "../../src/compare/case-comparison.ts";
import { settings as both } from "../compare/case-result.ts";

/** The summary of a batch with these cases. */
export function summaryOf(
  results: Iterable<PairedResult>,
  given: Partial<RunSummary> = {},
  settings: Partial<ComparisonSettings> = {},
): RunSummary {
  return {
    batch: "help-desk-20261120-193012",
    suite: "help-desk",
    state: "finished",
    reason: null,
    startedAt: "2026-11-20T19:30:12.000Z",
    durationMs: 12_345,
    comparison: compareCases(results, { ...both, ...settings }),
    stopped: [],
    inDoubt: { open: 0, held: 0, failed: 0, cases: [] },
    possiblyPaidTwice: 0,
    files: [
      { path: "results/help-desk-20261120-193012/runs.csv", about: "one line per job" },
      { path: "results/help-desk-20261120-193012/comparison.csv", about: "one line per case" },
      { path: "results/tandem.db", about: "every batch" },
    ],
    next: "tandem compare latest",
    ...given,
  };
}
