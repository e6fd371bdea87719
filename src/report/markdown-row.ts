import { changeWords } from "./change-words.ts";
import { markdownBlock, markdownCode, markdownFold, markdownText } from "./markdown-text.ts";
import type { ReportSummary } from "./model.ts";
import { questionOf } from "./row-head.ts";
import type { WorstRow } from "./worst-rows.ts";

/** A row to look at, folded: what was asked, what is expected, and what both sides said. */
export function rowSection(
  { row, change, pair }: WorstRow,
  { pairs }: ReportSummary,
  targets: readonly string[],
): string {
  const { baseline, candidate } = pairs[pair] ?? { baseline: null, candidate: change.candidate };
  const expected = row.expected === null || row.expected === "" ? [] : ["Expected:", markdownBlock(row.expected, 400)];
  const sides = [baseline, candidate].flatMap((name) => (name === null ? [] : [sideSection(row, name, targets)]));
  const inside = ["Asked:", markdownBlock(questionOf(row), 600), ...expected, ...sides].join("\n\n");
  const who = pairs.length > 1 ? ` ${markdownCode(candidate)}` : "";
  return markdownFold(`${markdownCode(row.key, 80)}${who}: ${markdownText(changeWords(change))}`, inside);
}

function sideSection(row: WorstRow["row"], name: string, targets: readonly string[]): string {
  const side = row.sides[targets.indexOf(name)];
  const run = side?.runs[0];
  if (run === undefined) return `${markdownCode(name)}: not run`;
  const reasons = run.scores.flatMap((found) => (found?.pass === false && found.reason !== null ? [found.reason] : []));
  const why =
    reasons.length === 0
      ? ""
      : ` (${reasons
          .slice(0, 3)
          .map((reason) => markdownText(reason.slice(0, 300)))
          .join("; ")})`;
  const said = run.answer ?? run.error;
  const text = said === null || said.trim() === "" ? "" : `\n\n${markdownBlock(said, 1_200)}`;
  const url = run.url === null ? "" : ` · run ${markdownCode(run.url, 300)}`;
  return `${markdownCode(name)}: ${markdownText(run.outcome)}${why}${url}${text}`;
}
