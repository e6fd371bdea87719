import { jsonText } from "../../lib/json.ts";
import type { TypedColumn } from "./table.ts";

/** A column of the dataset: where it is read from, and the header it gets. */
export interface DatasetColumn {
  name: string;
  header: string;
}

/** The dataset's own columns in a report: one whose name is taken gets `dataset.` before it, again until it is free. */
export function datasetColumns(names: readonly string[], ...taken: ReadonlyArray<readonly string[]>): DatasetColumn[] {
  const used = new Set([...taken.flat(), ...names]);
  const reserved = new Set(taken.flat());
  return names.map((name) => {
    let header = name;
    if (reserved.has(name)) {
      do header = `dataset.${header}`;
      while (used.has(header));
      used.add(header);
    }
    return { name, header };
  });
}

/** It as a column of a table. */
export function typedColumn({ name, header }: DatasetColumn): TypedColumn {
  return { name: header, type: "text", sheet: name };
}

/** The cells of a row; a column that the row does not have is empty. */
export function datasetCells(columns: readonly DatasetColumn[], row: Record<string, string>): Array<string | null> {
  return columns.map(({ name }) => datasetCell(row, name));
}

/** One of them. */
export function datasetCell(row: Record<string, string>, name: string): string | null {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** The tags of a case as one value, which a table of plain texts has no place for. */
export const tagsColumn: TypedColumn = { name: "tags", type: "json" };

export function tagsCell({ tags }: { tags: Record<string, string> }): string {
  return jsonText(tags);
}
