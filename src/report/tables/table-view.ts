import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { columnHint, namedColumns } from "./named-columns.ts";
import type { Cell } from "./spreadsheet.ts";
import type { Table, TypedColumn } from "./table.ts";
import { readWhere, type Where } from "./where.ts";

/** The part of a table that is wanted. */
export interface TableView {
  /** Names of columns in the order in which they are written, with `*` for any letters; null: all, as they stand. */
  columns: readonly string[] | null;
  /** Queries that a line has to meet, all of them; see where.ts. */
  where: readonly string[];
}

/** The columns of the part of a table that is wanted, and what it has of each line; null: nothing. */
export interface WantedPart {
  columns: TypedColumn[];
  rowOf: (row: readonly Cell[]) => Cell[] | null;
}

/**
 * A table with only the wanted columns and rows. A filter may be about a column that is not written.
 * Throws USAGE for columns that the table does not have, and for filters that cannot be understood.
 */
export async function viewOf(
  { columns: all, behind }: Pick<Table, "columns" | "behind">,
  { columns, where }: TableView,
): Promise<WantedPart> {
  const header = all.map(({ name }) => name);
  const places = columns === null ? header.map((_, place) => place) : placesOf(header, columns);
  const filters: Where[] = [];
  for (const text of where) {
    if (behind === undefined) throw new Error("a query asks of rows, and there are none behind this table");
    filters.push(await readWhere(text, all, behind));
  }
  return {
    columns: places.flatMap((place) => all[place] ?? []),
    rowOf: (row) => (filters.every((wants) => wants(row)) ? places.map((place) => row[place] ?? null) : null),
  };
}

/** `a,b,"c, d"`: names between commas; in double quotes where a name has a comma, `""` for a quote. */
export function readColumnList(text: string): string[] {
  const names: string[] = [];
  const piece = /\s*(?:"((?:[^"]|"")*)"\s*|([^,"]*))(?:,|$)/suy;
  for (;;) {
    const at = piece.lastIndex;
    const found = piece.exec(text);
    const name = found?.[1]?.replaceAll('""', '"') ?? found?.[2]?.trim() ?? "";
    if (found === null || name === "") {
      throw new AppError("USAGE", `--columns, character ${at + 1}: a column is expected: ${showText(text)}`, {
        hint: 'For example: --columns case_key,test.answer,"a name, with a comma"',
      });
    }
    names.push(name);
    if (piece.lastIndex >= text.length && !found[0].endsWith(",")) return names;
  }
}

function placesOf(header: readonly string[], columns: readonly string[]): number[] {
  const places = columns.flatMap((name) => {
    const found = namedColumns(name, header);
    if (found.length > 0) return found;
    throw new AppError("USAGE", `--columns: there is no column ${showText(name)}.`, { hint: columnHint(name, header) });
  });
  return Array.from(new Set(places));
}
