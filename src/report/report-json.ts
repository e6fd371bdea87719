import type { z } from "zod";
import type { ReportChange, ReportRow, ReportRun, ReportSummary } from "./model.ts";
import type { reportFile } from "./report-schema.ts";
import type { ReportFrame, Reporter } from "./reporter.ts";
import { questionOf } from "./row-head.ts";
import { type WorstRow, worstRows } from "./worst-rows.ts";

const mostRows = 50;

/** `report.json`: the summary for programs, and the rows to look at. */
export function jsonReport({ targets }: ReportFrame): Reporter {
  const worst = worstRows(mostRows);
  return {
    start: "",
    wants: ({ rank }) => worst.wants(rank),
    add(each) {
      worst.add(each);
      return "";
    },
    end: (summary) => `${JSON.stringify(fileOf(summary, worst.rows(), targets), null, 2)}\n`,
  };
}

function fileOf(
  summary: ReportSummary,
  rows: readonly WorstRow[],
  targets: readonly string[],
): z.input<typeof reportFile> {
  const { past: _past, tags: _tags, startedAt, ...told } = summary;
  const sideOf = (of: ReportRow, name: string | undefined) => {
    const first = of.sides[targets.indexOf(name ?? "")]?.runs[0];
    return first === undefined ? null : runOf(first);
  };
  return {
    ...told,
    startedAt: new Date(startedAt).toISOString(),
    behaviour: told.behaviour.map((each) => ({ ...each, kinds: { ...each.kinds } })),
    rows: rows.map(({ row: of, change, pair }) => ({
      ...rowOf(of, change),
      baseline: sideOf(of, summary.pairs[pair]?.baseline),
      now: sideOf(of, summary.pairs[pair]?.candidate),
    })),
  };
}

function rowOf(of: ReportRow, { candidate, kind, trend, distance, excess }: ReportChange) {
  const { key, tags, expected } = of;
  return { key, candidate, change: kind, trend, distance, excess, tags, question: questionOf(of), expected };
}

function runOf({ repeat, outcome, answer, error, runId, url, createdAt, latencyMs, scores }: ReportRun) {
  return { repeat, outcome, answer, error, runId, url, createdAt, latencyMs, scores };
}
