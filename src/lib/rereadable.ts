/** A stream that can be read from its beginning more than once; what was read is kept. It is opened when it is read. */
export function rereadable(open: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const kept: Uint8Array[] = [];
  let source: AsyncIterator<Uint8Array> | null = null;
  let isOver = false;
  return {
    async *[Symbol.asyncIterator]() {
      for (let place = 0; ; place++) {
        source ??= open()[Symbol.asyncIterator]();
        const known = kept[place];
        if (known !== undefined) yield known;
        else if (isOver) return;
        else {
          const { done = false, value } = await source.next();
          isOver = done;
          if (done) return;
          kept.push(value);
          yield value;
        }
      }
    },
  };
}
