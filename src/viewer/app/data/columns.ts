import type { ReportMetric } from "../../../report/shape/model.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { duration, number, price } from "../../../report/say/quantity.ts";

/** Figures of an answer that a list can show, by their names in addresses. */
export const figureNames = { time: "Time", cost: "Cost", tokens: "Tokens" } as const;

const ofMetric = "score:";
const ofSheet = "column:";

export const metricColumn = (metric: string): string => `${ofMetric}${metric}`;
export const sheetColumnName = (name: string): string => `${ofSheet}${name}`;

/** The column of the sheet that a column of the list is; null: it is a figure. */
export const sheetColumn = (column: string): string | null =>
  column.startsWith(ofSheet) ? column.slice(ofSheet.length) : null;

/** A figure of an answer in a list; null: the column is none, or nothing is known. */
export function figureIn(
  column: string,
  { latencyMs, cost, tokens, scores }: RowHead["sides"][number],
  metrics: readonly ReportMetric[],
): string | null {
  switch (column) {
    case "time":
      return latencyMs === null ? null : duration(latencyMs);
    case "cost":
      return cost === null ? null : `cost ${price(cost)}`;
    case "tokens":
      return tokens === null ? null : `${number(tokens)} tokens`;
    default: {
      const place = metrics.findIndex(({ name }) => column === metricColumn(name));
      const [metric, value] = [metrics[place], scores[place] ?? null];
      return metric === undefined || value === null ? null : `${metric.name} ${scoreFigure(value, metric)}`;
    }
  }
}
