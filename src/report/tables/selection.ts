import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { Cell } from "./spreadsheet.ts";
import { columnHint, type FilePiece, namedColumns, type Table, type TableEncoder, type TypedColumn } from "./table.ts";
import { readWhere, type Where } from "./where.ts";

/** Some columns of a table, and the cells of them of a line; null: the line is not wanted. */
export interface TableSelection {
  columns: TypedColumn[];
  cellsOf: (line: readonly Cell[]) => Cell[] | null;
}

/**
 * The columns of some names, in their order (`*` stands for any letters; null: all, as they stand), and the lines that meet every
 * one of some queries, which may be about columns that are not written. Throws USAGE for columns that the table does not have, and
 * for queries that cannot be understood.
 */
export async function selectFrom(
  { columns: all, behind }: Pick<Table, "columns" | "behind">,
  { columns, where }: { columns: readonly string[] | null; where: readonly string[] },
): Promise<TableSelection> {
  const header = all.map(({ name }) => name);
  const places = columns === null ? header.map((_, place) => place) : placesOf(header, columns);
  const filters: Where[] = [];
  for (const text of where) {
    if (behind === undefined) throw new Error("a query asks of rows, and there are none behind this table");
    filters.push(await readWhere(text, all, behind));
  }
  return {
    columns: places.flatMap((place) => all[place] ?? []),
    cellsOf: (line) => (filters.every((wants) => wants(line)) ? places.map((place) => line[place] ?? null) : null),
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

/**
 * Number of rows after which there is a piece in any case, be it empty: the writer has other things to look after, such
 * as Ctrl-C.
 */
const mostLooked = 2000;

/** A table, or a selection of it, as the pieces of a file. */
export function* tablePieces(
  { columns, rows }: Table,
  encoderOf: (columns: readonly TypedColumn[]) => TableEncoder,
  selection: TableSelection | null = null,
): Generator<FilePiece> {
  const encoder = encoderOf(selection?.columns ?? columns);
  let looked = 0;
  for (const row of rows) {
    const shown: readonly Cell[] | null = selection === null ? row : selection.cellsOf(row);
    if (shown !== null) encoder.add(shown);
    looked += 1;
    if (!encoder.isFull && looked < mostLooked) continue;
    yield encoder.take();
    looked = 0;
  }
  yield encoder.end();
}
