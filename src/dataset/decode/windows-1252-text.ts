import type { DecodeOptions } from "./decode-options.ts";
import type { TextPlace } from "./text-place.ts";
import { readWindows1252 } from "../../lib/windows-1252.ts";

/** Windows-1252 as UTF-8; one of the five bytes that it leaves open raises DATASET_INVALID with its place. */
export async function* decodeWindows1252(
  chunks: AsyncIterable<Buffer>,
  place: TextPlace,
  { facts, faults }: DecodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const bytes of chunks) {
    const { text, invalid } = readWindows1252(bytes);
    if (invalid >= 0) {
      place.advance(bytes.subarray(0, invalid));
      const message = `${place.byteHere(bytes[invalid])} is neither UTF-8 nor Windows-1252`;
      const hint = 'Save the file as "CSV UTF-8", or name its encoding with --encoding (format.encoding in a suite).';
      faults.add({ kind: "encoding", file: facts.file, row: null, line: place.line, message, hint });
      throw faults.error();
    }
    place.advance(bytes);
    yield Buffer.from(text);
  }
}
