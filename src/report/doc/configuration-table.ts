import type { DocTable } from "../shape/doc.ts";
import type { ReportSummary, ReportTarget } from "../shape/model.ts";
import { scoreFigure } from "../say/figures.ts";
import { duration, number, price } from "../say/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

/** Several configurations that are compared with one, beside each other: passes, scores, cost and time of each. Null: somebody says what decides. */
export function configurationTable({ findings, targets, metrics }: ReportSummary): DocTable | null {
  if (findings.facts.every(({ kind }) => kind !== "may-choose")) return null;
  const columns: ColumnOf<ReportTarget>[] = [
    { title: "configuration", kind: "name", cell: ({ name, label }) => ({ name: label ?? name }) },
    ...metrics.slice(0, mostMetrics).map((metric, place): ColumnOf<ReportTarget> => ({
      title: { name: metric.name },
      kind: "number",
      cell: ({ scores }) => {
        const { value = null, scored = 0 } = scores[place] ?? {};
        if (value === null) return "–";
        const isCounted = metric.passes && Number.isInteger(Math.round(value * scored * 1e6) / 1e6);
        return isCounted ? `${number(Math.round(value * scored))} of ${number(scored)}` : scoreFigure(value, metric);
      },
    })),
    ...(targets.some(({ cost }) => cost !== null)
      ? [
          {
            title: "cost",
            kind: "number" as const,
            cell: ({ cost }: ReportTarget) => (cost === null ? "–" : price(cost)),
          },
        ]
      : []),
    {
      title: "time",
      kind: "number",
      cell: ({ latency }) => (latency === null ? "–" : duration(latency.p50)),
    },
  ];
  return tableOf(
    { name: "Configurations", noun: "configuration" },
    columns,
    targets.map((of) => ({ key: of.name, of })),
  );
}

const mostMetrics = 3;
