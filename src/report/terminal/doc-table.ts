import { wordFacts } from "../../compare/verdict-word.ts";
import { columnsIn, phraseWriter } from "../doc/table.ts";
import type { DocColumn, DocTable } from "../shape/doc.ts";
import { visible } from "../text/visible.ts";
import { counted } from "../say/quantity.ts";
import type { Paint } from "./paint.ts";
import { type TableColumn, tableLines } from "./table.ts";

/** The form of a table: its width, its number of lines, and its colours. */
export interface TableScreen {
  width: number;
  most: number;
  color: Paint;
  /** Columns that the first column takes at least. */
  least?: number;
}

const marks = { regression: "✗", pass: "✓", inconclusive: "?", invalid: "!" } as const;
const colours = { regression: "red", pass: "green", inconclusive: "yellow", invalid: "red" } as const;

/** The lines of a table: its titles, `most` of its rows, and how many more there are. */
export function docTable(table: DocTable, { width, most, color, least = 0 }: TableScreen): string[] {
  const columns = columnsIn(table, "terminal");
  const rows = table.rows.slice(0, most);
  const cells = rows.map((row) =>
    columns.map(({ place }) => {
      const cell = row.cells[place];
      return cell === undefined ? "" : saidText(cell.short ?? cell.text);
    }),
  );
  const [title = "", ...lines] = tableLines(
    columns.map(({ column }, place) => ({ ...terminalColumn(column, width), ...(place === 0 && { least }) })),
    cells,
    width,
  );
  const more = table.rows.length - rows.length;
  return [
    color("bold", title),
    ...lines.map((line, place) => {
      const state = rows[place]?.state ?? null;
      return state === null ? line : color(colours[state], line.slice(0, 1)) + line.slice(1);
    }),
    ...(more > 0 ? [color("dim", `and ${counted(more, `more ${table.noun}`)}: see the report`)] : []),
  ];
}

function terminalColumn({ title, short = title, kind, drop }: DocColumn, width: number): TableColumn {
  const isNamed = typeof short !== "string";
  const isFigure = kind === "number" || kind === "range";
  return {
    title: saidText(short),
    align: isFigure ? "right" : "left",
    most: kind === "name" || isNamed ? 30 : kind === "number" ? 24 : kind === "range" ? 36 : width,
    ...(drop === undefined ? {} : { drop }),
    ...(kind === "name" ? { names: "cells" as const } : isNamed ? { names: "title" as const } : {}),
  };
}

/** A text of a document in one line, without pictures. */
export const saidText = phraseWriter({
  text: visible,
  name: (name) => visible(name),
  word: (word) => marks[wordFacts(word).state],
  strong: (text) => text,
  holds: (isSo) => (isSo ? "✓" : "!"),
});
