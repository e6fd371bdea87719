import { factText, gateLine, shownFacts, shownWord } from "../../say/findings.ts";
import { commandText, nextWords } from "../../say/next.ts";
import type { ReportGate, ReportSummary } from "../../shape/model.ts";
import { markdownCode, markdownText, shortened } from "../../text/markdown-text.ts";
import { capitalised } from "../../say/quantity.ts";
import { momentLabel } from "../../say/night-names.ts";
import { wordSigns } from "./markdown-doc.ts";

/** Characters of a line: a chat cuts longer ones. */
const mostInLine = 400;
const mostFacts = 2;

/** A report in a few lines of Markdown, to be sent: word and run, the headline, the figures, what is below them, and what is next. */
export function briefMarkdown(summary: ReportSummary): string {
  const { verdict, findings, suite, batch, startedAt, next } = summary;
  const { word } = findings.headline;
  const shown = capitalised(shownWord(findings).toLowerCase());
  const lines = [
    `**${word === null ? shown || "No verdict" : `${wordSigns[word]} ${shown}`}** · ${markdownText(shortened(suite, mostInLine))} · ${momentLabel(startedAt)} · ${markdownCode(batch)}`,
    said(verdict.sentence),
    figuresLine(summary),
    ...shownFacts(findings)
      .slice(0, mostFacts)
      .map((fact) => said(factText(fact, summary))),
    next === null ? null : `Next: ${said(nextWords(next))}: ${markdownCode(commandText(next))}`,
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

/** The figures of the metric that the headline is about; null: it is about none, or they do not count. */
function figuresLine({ findings: { headline }, gates, metrics, verdict }: ReportSummary): string | null {
  const about = headline.kind === "cannot-tell" ? headline.about : "candidate" in headline ? headline : null;
  if (about === null || !("metric" in about) || verdict.state === "invalid") return null;
  const isOwn = ({ candidate, metric, slice }: ReportGate): boolean =>
    candidate === about.candidate && metric === about.metric && slice === null;
  const gate = gates.find(isOwn);
  return gate === undefined ? null : `${markdownCode(gate.name)}: ${markdownText(gateLine(gate, metrics))}`;
}
