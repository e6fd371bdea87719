import { factsOfOne, factWords, type SaidFact, shownWord } from "../say/findings.ts";
import { commandText, nextWords } from "../say/next.ts";
import type { DocTable } from "../shape/doc.ts";
import type { ReportSummary } from "../shape/model.ts";
import { resultTable } from "./result-table.ts";

/** A line below the figures: its label, and its lines; `of`: who told it. */
export interface ResultLine extends SaidFact {
  of: "fact" | "history" | "note";
}

/** The most lines of each kind that a medium has room for. */
export type MostLines = Partial<Record<ResultLine["of"], number>>;

/** The result before its sections, as every medium draws it: word, sentence, figures, the lines below them, and the next step. */
export interface ResultHead {
  /** Empty: there is none. */
  word: string;
  sentence: string;
  figures: DocTable | null;
  lines: ResultLine[];
  next: { words: string; command: string } | null;
}

/** The head of a result with as many lines as a medium has room for. `history`: how the nights before stand. */
export function resultHead(summary: ReportSummary, most: MostLines = {}, history: readonly string[] = []): ResultHead {
  const { findings, verdict, next } = summary;
  return {
    word: shownWord(findings),
    sentence: verdict.sentence,
    figures: resultTable(summary),
    lines: resultLines(summary, history).filter(withinMost(most)),
    next: next === null ? null : { words: nextWords(next, summary), command: commandText(next) },
  };
}

/** The lines below the figures; what makes the data invalid is no line: it stands among the checks. */
function resultLines(summary: ReportSummary, history: readonly string[]): ResultLine[] {
  const told =
    (of: ResultLine["of"]) =>
    (text: string): ResultLine => ({ of, label: of, lines: [text] });
  return [
    ...factsOfOne(summary.findings)
      .filter(({ kind }) => kind !== "reasons")
      .map((fact): ResultLine => ({ of: "fact", ...factWords(fact, summary) })),
    ...history.map(told("history")),
    ...summary.alarms.map(({ sentence }) => sentence).map(told("history")),
    ...summary.cautions.map(told("note")),
  ];
}

function withinMost(most: MostLines): (line: ResultLine) => boolean {
  const left = { fact: Infinity, history: Infinity, note: Infinity, ...most };
  return ({ of }) => left[of]-- > 0;
}
