import { type Address, readAddress, writeAddress } from "./address.ts";

/** The address of a batch in the viewer, or of those of its rows that are counted. */
export function batchAddress(
  batch: string,
  rows: Partial<Pick<Address, "target" | "show" | "group" | "tags">> = {},
): string {
  return writeAddress({ ...readAddress(""), batch, ...rows });
}

/** The address of a batch compared with another one. */
export function comparedAddress(batch: string, against: string): string {
  return writeAddress({ ...readAddress(""), batch, against });
}
