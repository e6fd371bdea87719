import { isMadeKey } from "../../../compare/cases/made-key.ts";
import { changeWords } from "../../words/change-words.ts";
import { markdownBlock, markdownCode, markdownFold, markdownText } from "../../text/markdown-text.ts";
import type { ReportFrame } from "../../shape/reporter.ts";
import { questionOfRow } from "../../model/row-figures.ts";
import type { ReportRow } from "../../shape/row.ts";
import { rowWords } from "../../words/row-words.ts";
import { fit } from "../../text/width.ts";
import { type ShownRun, shownRuns } from "../../model/shown-runs.ts";
import type { WorstRow } from "../../model/worst-rows.ts";

/** A row to look at, folded: what was asked, what is expected, and what both sides said. */
export function rowSection(worst: WorstRow, frame: ReportFrame): string {
  const { row } = worst;
  const { baseline, candidate } = shownRuns(worst, frame);
  const expected = row.expected === null || row.expected === "" ? [] : ["Expected:", markdownBlock(row.expected, 400)];
  const sides = [baseline, candidate].flatMap((side) => (side.name === "" ? [] : [sideSection(side)]));
  const inside = ["Asked:", markdownBlock(questionOfRow(row), 600), ...expected, ...sides].join("\n\n");
  const who = frame.pairs.length > 1 ? ` ${markdownCode(candidate.name)}` : "";
  return markdownFold(`${markdownRowName(row)}${who}: ${markdownText(changeWords(worst, frame))}`, inside);
}

/** The row, then the question, then the key where it is not one that we made. */
function markdownRowName(row: ReportRow): string {
  const place = rowWords(row);
  const question = questionOfRow(row).replaceAll(/\s+/g, " ").trim();
  const parts = [
    ...(place === "" ? [] : [markdownText(place)]),
    ...(question === "" ? [] : [markdownText(fit(question, 80))]),
    ...(isMadeKey(row.key) && (place !== "" || question !== "") ? [] : [markdownCode(row.key, 80)]),
  ];
  return parts.join(" · ");
}

function sideSection({ name, run, which }: ShownRun): string {
  if (run === null) return `${markdownCode(name)}: not run`;
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
  const told = which === "" ? "" : `, ${which}`;
  return `${markdownCode(name)}${told}: ${markdownText(run.outcome)}${why}${url}${text}`;
}
