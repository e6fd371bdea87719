import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { fileReason, readFlags, swapFault } from "../../lib/paths/inside-folder.ts";
import { sizeText } from "../../api/files/file-size.ts";
import { headBytes, mediaType } from "./media-type.ts";

/** The content of a file in three facts, or the reason why it cannot be sent. */
export type ReadFacts =
  | { ok: true; bytes: number; sha256: string; type: string }
  | { ok: false; fault: string; hint?: string };

const chunk = Buffer.allocUnsafe(256 * 1024);

/** A file as it was found, and the name that the dataset has for it. */
export interface FoundFile {
  path: string;
  found: Stats;
  name: string;
}

/** Reads a file once, piece by piece; one that is larger than `most` bytes is not read. */
export function readFacts({ path, found, name }: FoundFile, most: number): ReadFacts {
  let file: number | null = null;
  try {
    file = openSync(path, readFlags);
    const swapped = swapFault(found, fstatSync(file));
    if (swapped !== null) return { ok: false, fault: swapped };
    const { size } = found;
    if (size === 0) return { ok: false, fault: "is empty" };
    if (size > most) return tooLarge(size, most);
    return factsOf(file, name, size);
  } catch (error) {
    return { ok: false, fault: fileReason(error) };
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The fault of a file of more bytes than one may have. */
export function tooLarge(size: number, most: number): Extract<ReadFacts, { ok: false }> {
  const fault = `has ${sizeText(size)}, and files.max_file is ${sizeText(most)}`;
  return { ok: false, fault, hint: "Name a smaller file, or raise files.max_file in the suite." };
}

function factsOf(file: number, name: string, size: number): ReadFacts {
  const hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let bytes = 0;
  for (let read = readSync(file, chunk); read > 0 && bytes <= size; read = readSync(file, chunk)) {
    const part = chunk.subarray(0, read);
    if (head.length < headBytes) head = Buffer.concat([head, part.subarray(0, headBytes)]);
    hash.update(part);
    bytes += read;
  }
  if (bytes !== size) return { ok: false, fault: "changes while it is read" };
  const type = mediaType(head, name);
  if (type === null) return { ok: false, fault: "is of no known type, by its content and its name" };
  return { ok: true, bytes, sha256: hash.digest("hex"), type };
}
