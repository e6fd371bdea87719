import type { ReportChange, ReportRow, ReportRun, ReportSummary, ReportResult } from "../../shape/model.ts";
import type { ReportFrame, Reporter } from "../../shape/reporter.ts";
import { type JsonMembers, jsonMembers } from "../../../store/results/columns.ts";
import { escapedControls, jsonText } from "../../../lib/json.ts";
import { questionOfRow } from "../../model/row-figures.ts";
import { type ShownRun, shownRuns } from "../../model/shown-runs.ts";
import { type WorstRow, worstRowsReporter } from "../../model/worst-rows.ts";

const mostRows = 50;

// `npm run generate` makes the published JSON Schema of this type and of those that it leads to, with their comments.
/** The result of a batch, as `tandem run` and `tandem report -o report.json` write it. */
export type ReportJson = ReportResult & {
  /** At most 50 rows to look at, the worst first; all rows are in comparison.csv and runs.csv. */
  rows: RowJson[];
};

/** A row to look at, as one candidate has it. */
type RowJson = Pick<ReportRow, "key" | "row" | "file" | "tags" | "expected"> &
  Pick<ReportChange, "candidate" | "trend" | "distance" | "excess"> & {
    /** Kind of change, as in comparison.csv. */
    change: ReportChange["kind"];
    /** Targets of which some tries pass and some do not. */
    flaky: string[];
    /** The prompt, or what stands in its place. */
    question: string;
    /** The run that shows best what became of it: see `repeat`; null: there is none. */
    baseline: RunJson | null;
    /** The run of the candidate that does: see `repeat`; null: there is none. */
    now: RunJson | null;
  };

/** A run of a row to look at. */
type RunJson = JsonMembers & Pick<ReportRun, "outcome" | "answer" | "latencyMs" | "scores">;

/** `report.json`: the summary for programs, and the rows to look at. */
export function jsonReport(frame: ReportFrame): Reporter {
  return worstRowsReporter(mostRows, (rows) => ({
    end: (summary) => escapedControls(jsonText(withoutRows(summary), 2)).slice(0, -noRows.length),
    rest: () => rowsText(rows(), frame),
  }));
}

const noRows = "[]\n}";

/** The list of the rows and the end of the file; a row with long answers is made when it is written. */
function* rowsText(rows: readonly WorstRow[], frame: ReportFrame): Iterable<string> {
  for (const [place, row] of rows.entries()) {
    const text = escapedControls(jsonText(rowOf(row, frame), 2)).replaceAll("\n", "\n    ");
    yield `${place === 0 ? "[" : ","}\n    ${text}`;
  }
  yield rows.length === 0 ? `${noRows}\n` : "\n  ]\n}\n";
}

function withoutRows({
  past: _past,
  tags: _tags,
  columns: _columns,
  fields: _fields,
  ...result
}: ReportSummary): ReportJson {
  return { ...result, rows: [] };
}

function rowOf(worst: WorstRow, frame: ReportFrame): RowJson {
  const { key, row, file, tags, expected, sides } = worst.row;
  const { candidate, kind, trend, distance, excess } = worst.change;
  const shown = shownRuns(worst, frame);
  return {
    key,
    row,
    file,
    candidate,
    change: kind,
    trend,
    flaky: frame.targets.filter((_, place) => sides[place]?.flaky === true),
    distance,
    excess,
    tags,
    question: questionOfRow(worst.row),
    expected,
    baseline: sideOf(shown.baseline),
    now: sideOf(shown.candidate),
  };
}

function sideOf({ run }: ShownRun): RunJson | null {
  if (run === null) return null;
  const { repeat, outcome, answer, latencyMs, scores } = run;
  return Object.assign({ repeat, outcome, answer }, jsonMembers(run), { latencyMs, scores });
}
