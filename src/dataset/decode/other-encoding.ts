import type { DecodeOptions } from "./decode-options.ts";
import type { TextPlace } from "./text-place.ts";

/** Any encoding that TextDecoder knows, as UTF-8; what does not belong to it raises DATASET_INVALID with its place. */
export async function* decodeOther(
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
