import { shortNames } from "../text/short-names.ts";
import { displayWidth, fit, pad } from "../text/width.ts";

/** A column of a table in the terminal. */
export interface TableColumn {
  title: string;
  align: "left" | "right";
  /** The widest it may become. */
  most: number;
  /** Number of a column: if the table is too wide, those with a higher number go first. */
  drop?: number;
  /** The narrowest it may be. */
  least?: number;
  /** Its cells, or only its title, are names: they give way to figures, and keep their ends. */
  names?: "cells" | "title";
}

/** Names stay at least so long while other columns may go; after that so long. */
const wideName = 14;
const narrowName = 7;

/**
 * Lines of aligned columns, two spaces apart, the titles first; cells that are too wide are cut. Where the table would be
 * wider than `width`, names are cut, columns that may go are left out, and at last every line is cut.
 */
export function tableLines(
  columns: readonly TableColumn[],
  rows: ReadonlyArray<readonly string[]>,
  width = Number.POSITIVE_INFINITY,
): string[] {
  return fittedTable(columns, rows, width).lines;
}

/** The same with the titles of the columns that were left out. */
export function fittedTable(
  columns: readonly TableColumn[],
  rows: ReadonlyArray<readonly string[]>,
  width: number,
): { lines: string[]; left: string[] } {
  const lines = [columns.map(({ title }) => title), ...rows];
  const sized = columns.map((column, place) => {
    const [title = 0, ...cells] = lines.map((line) => displayWidth(line[place] ?? ""));
    const widest = Math.max(0, ...cells);
    const least = column.names === undefined ? null : column.names === "cells" ? 0 : widest;
    return { column, place, least, width: Math.min(column.most, Math.max(column.least ?? 0, title, widest)) };
  });
  const shown = fitted(sized, width);
  const left = columns.filter((column) => shown.every((each) => each.column !== column)).map(({ title }) => title);
  const cut = namesCut(lines, { sized, shown });
  const drawn = cut.map((line) => {
    const cells = shown.map(({ column, place, width: own }) =>
      pad(fit(line[place] ?? "", own), own, column.align === "right" ? "right" : "left"),
    );
    return fit(cells.join("  ").trimEnd(), width);
  });
  return { lines: drawn, left };
}

/** The lines of a table with their names cut, those of a column together and those of all titles. */
function namesCut(
  lines: ReadonlyArray<readonly string[]>,
  { sized, shown }: { sized: readonly SizedColumn[]; shown: readonly SizedColumn[] },
): string[][] {
  const cut = lines.map((line) => [...line]);
  const [titles = [], ...rows] = cut;
  const titled = shown.filter(({ column }) => column.names === "title");
  const short = shortNames(
    titled.map(({ place }) => titles[place] ?? ""),
    titled.map(({ width }) => width),
    sized.flatMap(({ column, place }) => (column.names === "title" ? [titles[place] ?? ""] : [])),
  );
  titled.forEach(({ place }, at) => (titles[place] = short[at] ?? ""));
  for (const { place, width } of shown.filter(({ column }) => column.names === "cells")) {
    const names = shortNames(
      rows.map((row) => row[place] ?? ""),
      rows.map(() => width),
    );
    rows.forEach((row, at) => (row[place] = names[at] ?? ""));
  }
  return cut;
}

interface SizedColumn {
  column: TableColumn;
  place: number;
  /** Least width that its figures allow; null: it holds no names. */
  least: number | null;
  width: number;
}

function fitted(sized: SizedColumn[], width: number): SizedColumn[] {
  let shown = sized;
  const overflow = (): number => shown.reduce((sum, column) => sum + column.width + 2, -2) - width;
  shorten(shown, overflow, wideName);
  while (overflow() > 0) {
    const first = Math.max(0, ...shown.map(({ column }) => column.drop ?? 0));
    if (first === 0) break;
    shown = shown.filter(({ column }) => column.drop !== first);
  }
  shorten(shown, overflow, narrowName);
  return shown;
}

/** Takes from the widest names first. */
function shorten(columns: readonly SizedColumn[], overflow: () => number, name: number): void {
  for (let over = overflow(); over > 0; over--) {
    const spare = columns.filter((column) => column.least !== null && column.width > Math.max(column.least, name));
    const widest = spare.toSorted((a, b) => b.width - a.width)[0];
    if (widest === undefined) return;
    widest.width -= 1;
  }
}
