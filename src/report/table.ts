import { displayWidth, fit, pad } from "./width.ts";

/** A column of a table in the terminal. */
export interface TableColumn {
  title: string;
  align: "left" | "right";
  /** The widest it may become. */
  most: number;
  /** Where the table is too wide, columns with a higher number go first; left out: it stays. */
  drop?: number;
}

/**
 * Lines of aligned columns, two spaces apart, the titles first; cells that are too wide are cut. Where the table would be
 * wider than `width`, columns that may go are left out, and then every line is cut.
 */
export function tableLines(
  columns: readonly TableColumn[],
  rows: ReadonlyArray<readonly string[]>,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map(({ most }, index) =>
    Math.min(most, Math.max(...lines.map((line) => displayWidth(line[index] ?? "")))),
  );
  const shown = shownColumns(columns, widths, width);
  return lines.map((line) =>
    fit(
      shown
        .map((index) => {
          const cell = fit(line[index] ?? "", widths[index] ?? 0);
          return pad(cell, widths[index] ?? 0, columns[index]?.align === "right" ? "right" : "left");
        })
        .join("  ")
        .trimEnd(),
      width,
    ),
  );
}

/** Places of the columns that there is room for. */
function shownColumns(columns: readonly TableColumn[], widths: readonly number[], width: number): number[] {
  let shown = columns.map((_, index) => index);
  const total = (): number => shown.reduce((sum, index) => sum + (widths[index] ?? 0) + 2, -2);
  while (total() > width) {
    const first = Math.max(0, ...shown.map((index) => columns[index]?.drop ?? 0));
    if (first === 0) break;
    shown = shown.filter((index) => columns[index]?.drop !== first);
  }
  return shown;
}
