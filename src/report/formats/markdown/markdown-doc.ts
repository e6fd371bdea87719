import { type VerdictWord, wordInText } from "../../../compare/verdict-word.ts";
import { columnsIn } from "../../doc/table.ts";
import type { Phrase, DocTable } from "../../shape/doc.ts";
import { markdownCode, markdownText } from "../../text/markdown-text.ts";
import { counted } from "../../words/quantity.ts";

export const wordSigns: Record<VerdictWord, string> = {
  regression: "❌",
  invalid: "⛔",
  worse: "🔻",
  "cannot-tell": "❔",
  "too-few-cases": "⚠️",
  pass: "✅",
  better: "🏆",
  best: "🏆",
  "close-enough": "🏁",
  changed: "🔀",
};

/** A table in Markdown, and the number of lines beyond `most`. */
export function markdownTable(table: DocTable, most: number): string[] {
  const columns = columnsIn(table, "markdown");
  const heads = columns.map(({ column }) => saidInMarkdown(column.title));
  const rows = table.rows
    .slice(0, most)
    .map(({ cells }) => columns.map(({ place }) => saidInMarkdown(cells[place]?.text ?? "")));
  const lines = [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [lines.join("\n"), ...moreLine(table.rows.length - most, table.noun)];
}

/** The number of those that are not listed; empty where all are. */
export function moreLine(more: number, noun: string): string[] {
  return more > 0 ? [`and ${counted(more, `more ${noun}`)}`] : [];
}

/** A text of a document in a line or a cell of Markdown. */
export function saidInMarkdown(phrase: Phrase): string {
  if (typeof phrase === "string") return markdownText(phrase);
  if (isPhrases(phrase)) return phrase.map(saidInMarkdown).join("");
  if ("name" in phrase) return markdownCode(phrase.name, phrase.most);
  if ("target" in phrase) return markdownCode(phrase.target);
  if ("word" in phrase) return `${wordSigns[phrase.word]} ${wordInText(phrase.word)}`;
  if ("strong" in phrase) return `**${saidInMarkdown(phrase.strong)}**`;
  if ("quiet" in phrase) return saidInMarkdown(phrase.quiet);
  if ("link" in phrase) return saidInMarkdown(phrase.link);
  if ("note" in phrase) return ` (${markdownText(phrase.note)})`;
  if ("remark" in phrase) return ` ${markdownText(phrase.remark)}`;
  return "list" in phrase ? phrase.list.slice(0, phrase.most).map(saidInMarkdown).join("; ") : "";
}

const isPhrases = (phrase: Phrase): phrase is readonly Phrase[] => Array.isArray(phrase);
