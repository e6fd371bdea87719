/** A stream whose beginning has been looked at. */
interface Peeked {
  /** As many bytes as were asked for, or a little more; all of a shorter stream. */
  head: Buffer;
  /** The whole stream, the beginning included. */
  all: AsyncGenerator<Buffer, void, undefined>;
  /** Gives the stream up; may be called at any time. */
  close: () => Promise<void>;
}

/** Reads the beginning of a stream ahead. */
export async function peek(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let length = 0;
  while (length < size) {
    const next = await iterator.next();
    if (next.done === true) break;
    parts.push(asBuffer(next.value));
    length += next.value.length;
  }
  const head = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };
  return { head, all: following(head, iterator), close };
}

async function* following(head: Buffer, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  try {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield asBuffer(next.value);
    }
  } finally {
    await iterator.return?.();
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
