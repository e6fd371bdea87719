import { recogniseEncoding, recognisedBy } from "./encoding.ts";
import { peek } from "./head.ts";
import { decodeOther } from "./other-encoding.ts";
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
    const recognised = recogniseEncoding(head);
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
