import { peek } from "./head.ts";
import { TextPlace } from "./text-place.ts";
import { decodeUtf8 } from "./utf8.ts";
import { decodeWindows1252 } from "./windows-1252-text.ts";
import type { DecodeOptions } from "./decode-options.ts";

/**
 * The bytes of a file as checked UTF-8 without a byte order mark; no chunk ends inside of a character.
 * UTF-16 and Windows-1252 are recognised; bytes that are of no known encoding raise DATASET_INVALID with their place:
 * what follows could not be trusted.
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { facts, faults } = options;
  const { head, all, close } = await peek(chunks, recognisedBy);
  try {
    const recognised = recogniseEncoding(head, options.encoding);
    if (!recognised.ok) {
      const { message, hint } = recognised;
      faults.add({ kind: "encoding", file: facts.file, row: null, line: 1, message, hint });
      throw faults.error();
    }
    const place = new TextPlace(facts.file, head);
    facts.encoding = options.encoding === null ? recognised.encoding : new TextDecoder(options.encoding).encoding;
    for await (const text of decoded(all, place, options)) {
      if (!facts.hasNul && text.includes(0)) facts.hasNul = true;
      if (text.length > 0) yield text;
    }
  } finally {
    await close();
  }
}

function decoded(chunks: AsyncIterable<Buffer>, place: TextPlace, options: DecodeOptions): AsyncGenerator<Buffer> {
  if (options.facts.encoding === "utf-8") return decodeUtf8(chunks, place, options);
  if (options.facts.encoding === "windows-1252") return decodeWindows1252(chunks, place, options);
  return decodeOther(chunks, place, options);
}

/** The text encoding of a file, told by its beginning; or why it is no text. */
type Recognised =
  | { ok: true; encoding: "utf-8" | "utf-16le" | "utf-16be" }
  | { ok: false; message: string; hint: string };

/** Number of bytes of a file that are looked at. */
const recognisedBy = 65_536;

/**
 * Recognises UTF-16 by its byte order mark; else it is UTF-8, which is checked as it is read. Files that plainly are no text
 * (a workbook, an archive, a picture) are named, and so is what has NUL bytes unless its encoding is named.
 */
function recogniseEncoding(head: Buffer, named: string | null): Recognised {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return notRead("UTF-32");
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return notRead("UTF-32");
  if (a === 0xff && b === 0xfe) return { ok: true, encoding: "utf-16le" };
  if (a === 0xfe && b === 0xff) return { ok: true, encoding: "utf-16be" };
  const known = signatures.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (head.subarray(30, 30 + openDocument.length).equals(openDocument)) {
    return {
      ok: false,
      message: "the file is an OpenDocument sheet (.ods), not text",
      hint: "Save it as .xlsx, or as CSV.",
    };
  }
  if (known !== undefined) return { ok: false, message: `the file is ${known.name}, not text`, hint: known.hint };
  const zeros = head.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  if (named === null && head.length >= 20 && zeros > Math.max(3, head.length * 0.03)) {
    return {
      ok: false,
      message: "the file is full of NUL bytes: it is no text, or UTF-16 without a byte order mark",
      hint: `${saveAsUtf8} UTF-16 is read with --encoding utf-16le or utf-16be (format.encoding in a suite).`,
    };
  }
  return { ok: true, encoding: "utf-8" };
}

const saveAsUtf8 = 'Save it as "CSV UTF-8".';

/** An OpenDocument file begins with its type, unpacked, behind the 30 bytes that begin a zip. */
const openDocument = Buffer.from("mimetypeapplication/vnd.oasis.opendocument.spreadsheet");

const signatures: readonly { bytes: Buffer; name: string; hint: string }[] = [
  { bytes: Buffer.from("PK\u0003\u0004"), name: "an Excel workbook (.xlsx) or another zip", hint: saveAsUtf8 },
  { bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), name: "an old Excel workbook (.xls)", hint: saveAsUtf8 },
  { bytes: Buffer.from("%PDF-"), name: "a PDF", hint: "Export the table as CSV." },
  { bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), name: "packed with zstd", hint: "Unpack it, or pack it with gzip." },
  { bytes: Buffer.from("BZh"), name: "packed with bzip2", hint: "Unpack it, or pack it with gzip." },
  {
    bytes: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]),
    name: "packed with xz",
    hint: "Unpack it, or pack it with gzip.",
  },
];

function notRead(name: string): Recognised {
  return { ok: false, message: `the file is ${name}`, hint: saveAsUtf8 };
}

/** Any encoding that TextDecoder knows, as UTF-8; what does not belong to it raises DATASET_INVALID with its place. */
async function* decodeOther(
  chunks: AsyncIterable<Buffer>,
  place: TextPlace,
  options: DecodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { encoding } = options.facts;
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) {
    const text = attempt(() => decoder.decode(chunk, { stream: true }));
    if (text === null) refuse(new TextDecoder(encoding).decode(chunk), place, options);
    const bytes = Buffer.from(text);
    place.advance(bytes);
    yield bytes;
  }
  const last = attempt(() => decoder.decode());
  if (last === null) refuse("\uFFFD", place, options);
  yield Buffer.from(last);
}

function attempt(decode: () => string): string | null {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The place is that of the first replacement in a chunk decoded by itself. */
function refuse(text: string, place: TextPlace, { facts, faults }: DecodeOptions): never {
  place.advance(Buffer.from(text.slice(0, Math.max(0, text.indexOf("\uFFFD")))));
  const message = `there are bytes that are not ${facts.encoding.toUpperCase()}: the file was cut off, or has another encoding`;
  const hint = 'Save the file as "CSV UTF-8".';
  faults.add({ kind: "encoding", file: facts.file, row: null, line: place.line, message, hint });
  throw faults.error();
}
