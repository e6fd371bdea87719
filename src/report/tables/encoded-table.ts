import type { Cell } from "./spreadsheet.ts";
import type { WantedPart } from "./table-view.ts";
import type { FilePiece, Table, TypedColumn, TableEncoder } from "./table.ts";

/**
 * Number of rows after which there is a piece in any case, be it empty: the writer has other things to look after, such
 * as Ctrl-C.
 */
const mostLooked = 2000;

/** A table, or the part of it that is wanted, as the pieces of a file. */
export function* encodedTable(
  { columns, rows }: Table,
  encoderOf: (columns: readonly TypedColumn[]) => TableEncoder,
  wanted: WantedPart | null = null,
): Generator<FilePiece> {
  const encoder = encoderOf(wanted?.columns ?? columns);
  let looked = 0;
  for (const row of rows) {
    const shown: readonly Cell[] | null = wanted === null ? row : wanted.rowOf(row);
    if (shown !== null) encoder.add(shown);
    looked += 1;
    if (!encoder.isFull && looked < mostLooked) continue;
    yield encoder.take();
    looked = 0;
  }
  yield encoder.end();
}
