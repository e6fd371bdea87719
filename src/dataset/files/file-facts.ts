import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { fileReason, readFlags, swapFault } from "../../lib/paths/inside-folder.ts";
import { sizeText } from "../../api/files/file-size.ts";
import { extname } from "node:path";

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

/** Beginnings of files in hexadecimal digits, two for a byte, and the types that they tell. The first that fits counts. */
const signatures: readonly [RegExp, string][] = [
  [/^89504e470d0a1a0a/, "image/png"],
  [/^ffd8ff/, "image/jpeg"],
  // GIF87a, GIF89a
  [/^4749463[89]/, "image/gif"],
  // RIFF, the size, WEBP
  [/^52494646.{8}57454250/, "image/webp"],
  [/^424d.{8}00000000/, "image/bmp"],
  [/^(?:49492a00|4d4d002a)/, "image/tiff"],
  // The size, ftyp, and heic, heix, hevc, mif1, msf1
  [/^.{8}66747970(?:68656963|68656978|68657663|6d696631|6d736631)/, "image/heic"],
  // ... avif, avis
  [/^.{8}6674797061766(?:966|973)/, "image/avif"],
  // RIFF, the size, WAVE
  [/^52494646.{8}57415645/, "audio/wav"],
  // ID3, or the first bits of a frame
  [/^(?:494433|ff(?:e2|e3|f2|f3|fa|fb))/, "audio/mpeg"],
  [/^ff(?:f0|f1|f8|f9)/, "audio/aac"],
  [/^4f676753/, "audio/ogg"],
  [/^664c6143/, "audio/flac"],
  [/^2321414d52/, "audio/amr"],
  // ... M4A, M4B
  [/^.{8}667479704d34(?:41|42)20/, "audio/mp4"],
  // ... qt
  [/^.{8}6674797071742020/, "video/quicktime"],
  [/^.{8}66747970/, "video/mp4"],
  [/^1a45dfa3/, "video/webm"],
  // %PDF-
  [/^255044462d/, "application/pdf"],
  [/^7b5c727466/, "application/rtf"],
  [/^504b0304/, "application/zip"],
  [/^d0cf11e0a1b11ae1/, "application/x-ole-storage"],
];

const office = "application/vnd.openxmlformats-officedocument";
const open = "application/vnd.oasis.opendocument";

/** Types that the ending tells where the beginning tells only the family. */
const refined: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "application/zip": {
    ".docx": `${office}.wordprocessingml.document`,
    ".xlsx": `${office}.spreadsheetml.sheet`,
    ".pptx": `${office}.presentationml.presentation`,
    ".odt": `${open}.text`,
    ".ods": `${open}.spreadsheet`,
    ".odp": `${open}.presentation`,
    ".epub": "application/epub+zip",
  },
  "application/x-ole-storage": {
    ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel",
    ".ppt": "application/vnd.ms-powerpoint",
  },
  "video/mp4": { ".m4a": "audio/mp4" },
  "video/webm": { ".weba": "audio/webm" },
  "audio/ogg": { ".ogv": "video/ogg" },
};

/** Texts have no beginning of their own: their ending tells. */
const texts: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".tsv": "text/tab-separated-values",
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".html": "text/html",
  ".htm": "text/html",
  ".xml": "application/xml",
  ".svg": "image/svg+xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".srt": "application/x-subrip",
  ".vtt": "text/vtt",
};

/** Bytes of a file that are enough to tell its type. */
const headBytes = 4_096;

/** The type of a file by its first bytes, and by its name where these are not enough. */
export function mediaType(head: Buffer, name: string): string | null {
  const ending = extname(name).toLowerCase();
  const beginning = head.toString("hex", 0, 32);
  const type = signatures.find(([pattern]) => pattern.test(beginning))?.[1];
  if (type !== undefined) return refined[type]?.[ending] ?? type;
  return isText(head) ? (texts[ending] ?? null) : null;
}

/** UTF-8, of which the last character may be cut, or UTF-16 with its mark; no NUL in the former. */
function isText(head: Buffer): boolean {
  if (/^(?:fffe|feff)/.test(head.toString("hex", 0, 2))) return true;
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
