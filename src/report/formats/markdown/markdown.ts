import { reportSections, type Section } from "../../doc/sections.ts";
import { resultHead, type ResultLine } from "../../doc/result-lines.ts";
import { wordInText } from "../../../compare/verdict-word.ts";
import { markdownCode, markdownFold, markdownSentence, markdownText, markdownBlock } from "../../text/markdown-text.ts";
import type { ReportSummary } from "../../shape/model.ts";
import { capitalised, counted, duration } from "../../say/quantity.ts";
import type { ReportFrame, Reporter } from "../../shape/reporter.ts";
import { type WorstRow, worstRowsReporter } from "../../model/worst-rows.ts";
import { markdownTable, moreLine, saidInMarkdown, wordSigns } from "./markdown-doc.ts";
import { type RowToLookAt, rowToLookAt, type SideToLookAt } from "../../model/row-to-look-at.ts";

/**
 * Greatest number of characters: the comment of a pull request may hold 65,536; some are left for the words that a
 * person writes around it.
 */
const mostCharacters = 64_000;
const mostRows = 20;

/** `report.md`: the verdict first, then figures, then the rows to look at; never longer than a comment may be. */
export function markdownReport(frame: ReportFrame): Reporter {
  return worstRowsReporter(mostRows, (rows) => ({ end: (summary) => wholeText(summary, rows(), frame) }));
}

function wholeText(summary: ReportSummary, rows: readonly WorstRow[], frame: ReportFrame): string {
  const sections = [verdictSection(summary), ...reportSections(summary).map(sectionText)];
  const shown: string[] = [];
  let used = 0;
  const add = (section: string): boolean => {
    if (used + section.length + 2 > mostCharacters) return false;
    used += section.length + 2;
    shown.push(section);
    return true;
  };
  const left = sections.filter((section) => !add(section)).length;
  if (rows.length > 0 && left === 0) add("### Rows to look at");
  const some = rows.filter((row) => add(rowSection(row, frame))).length;
  const more = left > 0 || some < rows.length;
  if (more) shown.push("What does not fit here is in `report.html`, or in what `tandem export` writes.");
  return `${shown.join("\n\n")}\n`;
}

/** The word with its sign; in a report an interrupted run is no invalid one. */
function headOf({ findings }: ReportSummary): string {
  const { kind, word } = findings.headline;
  if (kind === "interrupted") return "⏸️ Interrupted";
  return word === null ? "ℹ️ No verdict" : `${wordSigns[word]} ${capitalised(wordInText(word))}`;
}

function verdictSection(summary: ReportSummary): string {
  const { suite, batch, cases, state, reason, durationMs, baseline, targets } = summary;
  const { sentence, figures, lines, next } = resultHead(summary, { history: mostListed, note: mostListed });
  const names = targets.map(({ name }) => markdownCode(name)).join(", ");
  const about = [
    markdownCode(suite),
    `batch ${markdownCode(batch)}`,
    counted(cases, "row"),
    baseline === null ? names : `baseline ${markdownCode(baseline)} of ${names}`,
    ...(durationMs === null ? [] : [duration(durationMs)]),
    ...(state === "finished"
      ? []
      : [`**${markdownText(state)}${reason === null ? "" : `: ${markdownText(reason)}`}**`]),
  ];
  return [
    `## ${headOf(summary)}: ${markdownSentence(sentence)}`,
    about.join(" · "),
    ...(figures === null ? [] : markdownTable(figures, mostListed)),
    ...(lines.length === 0 ? [] : [listOf(lines.map(lineText))]),
    ...(next === null ? [] : [`Next: ${markdownSentence(next.words)}: ${markdownCode(next.command, 300)}`]),
  ].join("\n\n");
}

const signs = { history: "🌙", note: "⚠️" } as const;

function lineText({ of, label, lines }: ResultLine): string {
  return `${of === "fact" ? `**${markdownText(label)}**` : signs[of]} ${lines.map(markdownSentence).join("; ")}`;
}

/** A section below the verdict. */
export function sectionText({ title, parts, folded }: Section): string {
  const inside = parts.flatMap((part) => {
    if ("say" in part) return [saidInMarkdown(part.say)];
    if ("table" in part) return markdownTable(part.table, mostListed * 4);
    const { list, noun } = part;
    return [listOf(list.slice(0, mostListed).map(saidInMarkdown)), ...moreLine(list.length - mostListed, noun)];
  });
  const head = saidInMarkdown(title);
  return folded === true ? markdownFold(head, inside.join("\n\n")) : [`### ${head}`, ...inside].join("\n\n");
}

/** A row to look at, folded: what was asked, what is expected, and what both sides said. */
function rowSection(worst: WorstRow, frame: ReportFrame): string {
  const row = rowToLookAt(worst, frame);
  const expected = row.expected === null ? [] : ["Expected:", markdownBlock(row.expected, 400)];
  const inside = ["Asked:", markdownBlock(row.question, 600), ...expected, ...row.sides.map(sideSection)].join("\n\n");
  const who = frame.pairs.length > 1 ? ` ${markdownCode(worst.change.candidate)}` : "";
  return markdownFold(`${markdownRowName(row)}${who}: ${markdownText(row.change)}`, inside);
}

/** The row, then the question, then the key where it is not one that we made. */
function markdownRowName({ place, title, key }: RowToLookAt): string {
  const parts = [
    ...(place === "" ? [] : [markdownText(place)]),
    ...(title === "" ? [] : [markdownText(title)]),
    ...(key === "" ? [] : [markdownCode(key, 80)]),
  ];
  return parts.join(" · ");
}

function sideSection({ name, which, outcome, reasons, url, text }: SideToLookAt): string {
  const chosen = which === "" ? "" : `, ${which}`;
  const why = reasons.length === 0 ? "" : ` (${reasons.map(markdownText).join("; ")})`;
  const run = url === null ? "" : ` · run ${markdownCode(url, 300)}`;
  const block = text === null ? "" : `\n\n${markdownBlock(text, 1_200)}`;
  return `${markdownCode(name)}${chosen}: ${markdownText(outcome)}${why}${run}${block}`;
}

/** Lines of a list; what is more is counted. */
const mostListed = 12;

/** A list; its lines are Markdown already. */
function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
