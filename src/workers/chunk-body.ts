import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import type { PackedRows } from "../store/packed-rows.ts";

const packed = z.record(
  z.string(),
  z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.object({ base64: z.string() })]))),
);

/** Rows as the bytes that they are uploaded as. */
export const packedBytes = (rows: PackedRows): Buffer => gzipSync(JSON.stringify(rows), { level: 1 });

export const rowsOfBytes = (bytes: Buffer): PackedRows => rowsOfText(gunzipSync(bytes).toString("utf8"));

export const rowsOfText = (text: string): PackedRows => packed.parse(JSON.parse(text));
