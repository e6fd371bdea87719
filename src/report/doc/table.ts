import type { VerdictWord } from "../../compare/verdict-word.ts";
import type { DocCell, DocColumn, Medium, Phrase, DocTable, DocRow } from "../shape/doc.ts";

/** A column with what it shows of a line; a phrase alone is the same everywhere. */
export interface ColumnOf<Line> extends DocColumn {
  cell: (line: Line) => Phrase | DocCell;
}

/** The table of lines that are given in their order. */
export function tableOf<Line>(
  about: Pick<DocTable, "name" | "noun">,
  columns: readonly ColumnOf<Line>[],
  lines: readonly (Omit<DocRow, "cells"> & { of: Line })[],
): DocTable {
  const rows = lines.map(({ of, ...row }) => ({ ...row, cells: columns.map(({ cell }) => cellOf(cell(of))) }));
  return { ...about, columns, rows };
}

function cellOf(content: Phrase | DocCell): DocCell {
  return typeof content === "object" && "text" in content ? content : { text: content };
}

/** The columns that a medium shows, each with the place of its cells. */
export function columnsIn({ columns }: DocTable, medium: Medium): { column: DocColumn; place: number }[] {
  return columns.flatMap((column, place) => (column.not?.includes(medium) === true ? [] : [{ column, place }]));
}

/** The words by which a medium of plain characters writes what is not only text. */
interface PlainMedium {
  text: (text: string) => string;
  name: (name: string, most?: number) => string;
  word: (word: VerdictWord) => string;
  strong: (text: string) => string;
  holds: (isSo: boolean) => string;
}

/** Writes phrases in one line, without pictures. */
export function phraseWriter({ text, name, word, strong, holds }: PlainMedium): (phrase: Phrase) => string {
  const written = (phrase: Phrase): string => {
    if (typeof phrase === "string") return text(phrase);
    if (isPhrases(phrase)) return phrase.map(written).join("");
    if ("name" in phrase) return name(phrase.name, phrase.most);
    if ("target" in phrase) return name(phrase.target);
    if ("word" in phrase) return word(phrase.word);
    if ("holds" in phrase) return holds(phrase.holds);
    if ("strong" in phrase) return strong(written(phrase.strong));
    if ("quiet" in phrase) return written(phrase.quiet);
    if ("link" in phrase) return written(phrase.link);
    if ("note" in phrase) return ` (${text(phrase.note)})`;
    if ("remark" in phrase) return ` ${text(phrase.remark)}`;
    return "list" in phrase ? phrase.list.slice(0, phrase.most).map(written).join("; ") : "";
  };
  return written;
}

export const isPhrases = (phrase: Phrase): phrase is readonly Phrase[] => Array.isArray(phrase);
