import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { Difference } from "../../compare/cases/case-change.ts";
import type { Side } from "../../compare/cases/case-side.ts";
import { isFlaky } from "../../compare/cases/flakiness.ts";
import { type ComparedMetric, type ComparisonPlan, passPlace } from "../../compare/comparison-plan.ts";
import { describeDifference } from "../../compare/cases/output-fields.ts";
import { datasetCell, datasetColumns } from "./dataset-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { ColumnType } from "../../lib/column-type.ts";
import type { Table, TypedColumn } from "./table.ts";
import { tagsCell, tagsColumn } from "./tags-column.ts";

const sideColumns = {
  answer: "text",
  outcome: "text",
  expected_found: "boolean",
  latency_ms: "integer",
  url: "text",
  flaky: "boolean",
} as const satisfies Record<string, ColumnType>;

const differenceColumns = {
  change: "text",
  verdict: "text",
  answer_differs: "boolean",
  distance: "number",
  noise: "number",
  excess: "number",
  members_differ: "text",
  outcome_differs: "boolean",
} as const satisfies Record<string, ColumnType>;

const sideCells = Object.keys(sideColumns).length;
const differenceCells = Object.keys(differenceColumns).length;

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
  return { columns, rows: allRows(cases, rowOf) };
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
      for (let place = 0; place < pairs.length; place++) addDifference(row, compared.differences[place]);
      return row;
    },
  };
}

function targetColumns({ sides, metrics }: ComparisonTable["comparisonPlan"]): TypedColumn[] {
  const scores = metrics.map((...given): [string, ColumnType] => [scoreColumn(...given), "number"]);
  const ofSide: [string, ColumnType][] = [...Object.entries(sideColumns), ...scores];
  return sides.flatMap(({ target }) => ofSide.map(([name, type]) => ({ name: `${target}.${name}`, type })));
}

function candidateColumns({ sides, pairs }: ComparisonTable["comparisonPlan"]): TypedColumn[] {
  return pairs.flatMap(({ candidate }) => {
    const before = pairs.length > 1 ? `${sides[candidate]?.target ?? ""}.` : "";
    return Object.entries(differenceColumns).map(([name, type]) => ({ name: `${before}${name}`, type }));
  });
}

/** A metric that is compared in two ways has a column for each. */
export function scoreColumn({ metric, of }: ComparedMetric, i: number, all: readonly ComparedMetric[]): string {
  const first = all.findIndex((other) => other.metric.name === metric.name) === i;
  return first ? metric.name : `${metric.name} (${of})`;
}

// Cells are added to the row one by one: lists of them for each part cost as much as all the rest of it.

function addSide(row: Cell[], side: Side | undefined, metrics: readonly ComparedMetric[]): void {
  if (side === undefined) {
    for (let cells = sideCells + metrics.length; cells > 0; cells--) row.push(null);
    return;
  }
  const { answer, outcome, expectedFound, latencyMs, url, scores } = side;
  const flaky = isFlaky(side, passPlace({ metrics }));
  row.push(answer, outcome, expectedFound, latencyMs === null ? null : Math.round(latencyMs), url, flaky);
  metrics.forEach(({ of }, place) => {
    const mean = scores[place]?.mean ?? null;
    row.push(mean === null ? null : rounded(of === "ratio" ? Math.exp(mean) : mean));
  });
}

function addDifference(row: Cell[], difference: Difference | undefined): void {
  if (difference === undefined) {
    for (let cells = differenceCells; cells > 0; cells--) row.push(null);
    return;
  }
  const {
    change,
    turn,
    pairing,
    answerDiffers,
    distance,
    noise,
    excess: beyondNoise,
    members,
    outcomeDiffers,
  } = difference;
  const paired = pairing === "paired";
  row.push(
    // The line of another input of its key has no comparison of a pair; notes about the key stand in the first.
    paired || pairing === "neither" ? change : pairing,
    turn,
    answerDiffers,
    rounded(distance),
    rounded(noise),
    rounded(beyondNoise),
    members === null ? null : members.map(describeDifference).join("; "),
    outcomeDiffers,
  );
}

function rounded(value: number | null): number | null {
  if (value === null) return null;
  const scaled = value * 10_000;
  return Number.isFinite(scaled) ? Math.round(scaled) / 10_000 : Number.isFinite(value) ? value : null;
}
