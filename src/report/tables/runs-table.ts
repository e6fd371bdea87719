import type { EndpointName } from "../../api/endpoint-name.ts";
import { answerTextOf } from "../../compare/cases/answer.ts";
import { latencyOf, type Side } from "../../compare/cases/case-side.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import type { CaseResult, JobResult, JobScore } from "../../store/results/case-result.ts";
import { datasetCells, datasetColumns } from "./dataset-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { ColumnType, Table, TypedColumn } from "./table.ts";
import { tagsCell, tagsColumn } from "./tags-column.ts";

/** The columns of a table of runs before the dataset's own, in their order, which stays. */
const runColumns = {
  case_key: "text",
  row: "integer",
  target: "text",
  repeat: "integer",
  outcome: "text",
  answer_kind: "text",
  run_id: "text",
  url: "text",
  created_at: "time",
  output_text: "text",
  latency_ms: "integer",
  attempts: "integer",
  error: "text",
  expected: "text",
} as const satisfies Record<string, ColumnType>;

const runColumnList: readonly TypedColumn[] = Object.entries(runColumns).map(([name, type]) => ({ name, type }));

/** A target of the batch. */
interface RunTarget {
  targetId: number;
  target: string;
  endpoint: EndpointName;
}

/** The data for the lines of a table of runs besides the results; `columns`: the names of the dataset's columns. */
export interface RunsTable {
  targets: readonly RunTarget[];
  columns: readonly string[];
  /** The metrics of the scoring whose scores the results have; left out: none. */
  metrics?: readonly Metric[];
  /** True for a column with the tags of the case, for readers that know values within values. Default: false. */
  withTags?: boolean;
}

/** A case whose jobs may have scores, by the place of the metric. */
export interface RunsResult extends CaseResult {
  jobs: (JobResult & { scores?: readonly (JobScore | undefined)[] })[];
}

/**
 * One line per job, in the order of the dataset. An outcome is empty where the job is not finished;
 * `output_text` is what the target said, a function's return value too. Each metric has a column with its value, empty
 * where there is none, and one with `.pass` behind its name where that is not the same.
 */
export function tableOfRuns(results: Iterable<RunsResult>, about: RunsTable): Table {
  const { columns, rowsOf } = runsRows(about);
  return { columns, rows: allRows(results, rowsOf) };
}

function* allRows(
  results: Iterable<RunsResult>,
  rowsOf: (result: RunsResult, sides: null) => Cell[][],
): Generator<Cell[]> {
  for (const result of results) yield* rowsOf(result, null);
}

/** The lines of a table of runs, one case at a time. A case that was compared has been read already: its sides say what. */
export function runsRows({ targets, columns: names, metrics = [], withTags = false }: RunsTable): {
  columns: TypedColumn[];
  rowsOf: (result: RunsResult, sides: readonly Side[] | null) => Cell[][];
} {
  const scores = scoreColumns(metrics);
  const tags = withTags ? [tagsColumn] : [];
  const taken = [...runColumnList, ...tags, ...scores.columns];
  const columns = datasetColumns(
    names,
    taken.map(({ name }) => name),
  );
  const known = new Map(targets.map((target) => [target.targetId, target]));
  return {
    columns: [...taken, ...columns.map(({ header }) => ({ name: header, type: "text" as const }))],
    rowsOf: (result, sides) => {
      const row = datasetCells(columns, result.columns);
      const own = withTags ? [tagsCell(result)] : [];
      return result.jobs.flatMap((job) => {
        const target = known.get(job.targetId);
        return target === undefined
          ? []
          : [[...runCells(result, job, target, sides), ...own, ...scores.cells(job.scores), ...row]];
      });
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
  const said = side === undefined ? saidBy(job, endpoint) : side.answer;
  const latency = latencyOf(job);
  const cells = {
    case_key: result.key,
    row: result.row,
    target,
    repeat: job.repeat,
    outcome: job.outcome === null ? null : sideOutcome(job),
    answer_kind: job.answer,
    run_id: job.runId,
    url: job.url,
    created_at: job.createdAt,
    output_text: said,
    latency_ms: latency === null ? null : Math.round(latency),
    attempts: job.attempts,
    error: job.error,
    expected: result.expected,
  } satisfies Record<keyof typeof runColumns, Cell>;
  return Object.values(cells);
}

function saidBy({ outcome, body }: JobResult, endpoint: EndpointName): string | null {
  return outcome === "ok" ? answerTextOf(endpoint, body) : null;
}

/** The columns of the metrics, and their cells for one job. */
function scoreColumns(metrics: readonly Metric[]): {
  columns: TypedColumn[];
  cells: (scores: readonly (JobScore | undefined)[] | undefined) => Cell[];
} {
  // A score of pass or fail is 1 or 0: to say so twice would say nothing.
  const hasPass = metrics.map(({ passes, scale }) => passes && scale.kind !== "pass");
  return {
    columns: metrics.flatMap(({ name }, place): TypedColumn[] => [
      { name: freeName(name), type: "number" },
      ...(hasPass[place] === true ? [{ name: `${name}.pass`, type: "boolean" as const }] : []),
    ]),
    cells: (scores) =>
      metrics.flatMap((_, place) => {
        const score = scores?.[place];
        const value = score?.value ?? null;
        return hasPass[place] === true ? [value, score?.pass ?? null] : [value];
      }),
  };
}

/** A metric may be called like a column that is there already. */
const freeName = (name: string): string => (Object.hasOwn(runColumns, name) ? `score.${name}` : name);
