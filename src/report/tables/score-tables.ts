import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import { costOfCase, timeOfCase } from "../../compare/cases/case-spending.ts";
import { type ComparedMetric, primaryPlace } from "../../compare/comparison-plan.ts";
import type { ColumnType } from "../../lib/column-type.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { type ComparisonTable, scoreColumn } from "./comparison-table.ts";
import { datasetCells, datasetColumns } from "./dataset-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { TypedColumn } from "./table.ts";

/** The lines of a table, one case at a time. */
interface CaseLines {
  columns: TypedColumn[];
  linesOf: (result: CaseResult, compared: CaseComparison) => Cell[][];
}

const ofCase: readonly TypedColumn[] = [
  { name: "case_key", type: "text" },
  { name: "row", type: "integer" },
];

/** A line for each case and each target, whatever the number of targets is: its answer, its scores, what it took and cost. */
export function longScores({ comparisonPlan, columns: names }: ComparisonTable): CaseLines {
  const { sides, metrics } = comparisonPlan;
  const ofSide = [
    ["outcome", "text"],
    ["answer", "text"],
    ["runs", "integer"],
    ["latency_ms", "integer"],
    ["cost", "number"],
    ...metrics.map((...given): [string, ColumnType] => [scoreColumn(...given), "number"]),
  ] as const satisfies [string, ColumnType][];
  const own: TypedColumn[] = [
    ...ofCase,
    { name: "target", type: "text" },
    ...ofSide.map(([name, type]) => ({ name, type })),
  ];
  const { columns, cellsOf } = withDataset(names, own);
  return {
    columns,
    linesOf(result, compared) {
      const dataset = cellsOf(compared);
      return sides.flatMap(({ target, targetIds, price }, place) => {
        const side = compared.sides[place];
        if (side === undefined) return [];
        const jobs = result.jobs.filter(({ targetId }) => targetIds.includes(targetId));
        const { outcome, answer, answeredRuns, scores } = side;
        const time = timeOfCase(jobs);
        const cells = [outcome, answer, answeredRuns, time === null ? null : Math.round(time), costOfCase(jobs, price)];
        return [
          [
            compared.key,
            compared.row,
            target,
            ...cells,
            ...metrics.map((metric, at) => score(scores[at]?.mean, metric)),
            ...dataset,
          ],
        ];
      });
    },
  };
}

/** A line for each case, with a column for each target: its score by the primary metric. */
export function wideScores({ comparisonPlan, columns: names }: ComparisonTable): CaseLines {
  const { sides, metrics } = comparisonPlan;
  const place = primaryPlace(metrics);
  const primary = metrics[place];
  const own: TypedColumn[] = [...ofCase, ...sides.map(({ target }) => ({ name: target, type: "number" as const }))];
  const { columns, cellsOf } = withDataset(names, own);
  return {
    columns,
    linesOf: (_, compared) => [
      [
        compared.key,
        compared.row,
        ...sides.map((_side, at) =>
          primary === undefined ? null : score(compared.sides[at]?.scores[place]?.mean, primary),
        ),
        ...cellsOf(compared),
      ],
    ],
  };
}

/** The columns of a table, those of the dataset behind them. */
function withDataset(names: readonly string[], own: TypedColumn[]) {
  const dataset = datasetColumns(
    names,
    own.map(({ name }) => name),
  );
  return {
    columns: [...own, ...dataset.map(({ header }) => ({ name: header, type: "text" as const }))],
    cellsOf: ({ columns }: CaseComparison): Cell[] => datasetCells(dataset, columns),
  };
}

function score(mean: number | null | undefined, { of }: ComparedMetric): number | null {
  return mean === null || mean === undefined ? null : Number((of === "ratio" ? Math.exp(mean) : mean).toFixed(6));
}
