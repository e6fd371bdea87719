import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { CaseFile } from "../api/files/case-file.ts";
import { fileReason, placeInside, readFlags, swapFault } from "../lib/paths/inside-folder.ts";

/** A file of a case that is open. Its bytes come in pieces of which all but the last are divisible by 3. */
export interface PlannedFile {
  /** Ends with an Error before the last piece when the bytes are not those that were planned. */
  bytes: () => AsyncIterable<Buffer> | Iterable<Buffer>;
  close: () => Promise<void>;
}

/** Divisible by 3: base64 of a piece ends without padding. */
const pieceBytes = 3 * 64 * 1024;

/** Opens a file below its folder, without waiting for anything that is none. Raises an Error with what became of it. */
export async function openPlanned(file: CaseFile, roots: readonly string[]): Promise<PlannedFile> {
  const place = placeInside(roots[file.root] ?? "", file.file);
  if (!place.ok) throw new Error(`the file ${file.file} ${place.fault}`);
  let handle: FileHandle;
  try {
    handle = await open(place.path, readFlags);
  } catch (error) {
    throw new Error(`the file ${file.file} ${fileReason(error)}`, { cause: error });
  }
  const swapped = swapFault(place.found, await handle.stat());
  if (swapped !== null) {
    await handle.close();
    throw new Error(`the file ${file.file} ${swapped}`);
  }
  return { bytes: () => verified(file, handle), close: () => handle.close() };
}

/** The bytes of a file in pieces; the last one comes when all of them are known to be those that were planned. */
async function* verified(file: CaseFile, handle: FileHandle): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let held: Buffer | null = null;
  let place = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, file.bytes + 1 - place));
    const bytesRead = await readFull(handle, buffer, place);
    if (bytesRead === 0) break;
    if (held !== null) yield held;
    held = buffer.subarray(0, bytesRead);
    hash.update(held);
    place += bytesRead;
  }
  if (place !== file.bytes || hash.digest("hex") !== file.sha256)
    throw new Error(`the file ${file.file} holds other bytes than when the run was planned`);
  if (held !== null) yield held;
}

/** Reads until the buffer is full or the file ends, as one read may give less; gives the count. */
async function readFull(handle: FileHandle, buffer: Buffer, place: number): Promise<number> {
  let count = 0;
  while (count < buffer.length) {
    const { bytesRead } = await handle.read(buffer, count, buffer.length - count, place + count);
    if (bytesRead === 0) break;
    count += bytesRead;
  }
  return count;
}
