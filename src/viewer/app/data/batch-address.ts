import { queryOfRows } from "../../../report/query/query-edit.ts";
import type { DocRows } from "../../../report/shape/doc.ts";
import { type AddressSort, readAddress, writeAddress } from "./address.ts";

/** The rows that a number or a name leads to, in their order. */
export interface RowsTo extends Omit<DocRows, "target" | "sort"> {
  target?: string | null;
  sort?: AddressSort;
  /** The answers of all targets stand beside each other; left out: as it is. */
  isAll?: true;
}

/** The address of a batch in the viewer, or of those of its rows that are counted. */
export function batchAddress(batch: string, { target = null, ...rows }: RowsTo = {}): string {
  return writeAddress({ ...readAddress(""), batch, target, text: queryOfRows(rows) });
}

/** The address of a batch compared with another one. */
export function comparedAddress(batch: string, against: string): string {
  return writeAddress({ ...readAddress(""), batch, against });
}
