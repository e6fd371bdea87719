import { type ComparisonSettings, comparisonStream } from "../../src/compare/comparison.ts";
import { reportRow, rowSummary } from "../../src/report/model/model-row.ts";
import { reportSummary } from "../../src/report/model/model-summary.ts";
import { modelTally } from "../../src/report/model/model-tally.ts";
import type { RunSummary } from "../../src/report/shape/run-summary.ts";
import type { Reported } from "../../src/report/terminal/terminal.ts";
import { worstRows } from "../../src/report/model/worst-rows.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { settings as both } from "../compare/case-result.ts";

/** The summary and the model of a batch with these cases. */
export function toldOf(
  results: Iterable<PairedResult>,
  given: Partial<RunSummary> = {},
  settings: Partial<ComparisonSettings> = {},
): Reported {
  const comparisonPlan = { ...both, ...settings };
  const stream = comparisonStream(comparisonPlan);
  const tally = modelTally(comparisonPlan);
  const worst = worstRows(5);
  let place = 0;
  for (const result of results) {
    const compared = stream.add(result);
    tally.add(result, compared);
    place += 1;
    if (worst.wants(rowSummary(compared).rank)) worst.add(reportRow(result, compared, comparisonPlan, place));
  }
  const comparison = stream.summary();
  const summary = { ...runSummary, comparison, ...given };
  const { batch: name, suite, state, reason, durationMs } = summary;
  const model = reportSummary({
    version: "1",
    batch: { name, suite, state, reason, startedAt: Date.parse(summary.startedAt), durationMs },
    comparison,
    comparisonPlan,
    counts: tally.counts(),
    origins: [],
    past: [],
    alarms: [],
    judges: summary.judges,
  });
  return { summary, model, worst: worst.rows() };
}

const runSummary = {
  batch: "help-desk-20261120-193012",
  suite: "help-desk",
  state: "finished",
  reason: null,
  startedAt: "2026-11-20T19:30:12.000Z",
  durationMs: 12_345,
  refused: null,
  nextWhy: "look at the rows that got worse",
  stopped: [],
  inDoubt: { open: 0, held: 0, failed: 0, cases: [], atService: 0, reattached: 0 },
  possiblyPaidTwice: 0,
  possiblyPaid: { gateway: 0, other: 0 },
  outages: [],
  judges: [],
  alarms: [],
  files: [
    { path: "results/help-desk-20261120-193012/report.html", about: "the result for people" },
    { path: "results/help-desk-20261120-193012/comparison.csv", about: "one line per case" },
    { path: "results/tandem.db", about: "every batch" },
  ],
  next: "tandem view",
} satisfies Omit<RunSummary, "comparison">;
