import { isAscii, isUtf8 } from "node:buffer";
import type { AppError } from "../../errors.ts";
import type { DecodeOptions } from "./decode-options.ts";
import type { TextPlace } from "./text-place.ts";
import { decodeWindows1252 } from "./windows-1252-text.ts";
import { looksWestern } from "../../lib/windows-1252.ts";

/**
 * Checks UTF-8. Bytes that are none, after nothing but ASCII, are read as Windows-1252 with a notice when they can be that;
 * else they raise DATASET_INVALID.
 */
export async function* decodeUtf8(
  chunks: AsyncIterable<Buffer>,
  place: TextPlace,
  options: DecodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  let ascii = options.encoding === null;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    let whole = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    if (!started && whole.length >= 3) {
      started = true;
      if (hasMark(whole)) {
        ascii = false;
        options.facts.hasMark = true;
        whole = whole.subarray(3);
      }
    }
    const end = wholeCharacters(whole);
    const text = whole.subarray(0, end);
    if (!isUtf8(text)) {
      const at = firstInvalid(text);
      place.advance(text.subarray(0, at));
      if (!ascii || !isAscii(text.subarray(0, at)) || !looksWestern(whole.subarray(at))) {
        throw invalidByte(text[at], place, options);
      }
      yield text.subarray(0, at);
      yield* asWindows1252(whole.subarray(at), iterator, place, options);
      return;
    }
    ascii = ascii && isAscii(text);
    place.advance(text);
    rest = Buffer.from(whole.subarray(end));
    yield text;
  }
  if (rest.length === 0) return;
  // One character alone can be the beginning of one of several bytes, cut off, or Windows-1252.
  if (ascii && rest.length === 1) yield* asWindows1252(rest, iterator, place, options);
  else throw invalidByte(rest[0], place, options);
}

async function* asWindows1252(
  beginning: Buffer,
  others: AsyncIterator<Buffer>,
  place: TextPlace,
  options: DecodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { facts, onNotice } = options;
  facts.encoding = "windows-1252";
  const where = `${facts.file}:${place.line}`;
  onNotice(
    `${where}: ${place.byteHere(beginning[0])} is not UTF-8; the file is read as Windows-1252. ` +
      'If characters look wrong, save it as "CSV UTF-8", or name its encoding with --encoding (format.encoding in a suite).',
  );
  yield* decodeWindows1252(following(beginning, others), place, options);
}

async function* following(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value;
}

function invalidByte(byte: number | undefined, place: TextPlace, { facts, faults }: DecodeOptions): AppError {
  const message = `${place.byteHere(byte)} is not UTF-8`;
  const hint =
    'Save the file as "CSV UTF-8", or name its encoding with --encoding (format.encoding in a suite), such as windows-1251, gb18030 or shift_jis.';
  faults.add({ kind: "encoding", file: facts.file, row: null, line: place.line, message, hint });
  return faults.error();
}

function hasMark([a, b, c]: Buffer): boolean {
  return a === 0xef && b === 0xbb && c === 0xbf;
}

/** The length without a character that is cut off at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < needed ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Offset of the first byte that does not belong to UTF-8 text: the longest valid beginning, found by halving. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const end = wholeCharacters(bytes.subarray(0, middle));
    if (isUtf8(bytes.subarray(0, end))) valid = middle;
    else invalid = middle;
  }
  return wholeCharacters(bytes.subarray(0, valid));
}
