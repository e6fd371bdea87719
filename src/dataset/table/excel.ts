import type { FileHandle } from "node:fs/promises";
import type { RowBatch } from "../row.ts";
import { type FileReadApart, readApart, type ReadApartOptions } from "./read-apart.ts";

/** The rows of a sheet of an Excel workbook: what its cells show as texts, dates in ISO 8601, results of formulas. */
export function readExcel(path: string, options: ReadApartOptions): AsyncGenerator<RowBatch, void, undefined> {
  return readApart(path, workbook, options);
}

/** Bytes that a packed workbook may have: it is unpacked in memory. */
const mostMb = 128;

const workbook: FileReadApart = {
  kind: "excel",
  process: { bundled: "excel-process", source: "dataset/table/excel-process.ts" },
  memoryMb: 1536,
  async refusal(handle, size) {
    const mark = await firstBytes(handle);
    if (mark === "d0cf11e0") {
      const hint = "Open it in a spreadsheet and save it as .xlsx without a password, or as CSV.";
      return { message: "it is protected by a password, or a workbook of Excel from before 2007", hint };
    }
    if (mark !== "504b0304")
      return { message: "it is no workbook of Excel", hint: "Save it as .xlsx, or give it the ending of what it is." };
    if (size > mostMb * 1024 * 1024)
      return {
        message: `the workbook has more than ${mostMb} MB`,
        hint: "Save the sheet as CSV, which is read as it comes.",
      };
    return null;
  },
};

async function firstBytes(handle: FileHandle): Promise<string> {
  const bytes = Buffer.alloc(4);
  await handle.read(bytes, 0, 4, 0);
  return bytes.toString("hex");
}
