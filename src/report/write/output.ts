import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "../../errors.ts";
import { tempSuffix, removeLeftovers } from "../../lib/leftovers.ts";
import { commandFilter } from "../../lib/ci-commands.ts";
import { windowsFault } from "../../lib/paths/device-name.ts";
import type { FilePiece } from "../tables/table.ts";
import { replaceFile } from "./replace-file.ts";
import { settled, unfinished } from "./unfinished.ts";

/** A report: whole, or its pieces in order. */
export type Chunks = string | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Writes a report as it is made, never holding all of it. A file appears whole or not at all: it is written beside its
 * place and then renamed. `-` is standard output, where a reader that has seen enough ends the report quietly; anything
 * that exists and is no file (a pipe, a device) is written to directly. Throws OUTPUT_UNWRITABLE.
 */
export async function writeReport(path: string, report: Chunks, stdout: Writable): Promise<void> {
  // A text is iterable too: character by character.
  const chunks = typeof report === "string" ? [report] : report;
  if (path === "-") return writeTo(stdout, chunks);
  const place = await outputPlace(path);
  if (place.isFile) return writeFile(path, chunks);
  try {
    await pipeline(chunks, createWriteStream(place.path));
  } catch (cause) {
    if (!isClosedPipe(cause)) throw unwritable(path, cause);
  }
}

/**
 * Makes sure that a report can be written to a path, before the work whose result it is to hold: makes its folder and
 * a file in it, and removes the file. Throws OUTPUT_UNWRITABLE.
 */
export async function checkOutput(path: string): Promise<void> {
  if (path === "-") return;
  const place = await outputPlace(path);
  if (!place.isFile) return;
  const trial = besides(place.path);
  unfinished(trial);
  try {
    await (await open(trial, "wx")).close();
  } catch (cause) {
    throw unwritable(path, cause);
  } finally {
    await rm(trial, { force: true });
    settled(trial);
  }
}

async function writeTo(stdout: Writable, chunks: Chunks): Promise<void> {
  try {
    // Standard output is not ours to end.
    await pipeline(harmless(chunks), stdout, { end: false });
  } catch (cause) {
    if (!isClosedPipe(cause)) throw cause;
  }
}

/** The pieces without the commands that a CI would find in what is printed. Bytes are no text, and stay as they are. */
async function* harmless(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const filter = commandFilter();
  for await (const chunk of chunks) yield typeof chunk === "string" ? filter.push(chunk) : chunk;
  yield filter.end();
}

async function writeFile(path: string, chunks: Chunks): Promise<void> {
  const report = await openReport(path);
  try {
    for await (const chunk of chunks) await report.write(chunk);
  } catch (error) {
    await report.discard();
    throw error;
  }
  await report.close();
}

/** A report file that is being written: nothing of it is at its place before `close`. */
export interface OpenReport {
  /** Resolves when the piece before this one is written, so that the next can be made meanwhile. A piece may still be in the making. */
  write(piece: FilePiece | Promise<FilePiece>): Promise<void>;
  /** Puts the whole report in its place. */
  close(): Promise<void>;
  /** Forgets it; an older report stays as it was. */
  discard(): Promise<void>;
}

/**
 * A report to be written piece by piece, as `writeReport` does it, to a path that is not `-`.
 * It and its methods throw OUTPUT_UNWRITABLE.
 */
export async function openReport(path: string): Promise<OpenReport> {
  const place = await outputPlace(path);
  const beside = place.isFile ? besides(place.path) : place.path;
  if (place.isFile) {
    removeLeftovers(dirname(place.path));
    unfinished(beside);
  }
  try {
    return new ReportFile(path, {
      beside,
      place: place.path,
      handle: await open(beside, place.isFile ? "wx" : "w", place.mode),
    });
  } catch (cause) {
    settled(beside);
    throw unwritable(path, cause);
  }
}

/** Units of text for which a buffer is kept: larger pieces are of an answer that is large by itself. */
const mostKept = 1024 * 1024;

