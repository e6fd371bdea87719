import type { ReportSummary } from "../shape/model.ts";
import type { Paint } from "./paint.ts";
import { reasonHeading, reasonsOf } from "../words/reason-words.ts";
import { counted, number } from "../words/quantity.ts";
import { visible } from "../text/visible.ts";
import { displayWidth, fit } from "../text/width.ts";

/** Reasons for runs without an answer and answers without a grade, the most frequent first, a line each. */
export function errorLines(
  { targets }: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  const all = reasonsOf(targets);
  if (all.length === 0) return [];
  const several = targets.length > 1;
  const lines = all.slice(0, most).map(({ target, text, jobs, example }) => {
    const who = several ? `${target}, ` : "";
    const [reason, such] = [visible(`  ${number(jobs)} × ${who}${text}`), visible(` (such as ${fit(example, 30)})`)];
    return fit(reason, width - displayWidth(such)) + such;
  });
  const more = all.length - lines.length;
  const rest = more > 0 ? [color("dim", `  and ${counted(more, "more message")}: see the report`)] : [];
  return [color("bold", reasonHeading(all)), ...lines, ...rest];
}
