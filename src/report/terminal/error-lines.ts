import type { ReportSummary } from "../shape/model.ts";
import type { Paint } from "./paint.ts";
import { reasonHeading, reasonsOf } from "../words/reason-words.ts";
import { counted, number } from "../words/quantity.ts";
import { visible } from "../text/visible.ts";
import { fit } from "../text/width.ts";
import { wrapped } from "../text/wrap.ts";

/** The longest reason that is told: a service may answer with a page. */
const mostReason = 200;

/** Reasons for runs without an answer and answers without a grade, the most frequent first; a word wider than a line is cut. */
export function errorLines(
  { targets }: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  const all = reasonsOf(targets);
  if (all.length === 0) return [];
  const several = targets.length > 1;
  const lines = all.slice(0, most).flatMap(({ target, text, jobs, example }) => {
    const who = several ? `${target}, ` : "";
    const line = `${number(jobs)} × ${who}${fit(text, mostReason)} (such as ${fit(example, 30)})`;
    return wrapped(visible(line), width - 4).map((part, at) => fit(`${at === 0 ? "  " : "    "}${part}`, width));
  });
  const more = all.length - Math.min(most, all.length);
  const rest = more > 0 ? [color("dim", `  and ${counted(more, "more message")}: see the report`)] : [];
  return [color("bold", reasonHeading(all)), ...lines, ...rest];
}
