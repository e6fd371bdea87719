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
