import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { Difference } from "../../compare/cases/case-change.ts";
import type { Side } from "../../compare/cases/case-side.ts";
import type { SideValue } from "../../compare/cases/side-value.ts";
import type { ComparedMetric, ComparisonPlan } from "../../compare/comparison-plan.ts";
import { describeDifference } from "../../compare/cases/output-fields.ts";
import { csvText, type TableOptions } from "./csv.ts";
import { datasetCell, datasetColumns } from "./dataset-columns.ts";
import type { Cell } from "./spreadsheet.ts";

const sideColumns = ["answer", "outcome", "expected_found", "latency_ms", "url"] as const;
const differenceColumns = [
  "change",
  "verdict",
  "answer_differs",
  "distance",
  "noise",
  "excess",
  "members_differ",
  "outcome_differs",
] as const;

/** The data for the columns of `comparison.csv`. */
export interface ComparisonTable {
  comparisonPlan: Pick<ComparisonPlan, "sides" | "pairs" | "metrics">;
  /** Names of the dataset's columns. */
  columns: readonly string[];
}

/**
 * `comparison.csv`: one line per case: its key, its row in the sheet, its own columns, what each target made of it (`TARGET.answer` ..., with a
 * column for each score: the mean over its runs), and how each candidate differs from what it is compared with
 * (`change` ..., with `CANDIDATE.` before it when there are several).
 */
export function comparisonCsv(
  cases: Iterable<CaseComparison>,
  table: ComparisonTable,
  options: TableOptions,
): Generator<string> {
  return csvText(allRows(cases, table), options);
}

function* allRows(cases: Iterable<CaseComparison>, table: ComparisonTable): Generator<Cell[]> {
  const { header, rowOf } = comparisonRows(table);
  yield header;
  for (const compared of cases) yield rowOf(compared);
}

/** The lines of `comparison.csv`, one case at a time. */
export function comparisonRows({ comparisonPlan, columns: names }: ComparisonTable): {
  header: Cell[];
  rowOf: (compared: CaseComparison) => Cell[];
} {
  const { sides, pairs, metrics } = comparisonPlan;
  const scores = metrics.map(scoreColumn);
  const ofTargets = sides.flatMap(({ target }) => [...sideColumns, ...scores].map((name) => `${target}.${name}`));
  const ofCandidates = pairs.flatMap(({ candidate }) =>
    differenceColumns.map((name) => (pairs.length > 1 ? `${sides[candidate]?.target ?? ""}.${name}` : name)),
  );
  const columns = datasetColumns(names, ["case_key", "row"], ofTargets, ofCandidates);
  const primary = Math.max(
    0,
    metrics.findIndex(({ metric }) => metric.primary),
  );
  return {
    header: ["case_key", "row", ...columns.map(({ header }) => header), ...ofTargets, ...ofCandidates],
    rowOf(compared) {
      const row: Cell[] = [compared.key, compared.row];
      for (const { name } of columns) row.push(datasetCell(compared.columns, name));
      for (let place = 0; place < sides.length; place++) addSide(row, compared.sides[place], metrics);
      pairs.forEach(({ baseline, candidate }, place) => {
        const from = compared.sides[baseline]?.scores[primary];
        const to = compared.sides[candidate]?.scores[primary];
        addDifference(row, compared.differences[place], worseOrBetter(from, to, metrics[primary]));
      });
      return row;
    },
  };
}

/** A metric that is compared in two ways has a column for each. */
function scoreColumn({ metric, of }: ComparedMetric, i: number, all: readonly ComparedMetric[]): string {
  const first = all.findIndex((other) => other.metric.name === metric.name) === i;
  return first ? metric.name : `${metric.name} (${of})`;
}

// Cells are added to the row one by one: lists of them for each part cost as much as all the rest of it.

function addSide(row: Cell[], side: Side | undefined, metrics: readonly ComparedMetric[]): void {
  if (side === undefined) {
    for (let cells = sideColumns.length + metrics.length; cells > 0; cells--) row.push(null);
    return;
  }
  const { answer, outcome, expectedFound, latencyMs, url, scores } = side;
  row.push(answer, outcome, expectedFound, latencyMs === null ? null : Math.round(latencyMs), url);
  metrics.forEach(({ of }, place) => {
    const mean = scores[place]?.mean ?? null;
    row.push(mean === null ? null : rounded(of === "ratio" ? Math.exp(mean) : mean));
  });
}

/** The trend by the primary metric: `worse`, `better`, `same`; null if a side has no score. */
function worseOrBetter(
  from: SideValue | undefined,
  to: SideValue | undefined,
  compared: ComparedMetric | undefined,
): Cell {
  const before = from?.mean ?? null;
  const after = to?.mean ?? null;
  if (before === null || after === null || compared === undefined) return null;
  if (before === after) return "same";
  const lower = compared.of !== "pass" && compared.metric.lowerIsBetter;
  return after > before === lower ? "worse" : "better";
}

function addDifference(row: Cell[], difference: Difference | undefined, verdict: Cell): void {
  if (difference === undefined) {
    for (let cells: number = differenceColumns.length; cells > 0; cells--) row.push(null);
    return;
  }
  const { change, pairing, answerDiffers, distance, noise, excess, members, outcomeDiffers } = difference;
  const paired = pairing === "paired";
  row.push(
    // The line of another input of its key has no comparison of a pair; notes about the key stand in the first.
    paired || pairing === "neither" ? change : pairing,
    paired ? verdict : null,
    answerDiffers,
    rounded(distance),
    rounded(noise),
    rounded(excess),
    members === null ? null : members.map(describeDifference).join("; "),
    outcomeDiffers,
  );
}

function rounded(value: number | null): number | null {
  if (value === null) return null;
  const scaled = value * 10_000;
  return Number.isFinite(scaled) ? Math.round(scaled) / 10_000 : Number.isFinite(value) ? value : null;
}
