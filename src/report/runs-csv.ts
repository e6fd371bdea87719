import type { Endpoint } from "../api.ts";
import { answerText } from "../compare/answer.ts";
import { latencyOf, type Side } from "../compare/case-side.ts";
import type { CaseResult, JobResult } from "../store/results.ts";
import { csvText } from "./csv.ts";
import { datasetCells, datasetColumns } from "./dataset-columns.ts";
import type { Cell, SpreadsheetOptions } from "./spreadsheet.ts";

/** The columns of `runs.csv` before the dataset's own, in their order, which stays. */
const runColumns = [
  "case_key",
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
export interface RunTarget {
  targetId: number;
  target: string;
  endpoint: Endpoint;
}

/** What the lines of `runs.csv` need besides the results; `columns`: the names of the dataset's columns. */
export interface RunsTable {
  targets: readonly RunTarget[];
  columns: readonly string[];
}

/**
 * `runs.csv`: one line per job, in the order of the dataset. An outcome is empty where the job is not finished;
 * `output_text` is what the target said, a function's return value too.
 */
export function runsCsv(
  results: Iterable<CaseResult>,
  table: RunsTable,
  options: SpreadsheetOptions,
): Generator<string> {
  return csvText(allRows(results, table), options);
}

function* allRows(results: Iterable<CaseResult>, table: RunsTable): Generator<Cell[]> {
  const { header, rowsOf } = runsRows(table);
  yield header;
  for (const result of results) yield* rowsOf(result, null);
}

/** The lines of `runs.csv`, one case at a time. A case that was compared has been read already: its sides say what. */
export function runsRows({ targets, columns: names }: RunsTable): {
  header: Cell[];
  rowsOf: (result: CaseResult, sides: readonly Side[] | null) => Cell[][];
} {
  const columns = datasetColumns(names, runColumns);
  const known = new Map(targets.map((target) => [target.targetId, target]));
  return {
    header: [...runColumns, ...columns.map(({ header }) => header)],
    rowsOf: (result, sides) => {
      const row = datasetCells(columns, result.columns);
      return result.jobs.flatMap((job) => {
        const target = known.get(job.targetId);
        return target === undefined ? [] : [[...runCells(result, job, target, sides), ...row]];
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
    target,
    repeat: job.repeat,
    outcome: job.outcome,
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

function saidBy({ outcome, body }: JobResult, endpoint: Endpoint): string | null {
  return outcome === "ok" ? answerText(endpoint, body) : null;
}
