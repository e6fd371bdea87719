import type { FileHandle } from "node:fs/promises";
import type { RowBatch } from "../row.ts";
import { type FileReadApart, readApart, type ReadApartOptions } from "./read-apart.ts";

/**
 * The rows of a Parquet file: texts as they are, numbers and times as texts, lists and objects as JSON; some thousand rows
 * at once.
 */
export function readParquet(path: string, options: ReadApartOptions): AsyncGenerator<RowBatch, void, undefined> {
  return readApart(path, parquetFile, options);
}

const parquetFile: FileReadApart = {
  kind: "parquet",
  process: { bundled: "parquet-process", source: "dataset/table/parquet-process.ts" },
  memoryMb: 512,
  refusal: async (handle, size) =>
    (await isParquet(handle, size)) ? null : { message: "it is no Parquet file", hint: null },
};

/** True for a file that begins and ends with the mark of Parquet. */
async function isParquet(handle: FileHandle, size: number): Promise<boolean> {
  if (size < 12) return false;
  const marks = Buffer.alloc(8);
  await handle.read(marks, 0, 4, 0);
  await handle.read(marks, 4, 4, size - 4);
  return marks.toString("latin1") === "PAR1PAR1";
}
