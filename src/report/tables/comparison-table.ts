import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { Difference } from "../../compare/cases/case-change.ts";
import type { Side } from "../../compare/cases/case-side.ts";
import { isFlaky } from "../../compare/cases/flakiness.ts";
import { type ComparedMetric, type ComparisonPlan, passPlace } from "../../compare/comparison-plan.ts";
import { describeDifference } from "../../compare/cases/output-fields.ts";
import { datasetCell, datasetColumns } from "./dataset-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { Table, TypedColumn } from "./table.ts";
import { tagsCell, tagsColumn } from "./tags-column.ts";

/** A column of a side or of a difference. */
interface Column<Given> extends TypedColumn {
  of: (given: Given, metrics: readonly ComparedMetric[]) => Cell;
}

const sideColumns: readonly Column<Side>[] = [
  { name: "answer", type: "text", of: ({ answer }) => answer },
  { name: "outcome", type: "text", of: ({ outcome }) => outcome },
  { name: "expected_found", type: "boolean", of: ({ expectedFound }) => expectedFound },
  {
    name: "latency_ms",
    type: "integer",
    of: ({ latencyMs }) => (latencyMs === null ? null : Math.round(latencyMs)),
  },
  { name: "url", type: "link", of: ({ url }) => url },
  { name: "flaky", type: "boolean", of: (side, metrics) => isFlaky(side, passPlace({ metrics })) },
];

const differenceColumns: readonly Column<Difference>[] = [
  {
    name: "change",
    type: "text",
    // The line of another input of its key has no comparison of a pair; notes about the key stand in the first.
    of: ({ pairing, change }) => (pairing === "paired" || pairing === "neither" ? change : pairing),
  },
  { name: "verdict", type: "text", tones: { worse: "bad", better: "good" }, of: ({ turn }) => turn },
  { name: "answer_differs", type: "boolean", of: ({ answerDiffers }) => answerDiffers },
  { name: "distance", type: "number", of: ({ distance }) => rounded(distance) },
  { name: "noise", type: "number", of: ({ noise }) => rounded(noise) },
  { name: "excess", type: "number", of: ({ excess: beyondNoise }) => rounded(beyondNoise) },
  { name: "members_differ", type: "text", of: ({ members }) => members?.map(describeDifference).join("; ") ?? null },
  { name: "outcome_differs", type: "boolean", of: ({ outcomeDiffers }) => outcomeDiffers },
];

/** The data for the columns of a table of a comparison. */
export interface ComparisonTable {
  comparisonPlan: Pick<ComparisonPlan, "sides" | "pairs" | "metrics">;
  /** Names of the dataset's columns. */
  columns: readonly string[];
  /** True for a column with the tags of the case, for readers that know values within values. Default: false. */
  withTags?: boolean;
}

/**
 * One line per case: its key, its row in the sheet, its own columns, what each target made of it (`TARGET.answer` ..., with a
 * column for each score: the mean over its runs), and how each candidate differs from what it is compared with
 * (`change` ..., with `CANDIDATE.` before it when there are several).
 */
export function tableOfComparison(cases: Iterable<CaseComparison>, about: ComparisonTable): Table {
  const { columns, rowOf } = comparisonRows(about);
  return { name: "Rows", columns, rows: allRows(cases, rowOf) };
}

function* allRows(cases: Iterable<CaseComparison>, rowOf: (compared: CaseComparison) => Cell[]): Generator<Cell[]> {
  for (const compared of cases) yield rowOf(compared);
}

/** The lines of a table of a comparison, one case at a time. */
export function comparisonRows({ comparisonPlan, columns: names, withTags = false }: ComparisonTable): {
  columns: TypedColumn[];
  rowOf: (compared: CaseComparison) => Cell[];
} {
  const { sides, pairs, metrics } = comparisonPlan;
  const ofCase: TypedColumn[] = [
    { name: "case_key", type: "text" },
    { name: "row", type: "integer" },
    ...(withTags ? [tagsColumn] : []),
  ];
  const others = [...targetColumns(comparisonPlan), ...candidateColumns(comparisonPlan)];
  const columns = datasetColumns(
    names,
    [...ofCase, ...others].map(({ name }) => name),
  );
  return {
    columns: [...ofCase, ...columns.map(({ header }) => ({ name: header, type: "text" as const })), ...others],
    rowOf(compared) {
      const row: Cell[] = [compared.key, compared.row];
      if (withTags) row.push(tagsCell(compared));
      for (const { name } of columns) row.push(datasetCell(compared.columns, name));
      for (let place = 0; place < sides.length; place++) addSide(row, compared.sides[place], metrics);
      for (let place = 0; place < pairs.length; place++) addDifference(row, compared.differences[place], metrics);
      return row;
    },
  };
}

function targetColumns({ sides, metrics }: ComparisonTable["comparisonPlan"]): TypedColumn[] {
  const scores = metrics.map((...given): TypedColumn => ({ name: scoreColumn(...given), type: "number" }));
  return sides.flatMap(({ target }) => titled([...sideColumns, ...scores], `${target}.`));
}

function candidateColumns({ sides, pairs }: ComparisonTable["comparisonPlan"]): TypedColumn[] {
  return pairs.flatMap(({ candidate }) =>
    titled(differenceColumns, pairs.length > 1 ? `${sides[candidate]?.target ?? ""}.` : ""),
  );
}

function titled(columns: readonly TypedColumn[], before: string): TypedColumn[] {
  return columns.map(({ name, type, tones }) => ({
    name: `${before}${name}`,
    type,
    ...(tones !== undefined && { tones }),
  }));
}

/** A metric that is compared in two ways has a column for each. */
function scoreColumn({ metric, of }: ComparedMetric, i: number, all: readonly ComparedMetric[]): string {
  const first = all.findIndex((other) => other.metric.name === metric.name) === i;
  return first ? metric.name : `${metric.name} (${of})`;
}

// Cells are added to the row one by one: lists of them for each part cost as much as all the rest of it.

function addSide(row: Cell[], side: Side | undefined, metrics: readonly ComparedMetric[]): void {
  for (const { of } of sideColumns) row.push(side === undefined ? null : of(side, metrics));
  metrics.forEach(({ of }, place) => {
    const mean = side?.scores[place]?.mean ?? null;
    row.push(mean === null ? null : rounded(of === "ratio" ? Math.exp(mean) : mean));
  });
}

function addDifference(row: Cell[], difference: Difference | undefined, metrics: readonly ComparedMetric[]): void {
  for (const { of } of differenceColumns) row.push(difference === undefined ? null : of(difference, metrics));
}

function rounded(value: number | null): number | null {
  if (value === null) return null;
  const scaled = value * 10_000;
  return Number.isFinite(scaled) ? Math.round(scaled) / 10_000 : Number.isFinite(value) ? value : null;
}
