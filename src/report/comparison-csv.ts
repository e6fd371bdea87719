import type { CaseComparison, Difference, Side } from "../compare/case-comparison.ts";
import { describeDifference } from "../compare/members.ts";
import { csvText } from "./csv.ts";
import { datasetCells, datasetColumns } from "./dataset-columns.ts";
import type { Cell, SpreadsheetOptions } from "./spreadsheet.ts";

const sideColumns = ["answer", "outcome", "expected_found", "latency_ms", "url"] as const;
const differenceColumns = ["answer_differs", "distance", "members_differ", "outcome_differs"] as const;

/** Names, each in the order of its columns. */
export interface ComparisonTable {
  targets: readonly string[];
  candidates: readonly string[];
  /** Of the dataset. */
  columns: readonly string[];
}

/**
 * `comparison.csv`: one line per case: its key, its own columns, what each target made of it (`TARGET.answer` ...), and
 * how each candidate differs from the baseline (`answer_differs` ..., with `CANDIDATE.` before it when there are several).
 */
export function comparisonCsv(
  cases: Iterable<CaseComparison>,
  table: ComparisonTable,
  options: SpreadsheetOptions,
): Generator<string> {
  return csvText(allRows(cases, table), options);
}

function* allRows(cases: Iterable<CaseComparison>, table: ComparisonTable): Generator<Cell[]> {
  const { header, rowOf } = comparisonRows(table);
  yield header;
  for (const compared of cases) yield rowOf(compared);
}

/** The lines of `comparison.csv`, one case at a time. */
export function comparisonRows(table: ComparisonTable): {
  header: Cell[];
  rowOf: (compared: CaseComparison) => Cell[];
} {
  const { targets, candidates } = table;
  const ofTargets = targets.flatMap((target) => sideColumns.map((name) => `${target}.${name}`));
  const ofCandidates = candidates.flatMap((candidate) =>
    differenceColumns.map((name) => (candidates.length > 1 ? `${candidate}.${name}` : name)),
  );
  const columns = datasetColumns(table.columns, ["case_key"], ofTargets, ofCandidates);
  return {
    header: ["case_key", ...columns.map(({ header }) => header), ...ofTargets, ...ofCandidates],
    rowOf: ({ key, columns: row, sides, differences }) => [
      key,
      ...datasetCells(columns, row),
      ...targets.flatMap((name) => sideCells(sides.find(({ target }) => target === name))),
      ...candidates.flatMap((name) => differenceCells(differences.find(({ candidate }) => candidate === name))),
    ],
  };
}

function sideCells(side: Side | undefined): Cell[] {
  if (side === undefined) return sideColumns.map(() => null);
  const { answer, outcome, expectedFound, latencyMs, url } = side;
  return [answer, outcome, expectedFound, latencyMs === null ? null : Math.round(latencyMs), url];
}

function differenceCells(difference: Difference | undefined): Cell[] {
  if (difference === undefined) return differenceColumns.map(() => null);
  const { answerDiffers, distance, members, outcomeDiffers } = difference;
  return [
    answerDiffers,
    distance === null ? null : Math.round(distance * 10_000) / 10_000,
    members === null ? null : members.map(describeDifference).join("; "),
    outcomeDiffers,
  ];
}
