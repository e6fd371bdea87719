import type { EndpointName } from "../../api/endpoint-name.ts";
import { answerTextOf } from "../../compare/cases/answer.ts";
import { latencyOf, type Side } from "../../compare/cases/case-side.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import type { CaseResult, JobResult, JobScore } from "../../store/results/case-result.ts";
import { csvText, type TableOptions } from "./csv.ts";
import { datasetCells, datasetColumns } from "./dataset-columns.ts";
import type { Cell } from "./spreadsheet.ts";

/** The columns of `runs.csv` before the dataset's own, in their order, which stays. */
const runColumns = [
  "case_key",
  "row",
  "target",
  "repeat",
  "outcome",
  "answer",
  "run_id",
  "url",
  "created_at",
  "output_text",
  "latency_ms",
  "attempts",
  "error",
  "expected",
] as const;

/** A target of the batch. */
interface RunTarget {
  targetId: number;
  target: string;
  endpoint: EndpointName;
}

/** The data for the lines of `runs.csv` besides the results; `columns`: the names of the dataset's columns. */
export interface RunsTable {
  targets: readonly RunTarget[];
  columns: readonly string[];
  /** The metrics of the scoring whose scores the results have; left out: none. */
  metrics?: readonly Metric[];
}

/** A case whose jobs may have scores, by the place of the metric. */
export interface RunsResult extends CaseResult {
  jobs: (JobResult & { scores?: readonly (JobScore | undefined)[] })[];
}

/**
 * `runs.csv`: one line per job, in the order of the dataset. An outcome is empty where the job is not finished;
 * `output_text` is what the target said, a function's return value too. Each metric has a column with its value, empty
 * where there is none, and one with `.pass` behind its name where that is not the same.
 */
export function runsCsv(results: Iterable<RunsResult>, table: RunsTable, options: TableOptions): Generator<string> {
  return csvText(allRows(results, table), options);
}

function* allRows(results: Iterable<RunsResult>, table: RunsTable): Generator<Cell[]> {
  const { header, rowsOf } = runsRows(table);
  yield header;
  for (const result of results) yield* rowsOf(result, null);
}

/** The lines of `runs.csv`, one case at a time. A case that was compared has been read already: its sides say what. */
export function runsRows({ targets, columns: names, metrics = [] }: RunsTable): {
  header: Cell[];
  rowsOf: (result: RunsResult, sides: readonly Side[] | null) => Cell[][];
} {
  const scores = scoreColumns(metrics);
  const columns = datasetColumns(names, runColumns, scores.names);
  const known = new Map(targets.map((target) => [target.targetId, target]));
  return {
    header: [...runColumns, ...scores.names, ...columns.map(({ header }) => header)],
    rowsOf: (result, sides) => {
      const row = datasetCells(columns, result.columns);
      return result.jobs.flatMap((job) => {
        const target = known.get(job.targetId);
        return target === undefined
          ? []
          : [[...runCells(result, job, target, sides), ...scores.cells(job.scores), ...row]];
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
    answer: job.answer,
    run_id: job.runId,
    url: job.url,
    created_at: job.createdAt,
    output_text: said,
    latency_ms: latency === null ? null : Math.round(latency),
    attempts: job.attempts,
    error: job.error,
    expected: result.expected,
  } satisfies Record<(typeof runColumns)[number], Cell>;
  return runColumns.map((name) => cells[name]);
}

function saidBy({ outcome, body }: JobResult, endpoint: EndpointName): string | null {
  return outcome === "ok" ? answerTextOf(endpoint, body) : null;
}

/** The columns of the metrics, and their cells for one job. */
function scoreColumns(metrics: readonly Metric[]): {
  names: string[];
  cells: (scores: readonly (JobScore | undefined)[] | undefined) => Cell[];
} {
  // A score of pass or fail is 1 or 0: to say so twice would say nothing.
  const hasPass = metrics.map(({ passes, scale }) => passes && scale.kind !== "pass");
  return {
    names: metrics.flatMap(({ name }, place) => [freeName(name), ...(hasPass[place] === true ? [`${name}.pass`] : [])]),
    cells: (scores) =>
      metrics.flatMap((_, place) => {
        const score = scores?.[place];
        const value = score?.value ?? null;
        return hasPass[place] === true ? [value, score?.pass ?? null] : [value];
      }),
  };
}

/** A metric may be called like a column that is there already. */
const freeName = (name: string): string => (runColumns.some((column) => column === name) ? `score.${name}` : name);
