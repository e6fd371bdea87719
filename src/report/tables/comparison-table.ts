import { shownOutcomes } from "../../api/outcomes.ts";
import type { Difference } from "../../compare/cases/difference.ts";
import type { Side } from "../../compare/cases/case-side.ts";
import { caseChanges, caseTurns } from "../../compare/cases/case-kinds.ts";
import { isFlaky } from "../../compare/cases/flakiness.ts";
import { type ComparedMetric, type ComparisonPlan, passPlace } from "../../compare/comparison-plan.ts";
import { describeDifference } from "../../compare/cases/output-fields.ts";
import { type Pairing, pairings } from "../../compare/cases/pairing.ts";
import { datasetCell, type DatasetColumn, datasetColumns, tagsCell, tagsColumn, typedColumn } from "./sheet-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { TableOfCases, TypedColumn } from "./table.ts";

/** A column of a side or of a difference. */
interface Column<Given> extends TypedColumn {
  of: (given: Given, metrics: readonly ComparedMetric[]) => Cell;
}

const sideColumns: readonly Column<Side>[] = [
  { name: "answer", type: "text", of: ({ answer }) => answer },
  { name: "outcome", type: "text", values: shownOutcomes, of: ({ outcome }) => outcome },
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
    values: [...caseChanges, ...pairings.filter(isToldAsChange)],
    of: ({ pairing, change }) => (isToldAsChange(pairing) ? pairing : change),
  },
  {
    name: "verdict",
    type: "text",
    values: caseTurns,
    tones: { worse: "bad", better: "good" },
    of: ({ turn }) => turn,
  },
  { name: "answer_differs", type: "boolean", of: ({ answerDiffers }) => answerDiffers },
  { name: "distance", type: "number", of: ({ distance }) => rounded(distance) },
  { name: "noise", type: "number", of: ({ noise }) => rounded(noise) },
  { name: "excess", type: "number", of: ({ excess }) => rounded(excess) },
  { name: "members_differ", type: "text", of: ({ members }) => members?.map(describeDifference).join("; ") ?? null },
  { name: "outcome_differs", type: "boolean", of: ({ outcomeDiffers }) => outcomeDiffers },
];

/** The line of another input of its key has no comparison of a pair; notes about the key stand in the first. */
function isToldAsChange(pairing: Pairing): boolean {
  return pairing !== "paired" && pairing !== "neither";
}

/** The data for the columns of a table of a comparison. */
export interface ComparisonFrame {
  comparisonPlan: Pick<ComparisonPlan, "sides" | "pairs" | "metrics">;
  /** Names of the dataset's columns. */
  columns: readonly string[];
  /** Those of them that hold the question and the expected answer. */
  asked: readonly string[];
  /** True for a column with the tags of the case, for readers that know values within values. Default: false. */
  withTags?: boolean;
}

/**
 * One line per case. First what a person reads: its row in the sheet, the question and the expected answer, the answer of each
 * target, the verdict, and each score (the mean over its runs) of all targets. Then the other columns of the sheet, and
 * those that programs read, such as the key, `TARGET.outcome` and `distance` (with `CANDIDATE.` before it when there are several).
 */
export function comparisonTable({
  comparisonPlan,
  columns: names,
  asked,
  withTags = false,
}: ComparisonFrame): TableOfCases {
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
  const all = [...ofCase, ...columns.map(typedColumn), ...others];
  const order = readingOrder({ comparisonPlan, columns, asked, ofCase: ofCase.length, all: all.length });
  return {
    name: "Rows",
    columns: order.flatMap((place) => all[place] ?? []),
    linesOf(_, compared) {
      const row: Cell[] = [compared.key, compared.row];
      if (withTags) row.push(tagsCell(compared));
      for (const { name } of columns) row.push(datasetCell(compared.columns, name));
      for (let place = 0; place < sides.length; place++) addSide(row, compared.sides[place], metrics);
      for (let place = 0; place < pairs.length; place++) addDifference(row, compared.differences[place], metrics);
      return [order.map((place) => row[place] ?? null)];
    },
  };
}

/** The places of the columns in the order in which a person reads them; whatever a person does not look for comes last. */
function readingOrder(given: {
  comparisonPlan: ComparisonFrame["comparisonPlan"];
  columns: readonly DatasetColumn[];
  asked: readonly string[];
  ofCase: number;
  all: number;
}): number[] {
  const { columns, asked, ofCase, all } = given;
  const { sides, pairs, metrics } = given.comparisonPlan;
  const width = sideColumns.length + metrics.length;
  const firstSide = ofCase + columns.length;
  const firstPair = firstSide + sides.length * width;
  const ofSides = (column: number): number[] => sides.map((_, side) => firstSide + side * width + column);
  const verdict = differenceColumns.findIndex(({ name }) => name === "verdict");
  const firstColumns = asked.map((name) => columns.findIndex((column) => column.name === name));
  const read = [
    1,
    ...firstColumns.filter((place) => place !== -1).map((place) => ofCase + place),
    ...ofSides(sideColumns.findIndex(({ name }) => name === "answer")),
    ...pairs.map((_, pair) => firstPair + pair * differenceColumns.length + verdict),
    ...metrics.flatMap((_, metric) => ofSides(sideColumns.length + metric)),
    ...columns.map((_, place) => ofCase + place),
  ];
  return [...new Set([...read, ...Array.from({ length: all }, (_, place) => place)])];
}

function targetColumns({ sides, metrics }: ComparisonFrame["comparisonPlan"]): TypedColumn[] {
  const scores = metrics.map((...given): TypedColumn => ({ name: scoreColumn(...given), type: "number" }));
  return sides.flatMap(({ target }) => titled([...sideColumns, ...scores], `${target}.`));
}

function candidateColumns({ sides, pairs }: ComparisonFrame["comparisonPlan"]): TypedColumn[] {
  return pairs.flatMap(({ candidate }) =>
    titled(differenceColumns, pairs.length > 1 ? `${sides[candidate]?.target ?? ""}.` : ""),
  );
}

function titled(columns: readonly TypedColumn[], before: string): TypedColumn[] {
  return columns.map((column) => ({ ...column, name: `${before}${column.name}` }));
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
