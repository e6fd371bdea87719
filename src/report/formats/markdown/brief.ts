import { capitalised, number } from "../../words/quantity.ts";
import { wordInText } from "../../../compare/verdict-word.ts";
import { tagMapWords } from "../../model/tag-map-words.ts";
import type { ReportGate, ReportSummary } from "../../shape/model.ts";
import { markdownCode, markdownText, shortened } from "../../text/markdown-text.ts";
import { difference, range, sidesFigures } from "../../words/figures.ts";
import { momentLabel } from "../../words/night-names.ts";
import { missingAnswers } from "../../words/verdict-words.ts";
import { wordSigns } from "./markdown-doc.ts";

/** Characters of a line: a chat cuts longer ones. */
const mostInLine = 400;

/** A report in at most five lines of Markdown, to be sent: verdict and run, the sentence, the figures, where, and what is next. */
export function briefMarkdown(summary: ReportSummary): string {
  const { verdict, suite, batch, startedAt, next } = summary;
  const word =
    verdict.word === null ? "No verdict" : `${wordSigns[verdict.word]} ${capitalised(wordInText(verdict.word))}`;
  const [head = ""] = verdict.sentence.split(/(?<=\.) /);
  const lines = [
    `**${word}** · ${markdownText(shortened(suite, mostInLine))} · ${momentLabel(startedAt)} · ${markdownCode(batch)}`,
    said(head),
    figuresLine(summary),
    whereLine(summary),
    next === null ? null : `Next: ${said(next.why)}: ${markdownCode(next.command)}`,
  ];
  return `${lines.filter((line) => line !== null && line !== "").join("  \n")}\n`;
}

/** A sentence whose names between backticks are code. */
function said(text: string): string {
  return shortened(text, mostInLine)
    .split(/`([^`]+)`/)
    .map((part, place) => (place % 2 === 1 ? markdownCode(part) : markdownText(part)))
    .join("");
}

/** The gate that the verdict goes by: of its metric, and of the candidate of which it tells. */
function decidingGate({ gates, verdict }: ReportSummary): ReportGate | undefined {
  const own = gates.filter(({ metric, state }) => state !== null && metric === verdict.metric);
  const meant = own.find(({ word }) => word === verdict.word) ?? own.find(({ state }) => state === verdict.state);
  return meant ?? own[0] ?? gates[0];
}

/** `correct: 86.4 % → 69.1 %, −17.3 points (−22.9 to −12.1), limit −5 points; 495/495 answered`; null: nothing is compared, or nothing counts. */
function figuresLine(summary: ReportSummary): string | null {
  const { candidates, metrics, targets, verdict } = summary;
  const { answers, of } = missingAnswers(targets);
  const answered = `${number(of - answers)}/${number(of)} answered`;
  const gate = decidingGate(summary);
  const metric = metrics.find(({ name }) => name === gate?.metric);
  if (gate === undefined || metric === undefined || verdict.state === "invalid") return of === 0 ? null : answered;
  const within = gate.interval === null ? "" : ` (${range(gate.interval, metric)})`;
  const limit = gate.margin === null ? "" : `, limit ${difference(-gate.margin, metric)}`;
  const sides = sidesFigures(gate, metric).join(" → ");
  const whose = candidates.length > 1 ? `${markdownCode(gate.candidate)}, ` : "";
  return `${whose}${markdownCode(gate.name)}: ${sides}, ${difference(gate.difference, metric)}${within}${limit}; ${answered}`;
}

function whereLine(summary: ReportSummary): string | null {
  const whose = decidingGate(summary)?.candidate;
  const map = summary.tagMaps?.find(
    ({ metric, candidate }) => metric === summary.metrics[0]?.name && (whose === undefined || candidate === whose),
  );
  return map === undefined || summary.verdict.state === "invalid" ? null : `${said(tagMapWords(summary, map))}.`;
}