class ReportFile implements OpenReport {
  /** The path as it was asked for. */
  readonly #path: string;
  readonly #file: { beside: string; place: string; handle: FileHandle };
  /** Holds the bytes of the text that is being written: a new buffer for each piece would cost half as much as to write it. */
  #bytes = Buffer.alloc(0);
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, file: { beside: string; place: string; handle: FileHandle }) {
    this.#path = path;
    this.#file = file;
  }

  async write(piece: FilePiece | Promise<FilePiece>): Promise<void> {
    await this.#written();
    this.#writing = this.#writePiece(piece);
    // The next call tells the error.
    this.#writing.catch(() => {});
  }

  async close(): Promise<void> {
    const { beside, place, handle } = this.#file;
    try {
      await this.#written();
      if (beside !== place) await handle.sync();
      await handle.close();
      if (beside !== place) await replaceFile(beside, place);
      settled(beside);
    } catch (cause) {
      await this.discard();
      throw cause instanceof AppError ? cause : unwritable(this.#path, cause);
    }
  }

  async discard(): Promise<void> {
    const { beside, place, handle } = this.#file;
    await this.#writing.catch(() => {});
    await handle.close().catch(() => {});
    if (beside !== place) await rm(beside, { force: true });
    settled(beside);
  }

  async #writePiece(given: FilePiece | Promise<FilePiece>): Promise<void> {
    const piece = given instanceof Promise ? await given : given;
    await writeAll(this.#file.handle, typeof piece === "string" ? this.#bytesOf(piece) : piece);
  }

  /** The bytes of a text, until the next one: nothing else is being written. */
  #bytesOf(text: string): Uint8Array {
    if (text.length > mostKept) return Buffer.from(text);
    // A unit of UTF-16 takes three bytes at the most.
    const most = text.length * 3;
    if (this.#bytes.length < most) this.#bytes = Buffer.allocUnsafeSlow(most);
    return this.#bytes.subarray(0, this.#bytes.write(text));
  }

  async #written(): Promise<void> {
    try {
      await this.#writing;
    } catch (cause) {
      throw unwritable(this.#path, cause);
    }
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, from);
    from += bytesWritten;
  }
}

/** Rights of a new report: it holds what people asked, and its folder may be open to others. */
const ownerOnly = 0o600;

/**
 * The place a report is written to: a link stays and its target is replaced; the folder is made. A file that is replaced
 * keeps its rights.
 */
async function outputPlace(path: string): Promise<{ path: string; isFile: boolean; mode: number }> {
  const wanted = resolve(path);
  const fault = windowsFault(wanted);
  if (fault !== null) {
    throw new AppError("OUTPUT_UNWRITABLE", `Cannot write a report to ${path}: ${fault}.`, {
      hint: "Choose another name.",
    });
  }
  try {
    const found = await stat(wanted).catch(ifMissing);
    if (found === null) {
      await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
      return { path: wanted, isFile: true, mode: ownerOnly };
    }
    if (!found.isDirectory()) {
      return { path: await realpath(wanted), isFile: found.isFile(), mode: found.mode & 0o777 };
    }
  } catch (cause) {
    throw unwritable(path, cause);
  }
  throw new AppError("OUTPUT_UNWRITABLE", `Cannot write a report to ${path}: it is a folder.`, {
    hint: "Name a file in it.",
  });
}

function ifMissing(cause: unknown): null {
  if (isSystemError(cause) && cause.code === "ENOENT") return null;
  throw cause;
}

/** A new name in the same folder, so that the rename stays within one file system. */
function besides(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${tempSuffix()}.tmp`);
}

/** The disk can take no more, or fails. */
const ofDisk = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** OUTPUT_UNWRITABLE, with the reason; REPORT_UNWRITTEN when it is the disk's. */
export function unwritable(path: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (isSystemError(cause) && ofDisk.has(cause.code ?? "")) {
    return new AppError("REPORT_UNWRITTEN", `Cannot write ${path}: ${reason}`, {
      hint: "Make room on the disk, then write it again: `tandem report` makes every report from what is stored.",
      cause,
    });
  }
  return new AppError("OUTPUT_UNWRITABLE", `Cannot write ${path}: ${reason}`, {
    hint: "Check that the folder can be written to and has room and that no program has the file open, or choose another path.",
    cause,
  });
}

function isClosedPipe(cause: unknown): boolean {
  return isSystemError(cause) && (cause.code === "EPIPE" || cause.code === "ERR_STREAM_PREMATURE_CLOSE");
}

/** An error that the operating system or a stream gave, not one of the report's own making. */
function isSystemError(cause: unknown): cause is NodeJS.ErrnoException {
  return (
    cause instanceof Error && "code" in cause && ("syscall" in cause || String(cause.code).startsWith("ERR_STREAM"))
  );
}
