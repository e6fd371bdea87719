import type { ReportMetric } from "../../../report/shape/model.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { duration, number, price } from "../../../report/say/quantity.ts";

/** Figures of an answer that a list can show, by their names in addresses. */
export const figureNames = { time: "Time", cost: "Cost", tokens: "Tokens" } as const;

const ofMetric = "score:";
const ofSheet = "column:";
const ofField = "field:";

export const metricColumn = (metric: string): string => `${ofMetric}${metric}`;
export const sheetColumnName = (name: string): string => `${ofSheet}${name}`;
export const fieldColumn = (path: string): string => `${ofField}${path}`;

const behind = (prefix: string, column: string): string | null =>
  column.startsWith(prefix) ? column.slice(prefix.length) : null;

/** The column of the sheet that a column of the list is; null: it is none. */
export const sheetColumn = (column: string): string | null => behind(ofSheet, column);

/** The field of JSON answers that a column of the list is; null: it is none. */
export const fieldOfColumn = (column: string): string | null => behind(ofField, column);

/** A figure of an answer in a list; null: the column is none, or nothing is known. */
export function figureIn(
  column: string,
  { latencyMs, cost, tokens, scores, fields = {} }: RowHead["sides"][number],
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
      const path = fieldOfColumn(column);
      if (path !== null) return Object.hasOwn(fields, path) ? `${path}: ${fields[path] ?? ""}` : null;
      const place = metrics.findIndex(({ name }) => column === metricColumn(name));
      const [metric, value] = [metrics[place], scores[place] ?? null];
      return metric === undefined || value === null ? null : `${metric.name} ${scoreFigure(value, metric)}`;
    }
  }
}
