import { resultHead } from "../../doc/result-lines.ts";
import { editsNote } from "../../say/cautions.ts";
import { gateLine } from "../../say/findings.ts";
import { subjectOfHeadline } from "../../shape/findings.ts";
import type { ReportGate, ReportSummary } from "../../shape/model.ts";
import { markdownCode, markdownSentence, markdownText, shortened } from "../../text/markdown-text.ts";
import { capitalised } from "../../say/quantity.ts";
import { momentLabel } from "../../say/night-names.ts";
import { wordSigns } from "./markdown-doc.ts";

/** Characters of a line: a chat cuts longer ones. */
const mostInLine = 400;
const mostLines = { fact: 2, history: 0, note: 0 };

/** A report in a few lines of Markdown, to be sent: word and run, the headline, the figures, what is below them, scores that people edited, and what is next. */
export function briefMarkdown(summary: ReportSummary): string {
  const { findings, suite, batch, startedAt } = summary;
  const { word } = findings.headline;
  const { word: told, sentence, lines: below, next } = resultHead(summary, mostLines);
  const shown = capitalised(told.toLowerCase());
  const lines = [
    `**${word === null ? shown || "No verdict" : `${wordSigns[word]} ${shown}`}** · ${markdownText(shortened(suite, mostInLine))} · ${momentLabel(Date.parse(startedAt))} · ${markdownCode(batch)}`,
    said(sentence),
    figuresLine(summary),
    ...below.map(({ label, lines: own }) => said(`${label}: ${own.join("; ")}`)),
    ...summary.targets.flatMap(editsNote).map((text) => said(text)),
    next === null ? null : `Next: ${said(next.words)}: ${markdownCode(next.command)}`,
  ];
  return `${lines.filter((line) => line !== null && line !== "").join("  \n")}\n`;
}

const said = (text: string): string => markdownSentence(shortened(text, mostInLine));

/** The figures of the metric that the headline is about; null: it is about none, or they do not count. */
function figuresLine({ findings: { headline }, gates, metrics, verdict }: ReportSummary): string | null {
  const about = subjectOfHeadline(headline);
  if (about === null || verdict.state === "invalid") return null;
  const isOwn = ({ candidate, metric, slice }: ReportGate): boolean =>
    candidate === about.candidate && metric === about.metric && slice === null;
  const gate = gates.find(isOwn);
  return gate === undefined ? null : `${markdownCode(gate.name)}: ${markdownText(gateLine(gate, metrics))}`;
}
