import { counted } from "../../words/quantity.ts";

/** Lines of a list; what is more is counted. */
export const mostListed = 12;

/** A table; titles and cells are Markdown already. */
export function markdownTable(titles: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return lines.join("\n");
}

/** A list; its lines are Markdown already. */
export function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** The number of those that are not listed; empty where all are. */
export function moreLine(more: number, what: string): string[] {
  return more > 0 ? [`and ${counted(more, `more ${what}`)}`] : [];
}
