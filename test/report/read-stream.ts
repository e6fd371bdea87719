import type { Readable } from "node:stream";

/** All that a stream, or whoever makes a text in pieces, gives. */
export async function readText(pieces: Readable | Iterable<string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of pieces) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
