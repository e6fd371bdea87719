import { wordInText } from "../../compare/verdict-word.ts";
import { resultHead } from "../doc/result-lines.ts";
import { reportSections, type Section } from "../doc/sections.ts";
import { columnsIn, phraseWriter } from "../doc/table.ts";
import { rowToLookAt, type RowToLookAt, type SideToLookAt } from "../model/row-to-look-at.ts";
import { rowsToShow, type WorstRow } from "../model/worst-rows.ts";
import { momentLabel } from "../say/night-names.ts";
import { capitalised, counted } from "../say/quantity.ts";
import type { DocTable } from "../shape/doc.ts";
import type { ReportSummary } from "../shape/model.ts";
import { frameOf } from "../shape/reporter.ts";
import { shortened } from "../text/markdown-text.ts";
import { writtenSentence } from "../text/sentence-parts.ts";
import { visible } from "../text/visible.ts";
import { xmlText } from "../text/xml-text.ts";

/** Rows with their answers. */
export const mostPlainRows = 20;
const mostCharacters = 1_200;
const mostLines = 40;

/** The result of a report as HTML that needs no script: what is seen where a policy forbids them. The page's script takes its place. */
export function plainHtml(summary: ReportSummary, worst: readonly WorstRow[]): string {
  const { suite, batch, cases, startedAt } = summary;
  const { word: told, sentence, figures, lines, next } = resultHead(summary);
  const word = capitalised(told.toLowerCase());
  const below = lines.map(({ of, label, lines: own }) => {
    const name = of === "fact" ? `<b>${said(label)}</b> ` : "";
    return `<li>${name}${own.map(sentenceHtml).join("; ")}</li>`;
  });
  const frame = frameOf(summary);
  const rows = rowsToShow(worst, summary, mostPlainRows).map((row, index) =>
    rowHtml(rowToLookAt(row, frame), index === 0),
  );
  const step = next === null ? "" : `<p>Next: ${sentenceHtml(next.words)}: <code>${said(next.command)}</code></p>`;
  return [
    `<main class="scriptless" id="scriptless">`,
    `<p class="quiet">${said(suite)} · ${momentLabel(Date.parse(startedAt))} · ${said(batch)} · ${counted(cases, "row")}</p>`,
    `<h1 dir="auto">${word === "" ? "" : `${said(word)}: `}${sentenceHtml(sentence)}</h1>`,
    figures === null ? "" : tableHtml(figures),
    `<ul>${below.join("")}</ul>`,
    step,
    rows.length === 0 ? "" : `<h2>Rows to look at</h2>${rows.join("")}`,
    ...reportSections(summary).map(sectionHtml),
    `<p class="quiet">Every row, the search and the charts need scripts, which are off here: download this file and open it.</p>`,
    `</main>`,
  ].join("\n");
}

/** A text between tags. */
const said = (text: string): string => xmlText(visible(text));

/** A sentence, whose names and commands are code. */
const sentenceHtml = (text: string): string =>
  writtenSentence(text, { words: said, code: (code) => `<code>${said(code)}</code>` });

const phrase = phraseWriter({
  text: sentenceHtml,
  name: (name, most = 120) => `<code>${said(shortened(name, most))}</code>`,
  word: (word) => said(wordInText(word)),
  strong: (text) => `<strong>${text}</strong>`,
  holds: (isSo) => (isSo ? "✓" : "✗"),
});

function tableHtml(table: DocTable): string {
  const columns = columnsIn(table, "markdown");
  const heads = columns.map(({ column }) => `<th scope="col">${phrase(column.title)}</th>`).join("");
  const rows = table.rows.slice(0, mostLines).map(({ cells }) => {
    const own = columns.map(({ place }) => `<td dir="auto">${phrase(cells[place]?.text ?? "")}</td>`);
    return `<tr>${own.join("")}</tr>`;
  });
  const head = `<thead><tr>${heads}</tr></thead>`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="${said(table.name)}"><table>${head}<tbody>${rows.join("")}</tbody></table></div>${moreHtml(table.rows.length, table.noun)}`;
}

const moreHtml = (all: number, noun: string): string =>
  all > mostLines ? `<p class="quiet">and ${counted(all - mostLines, `more ${noun}`)}</p>` : "";

function sectionHtml({ title, parts }: Section): string {
  const inside = parts.map((part) => {
    if ("say" in part) return `<p>${phrase(part.say)}</p>`;
    if ("table" in part) return tableHtml(part.table);
    const lines = part.list.slice(0, mostLines).map((line) => `<li dir="auto">${phrase(line)}</li>`);
    return `<ul>${lines.join("")}</ul>${moreHtml(part.list.length, part.noun)}`;
  });
  return `<details><summary>${phrase(title)}</summary>${inside.join("")}</details>`;
}

function rowHtml({ place, title, change, question, expected, sides }: RowToLookAt, isOpen: boolean): string {
  const name = [place, change, title].filter((part) => part !== "");
  const inside = [
    blockHtml("Asked", question),
    ...(expected === null ? [] : [blockHtml("Expected", expected)]),
    ...sides.map(sideHtml),
  ];
  return `<details${isOpen ? " open" : ""}><summary dir="auto">${name.map(said).join(" · ")}</summary>${inside.join("")}</details>`;
}

function sideHtml({ name, which, outcome, reasons, text }: SideToLookAt): string {
  const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
  const head = `${which === "" ? name : `${name}, ${which}`}: ${outcome}${why}`;
  return blockHtml(head, text ?? "");
}

function blockHtml(head: string, text: string): string {
  const block = text === "" ? "" : `<p class="text" dir="auto">${xmlText(shortened(text.trim(), mostCharacters))}</p>`;
  return `<h3 dir="auto">${said(head)}</h3>${block}`;
}
