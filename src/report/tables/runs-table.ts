import { shownOutcomes } from "../../api/outcomes.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { answerTextOf } from "../../compare/cases/answer.ts";
import { latencyOf, type Run, type Side } from "../../compare/cases/case-side.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import type { CaseResult, JobResult, JobScore } from "../../store/results/case-result.ts";
import { type CsvColumn, jobColumnList } from "../../store/results/columns.ts";
import { datasetCells, datasetColumns, tagsCell, tagsColumn, typedColumn } from "./sheet-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { TableOfCases, TypedColumn } from "./table.ts";

/** A run with what stands beside it in its line. */
interface RunLine extends Pick<Run, "job" | "outcome" | "answer"> {
  result: CaseResult;
  target: string;
}

interface RunColumn extends CsvColumn {
  about: string;
  of: (line: RunLine) => Cell;
}

const madeColumns: readonly RunColumn[] = [
  { at: 1, name: "case_key", type: "text", about: "Key of the case.", of: ({ result }) => result.key },
  {
    at: 2,
    name: "row",
    type: "integer",
    about: "Row of the sheet, as a spreadsheet numbers it.",
    of: ({ result }) => result.row,
  },
  { at: 3, name: "target", type: "text", about: "Name of the target.", of: ({ target }) => target },
  {
    at: 5,
    name: "outcome",
    type: "text",
    values: shownOutcomes,
    about:
      "Kind of its answer for a run record, else the outcome of the job; empty while it is not finished. See errors.md.",
    of: ({ job, outcome }) => (job.outcome === null ? null : outcome),
  },
  { at: 14, name: "expected", type: "text", about: "The expected answer.", of: ({ result }) => result.expected },
  ...jobColumnList.flatMap(({ column: { csv, about = "" }, of }) =>
    csv === undefined ? [] : [{ ...csv, about, of: ({ job }: RunLine) => of(job) }],
  ),
  { at: 10, name: "output_text", type: "text", about: "Text of the answer.", of: ({ answer }) => answer },
  {
    at: 11,
    name: "latency_ms",
    type: "integer",
    about: "Milliseconds from the first byte sent to the last received.",
    of: ({ job }) => rounded(latencyOf(job)),
  },
];

/** The columns of a table of runs before the dataset's own, in their order, which stays. */
export const runColumns = madeColumns.toSorted((one, other) => one.at - other.at);

const runColumnNames: ReadonlySet<string> = new Set(runColumns.map(({ name }) => name));

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

/** A target of the batch. */
interface RunTarget {
  targetId: number;
  target: string;
  endpoint: EndpointName;
}

/** The data for the lines of a table of runs besides the results. */
export interface RunsFrame {
  targets: readonly RunTarget[];
  /** Names of the dataset's columns. */
  columns: readonly string[];
  /** The metrics of the scoring whose scores the results have. */
  metrics?: readonly Metric[];
  /** True for a column with the tags of the case, for readers that know values within values. Default: false. */
  withTags?: boolean;
}

/**
 * One line per job, in the order of the dataset. An outcome is empty where the job is not finished;
 * `output_text` is what the target said, a function's return value too. Each metric has a column with its value, empty
 * where there is none, and one with `.pass` behind its name where that is not the same. A case that was compared has been read
 * already: its sides say what.
 */
export function runsTable({ targets, columns: sheet, metrics = [], withTags = false }: RunsFrame): TableOfCases<null> {
  const scores = scoreColumns(metrics);
  const tags = withTags ? [tagsColumn] : [];
  const names = targets.map(({ target }) => target);
  const own = runColumns.map((column) => (column.name === "target" ? { ...column, values: names } : column));
  const taken = [...own, ...tags, ...scores.columns];
  const columns = datasetColumns(
    sheet,
    taken.map(({ name }) => name),
  );
  const known = new Map(targets.map((target) => [target.targetId, target]));
  return {
    name: "Runs",
    columns: [...taken, ...columns.map(typedColumn)],
    linesOf: (result, compared) => {
      const tagCells = withTags ? [tagsCell(result)] : [];
      const row = datasetCells(columns, result.columns);
      const lines: Cell[][] = [];
      for (const job of result.jobs) {
        const target = known.get(job.targetId);
        if (target === undefined) continue;
        const cells = runCells(result, job, target, compared?.sides ?? null);
        // One by one: lists that are put together cost more than all that is in them.
        for (const cell of tagCells) cells.push(cell);
        scores.add(cells, job.scores);
        for (const cell of row) cells.push(cell);
        lines.push(cells);
      }
      return lines;
    },
  };
}

function runCells(
  result: CaseResult,
  job: JobResult,
  { target, endpoint }: RunTarget,
  sides: readonly Side[] | null,
): Cell[] {
  // Only first repeats are compared.
  const side = job.repeat === 1 ? sides?.find((each) => each.target === target) : undefined;
  const answer = side === undefined ? saidBy(job, endpoint) : side.answer;
  const line = { result, job, target, answer, outcome: sideOutcome(job) };
  const cells: Cell[] = [];
  for (const { of } of runColumns) cells.push(of(line));
  return cells;
}

function saidBy({ outcome, body }: JobResult, endpoint: EndpointName): string | null {
  return outcome === "ok" ? answerTextOf(endpoint, body) : null;
}

/** The columns of the metrics, and how their cells for one job are added to its line. */
function scoreColumns(metrics: readonly Metric[]): {
  columns: TypedColumn[];
  add: (cells: Cell[], scores: readonly (JobScore | undefined)[]) => void;
} {
  // A score of pass or fail is 1 or 0: to say so twice would say nothing.
  const hasPass = metrics.map(({ passes, scale }) => passes && scale.kind !== "pass");
  return {
    columns: metrics.flatMap(({ name }, place): TypedColumn[] => [
      { name: freeName(name), type: "number" },
      ...(hasPass[place] === true ? [{ name: `${name}.pass`, type: "boolean" as const }] : []),
    ]),
    add: (cells, scores) => {
      for (let place = 0; place < metrics.length; place++) {
        const score = scores[place];
        cells.push(score?.value ?? null);
        if (hasPass[place] === true) cells.push(score?.pass ?? null);
      }
    },
  };
}

/** A metric may be called like a column that is there already. */
const freeName = (name: string): string => (runColumnNames.has(name) ? `score.${name}` : name);
