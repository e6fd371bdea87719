import type { z } from "zod";
import type { ReportChange, ReportRow, ReportRun, ReportSummary } from "../../shape/model.ts";
import type { reportFile } from "./report-schema.ts";
import type { ReportFrame, Reporter } from "../../shape/reporter.ts";
import { escapedControls, jsonText } from "../../../lib/json.ts";
import { timedAlarm } from "../../model/timed-alarm.ts";
import { questionOfRow } from "../../model/row-figures.ts";
import { type ShownRun, shownRuns } from "../../model/shown-runs.ts";
import { type WorstRow, worstRows } from "../../model/worst-rows.ts";

const mostRows = 50;

/** `report.json`: the summary for programs, and the rows to look at. */
export function jsonReport(frame: ReportFrame): Reporter {
  const worst = worstRows(mostRows);
  return {
    start: "",
    wants: ({ rank }) => worst.wants(rank),
    add(each) {
      worst.add(each);
      return "";
    },
    end: (summary) => `${escapedControls(jsonText(fileOf(summary, worst.rows(), frame), 2))}\n`,
  };
}

function fileOf(summary: ReportSummary, rows: readonly WorstRow[], frame: ReportFrame): z.input<typeof reportFile> {
  const { past: _past, tags: _tags, startedAt, ...told } = summary;
  return {
    ...told,
    startedAt: new Date(startedAt).toISOString(),
    alarms: told.alarms.map(timedAlarm),
    behaviour: told.behaviour.map((each) => ({ ...each, kinds: { ...each.kinds } })),
    rows: rows.map((each) => {
      const { baseline, candidate } = shownRuns(each, frame);
      return { ...rowOf(each.row, each.change, frame), baseline: sideOf(baseline), now: sideOf(candidate) };
    }),
  };
}

function rowOf(of: ReportRow, change: ReportChange, { targets }: ReportFrame) {
  const { key, row, file, tags, expected } = of;
  const { candidate, kind, trend, distance, excess } = change;
  const flaky = targets.filter((_, place) => of.sides[place]?.flaky === true);
  const question = questionOfRow(of);
  return { key, row, file, candidate, change: kind, trend, flaky, distance, excess, tags, question, expected };
}

function runOf({ repeat, outcome, answer, error, runId, url, createdAt, latencyMs, scores }: ReportRun) {
  return { repeat, outcome, answer, error, runId, url, createdAt, latencyMs, scores };
}

function sideOf({ run }: ShownRun) {
  return run === null ? null : runOf(run);
}
