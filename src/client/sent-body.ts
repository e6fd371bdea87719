import { Readable } from "node:stream";
import type { BodyPiece, BodyWithFiles, CaseFile } from "../api/files/case-file.ts";
import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { fileReason, placeInside, readFlags, swapFault } from "../lib/paths/inside-folder.ts";

/** A body whose files are open, and are what was planned. */
export interface OpenBody {
  length: number;
  /** The bytes, read as they are sent. */
  stream: () => Readable;
  /** The reason why the body ended before its last byte; null: it did not. */
  fault: () => string | null;
  close: () => Promise<void>;
}

/** Bytes of the files of a request that are kept from the first reading, so that nothing is read a second time. */
const mostKept = 1_000_000;

/**
 * Opens the files of a body and reads each once, so that nothing is sent but what was planned. Raises an Error with what
 * became of a file, or with the reason of a signal: a disk that does not answer is not waited for.
 * Small files are sent as they were read. A larger one is read again; if it has changed, the request ends before it is whole.
 */
export async function openBody(body: BodyWithFiles, signal?: AbortSignal): Promise<OpenBody> {
  if (signal === undefined) return openAll(body, null);
  const opening = openAll(body, signal);
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(reasonOf(signal));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([opening, stopped]);
  } catch (error) {
    void opening.then(
      (late) => late.close(),
      () => null,
    );
    throw error;
  }
}

const reasonOf = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : new Error(String(reason)));

async function openAll({ pieces, roots }: BodyWithFiles, signal: AbortSignal | null): Promise<OpenBody> {
  const opened = new Map<string, PlannedFile>();
  const close = async (): Promise<void> => {
    for (const file of opened.values()) await file.close();
  };
  try {
    let kept = 0;
    for (const piece of pieces) {
      if (typeof piece === "string" || opened.has(nameOf(piece.file))) continue;
      const isKept = kept + piece.file.bytes <= mostKept;
      if (isKept) kept += piece.file.bytes;
      opened.set(nameOf(piece.file), await openPlanned(piece.file, roots));
      await readOnce(opened, piece.file, { isKept, signal });
    }
  } catch (error) {
    await close();
    throw error;
  }
  let fault: string | null = null;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* chunksOf(pieces, (file) => fileIn(opened, file).bytes());
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };
  return {
    length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
    stream: () => Readable.from(chunks(), { objectMode: false }),
    fault: () => fault,
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

function fileIn(opened: ReadonlyMap<string, PlannedFile>, file: CaseFile): PlannedFile {
  const found = opened.get(nameOf(file));
  if (found === undefined) throw new Error(`${file.file} is not open`);
  return found;
}

/** Reads a file that is open to its end; one that is kept is closed, and stands there as what was read. */
async function readOnce(
  opened: Map<string, PlannedFile>,
  file: CaseFile,
  { isKept, signal }: { isKept: boolean; signal: AbortSignal | null },
): Promise<void> {
  const kept: Buffer[] = [];
  const planned = fileIn(opened, file);
  for await (const piece of planned.bytes()) {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (isKept) kept.push(piece);
  }
  if (!isKept) return;
  await planned.close();
  opened.set(nameOf(file), { bytes: () => kept, close: () => Promise.resolve() });
}

async function* chunksOf(
  pieces: readonly BodyPiece[],
  bytes: (file: CaseFile) => ReturnType<PlannedFile["bytes"]>,
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === "string") {
      if (piece !== "") yield Buffer.from(piece);
      continue;
    }
    for await (const chunk of bytes(piece.file))
      yield piece.as === "bytes" ? chunk : Buffer.from(chunk.toString("base64"));
  }
}

function lengthOf(piece: BodyPiece): number {
  if (typeof piece === "string") return Buffer.byteLength(piece);
  const { bytes } = piece.file;
  return piece.as === "bytes" ? bytes : 4 * Math.ceil(bytes / 3);
}

/** A file of a case that is open. Its bytes come in pieces of which all but the last are divisible by 3. */
interface PlannedFile {
  /** Ends with an Error before the last piece when the bytes are not those that were planned. */
  bytes: () => AsyncIterable<Buffer> | Iterable<Buffer>;
  close: () => Promise<void>;
}

/** Divisible by 3: base64 of a piece ends without padding. */
const pieceBytes = 3 * 64 * 1024;

/** Opens a file below its folder, without waiting for anything that is none. Raises an Error with what became of it. */
async function openPlanned(file: CaseFile, roots: readonly string[]): Promise<PlannedFile> {
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
