import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FileFacts } from "../file-facts.ts";
import type { FindingList } from "../finding.ts";
import { peek } from "./head.ts";

/** Unpacks what begins like gzip; other bytes pass as they are. A packed file that is damaged or cut off raises DATASET_INVALID. */
export async function* unpack(
  chunks: AsyncIterable<Uint8Array>,
  { packed, facts, faults }: { packed: boolean; facts: FileFacts; faults: FindingList },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { head, all, close } = await peek(chunks, 2);
  const refuse = (message: string, hint: string): never => {
    faults.add({ kind: "gzip", file: facts.file, row: null, line: null, message, hint });
    throw faults.error();
  };
  try {
    facts.compressed = head[0] === 0x1f && head[1] === 0x8b;
    if (!facts.compressed) {
      if (packed && head.length > 0)
        refuse("the name ends with .gz, but the file is not gzip", "Take .gz off its name.");
      yield* all;
      return;
    }
    // The error of a source that breaks comes out of the iteration as well.
    const gunzip: AsyncIterable<Uint8Array> = pipeline(all, createGunzip(), () => undefined);
    try {
      yield* gunzip;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code === "Z_BUF_ERROR")
        refuse("the packed file is cut off: its end is missing", "Copy or download it again.");
      if (code.startsWith("Z_")) refuse(`the packed file is damaged (${code})`, "Copy or download it again.");
      throw error;
    }
  } finally {
    await close();
  }
}
