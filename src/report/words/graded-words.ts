import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import { number } from "./quantity.ts";

/** `38 of 40 graded; 2 have no expected answer`; null where every case has what the scorer compares with. */
export function besideWords({ comparison, left, beside }: MetricSummary): string | null {
  if (beside === 0) return null;
  const graded = comparison?.n ?? 0;
  const have = beside === 1 ? "has" : "have";
  return `${number(graded)} of ${number(graded + left + beside)} graded; ${number(beside)} ${have} no expected answer`;
}
