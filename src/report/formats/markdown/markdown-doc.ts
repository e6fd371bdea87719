import { type VerdictWord, wordInText } from "../../../compare/verdict-word.ts";
import { columnsIn, phraseWriter } from "../../doc/table.ts";
import type { DocTable } from "../../shape/doc.ts";
import { markdownCode, markdownSentence } from "../../text/markdown-text.ts";
import { counted } from "../../say/quantity.ts";

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
export const saidInMarkdown = phraseWriter({
  text: markdownSentence,
  name: markdownCode,
  word: (word) => `${wordSigns[word]} ${wordInText(word)}`,
  strong: (text) => `**${text}**`,
  holds: (isSo) => (isSo ? "✅" : "⛔"),
});
