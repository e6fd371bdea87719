import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import { number } from "./quantity.ts";

/** `38 of 40 graded; 2 have no expected answer`; null where every case has what the scorer compares with. */
export function besideWords({ type, comparison, left, beside }: MetricSummary): string | null {
  if (beside === 0) return null;
  const graded = comparison?.n ?? 0;
  const have = beside === 1 ? "has" : "have";
  return `${number(graded)} of ${number(graded + left + beside)} graded; ${number(beside)} ${have} no ${type === "from-file" ? "grade" : "expected answer"}`;
}

/** Expected answers that no scorer reads, and an entry of a suite that would. */
export interface UnreadExpected {
  /** A scorer that reads them, as an entry of `scorers`. */
  entry: string;
  /** Column of the sheet, as the suite names it; null: it was found by its name. */
  column: string | null;
}

/**
 * `\`nonempty\` passes every answer, and does not read your column \`expected\`. Add: \`- { name: correct, type: contains }\``.
 * `passesAll`: a scorer that passed all; null: none did, or nothing was graded yet.
 */
export function unreadWords(
  { entry, column }: UnreadExpected,
  { scorers, passesAll }: { scorers: readonly string[]; passesAll: string | null },
): string {
  const isColumn = column !== null && !/\{[{%]/.test(column);
  const what = isColumn ? `your column \`${column}\`` : "your expected answers";
  const [first = ""] = scorers;
  const add = `Add: \`- ${entry}\``;
  const passes = passesAll === null ? "" : `\`${passesAll}\` passes every answer, and `;
  if (scorers.length > 1) return `${passes}${passes === "" ? "No" : "no"} scorer reads ${what}. ${add}`;
  return `${passes === "" ? `\`${first}\` ` : passes}does not read ${what}. ${add}`;
}
