import { displayWidth, fit, pad } from "./width.ts";

/** A column of a table in the terminal. */
export interface TableColumn {
  title: string;
  align: "left" | "right";
  /** The widest it may become. */
  most: number;
}

/** Lines of aligned columns, two spaces apart, the titles first; cells that are too wide are cut. */
export function tableLines(columns: readonly TableColumn[], rows: ReadonlyArray<readonly string[]>): string[] {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map(({ most }, index) =>
    Math.min(most, Math.max(...lines.map((line) => displayWidth(line[index] ?? "")))),
  );
  return lines.map((line) =>
    columns
      .map(({ align }, index) => {
        const width = widths[index] ?? 0;
        return pad(fit(line[index] ?? "", width), width, align === "right" ? "right" : "left");
      })
      .join("  ")
      .trimEnd(),
  );
}
