import type { ReportSummary } from "../shape/model.ts";
import type { Paint } from "./paint.ts";
import { counted, number } from "../words/quantity.ts";
import { visible } from "../text/visible.ts";
import { fit } from "../text/width.ts";

/** The messages of errors, the most frequent first; those that differ only in numbers and ids are one line. */
export function errorLines(
  { targets }: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  const all = targets.flatMap(({ name, errors }) => errors.map((group) => ({ name, ...group })));
  if (all.length === 0) return [];
  const several = targets.length > 1;
  const lines = all
    .toSorted((a, b) => b.jobs - a.jobs)
    .slice(0, most)
    .map(({ name, outcome, message, jobs }) => {
      const who = several ? `${name}, ` : "";
      return fit(visible(`  ${number(jobs)} × ${who}${outcome}: ${message}`), width);
    });
  const more = all.length - lines.length;
  const rest = more > 0 ? [color("dim", `  and ${counted(more, "more message")}: see the report`)] : [];
  return [color("bold", "Errors"), ...lines, ...rest];
}
