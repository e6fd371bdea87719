import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { BodyPiece, BodyWithFiles, CaseFile } from "../api/files/case-file.ts";
import { fileReason, placeInside } from "../lib/inside-folder.ts";

/** A body whose files are open, and are what was planned. */
export interface OpenBody {
  length: number;
  /** The bytes, read as they are sent. */
  stream: () => Readable;
  close: () => Promise<void>;
}

interface OpenFile {
  file: CaseFile;
  handle: FileHandle;
}

/** Divisible by 3: base64 of a piece ends without padding. */
const chunkBytes = 3 * 64 * 1024;

/**
 * Opens the files of a body and reads each once, so that nothing is sent but what was planned. Raises an Error with what
 * became of a file. A file that is changed while it is sent ends the request before it is whole.
 */
export async function openBody({ pieces, roots }: BodyWithFiles): Promise<OpenBody> {
  const opened = new Map<string, OpenFile>();
  const close = async (): Promise<void> => {
    for (const { handle } of opened.values()) await handle.close();
  };
  try {
    for (const piece of pieces) {
      if (typeof piece === "string" || opened.has(nameOf(piece.file))) continue;
      const { file } = piece;
      const handle = await openFile(file, roots);
      opened.set(nameOf(file), { file, handle });
      for await (const _ of verified({ file, handle }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const bytes = (piece: Exclude<BodyPiece, string>): AsyncGenerator<Buffer> => {
    const found = opened.get(nameOf(piece.file));
    if (found === undefined) throw new Error(`${piece.file.file} is not open`);
    return verified(found);
  };
  return {
    length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
    stream: () => Readable.from(chunksOf(pieces, bytes), { objectMode: false }),
    close,
  };
}

/** The reason why the files of a suite's plan cannot be sent as they were planned; null: they can. */
export async function changeOf(file: CaseFile, roots: readonly string[]): Promise<string | null> {
  try {
    const body = await openBody({ pieces: [{ file, as: "bytes" }], roots });
    await body.close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const nameOf = ({ root, file, sha256 }: CaseFile): string => JSON.stringify([root, file, sha256]);

async function openFile(file: CaseFile, roots: readonly string[]): Promise<FileHandle> {
  const place = placeInside(roots[file.root] ?? "", file.file);
  if (!place.ok) throw new Error(`the file ${file.file} ${place.fault}`);
  try {
    return await open(place.path, "r");
  } catch (error) {
    throw new Error(`the file ${file.file} ${fileReason(error)}`, { cause: error });
  }
}

/** The bytes of a file in pieces; the last one comes when all of them are known to be those that were planned. */
async function* verified({ file, handle }: OpenFile): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let held: Buffer | null = null;
  let place = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, file.bytes + 1 - place));
    const { bytesRead } = await readFull(handle, buffer, place);
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

/** Reads until the buffer is full or the file ends, as one read may give less. */
async function readFull(handle: FileHandle, buffer: Buffer, place: number): Promise<{ bytesRead: number }> {
  let bytesRead = 0;
  while (bytesRead < buffer.length) {
    const read = await handle.read(buffer, bytesRead, buffer.length - bytesRead, place + bytesRead);
    if (read.bytesRead === 0) break;
    bytesRead += read.bytesRead;
  }
  return { bytesRead };
}

async function* chunksOf(
  pieces: readonly BodyPiece[],
  bytes: (piece: Exclude<BodyPiece, string>) => AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === "string") {
      if (piece !== "") yield Buffer.from(piece);
      continue;
    }
    for await (const chunk of bytes(piece)) yield piece.as === "bytes" ? chunk : Buffer.from(chunk.toString("base64"));
  }
}

function lengthOf(piece: BodyPiece): number {
  if (typeof piece === "string") return Buffer.byteLength(piece);
  const { bytes } = piece.file;
  return piece.as === "bytes" ? bytes : 4 * Math.ceil(bytes / 3);
}
