import type { ReadWish, ReadWord } from "./read-apart.ts";

const post = (word: ReadWord): void => {
  process.send?.(word);
};

/** Hands over the next word whenever it is asked for, in a process that reads. */
export function answerWith(wordsOf: (wish: ReadWish) => AsyncGenerator<ReadWord>): void {
  let all: AsyncGenerator<ReadWord> | null = null;
  process.on("message", (wish: ReadWish) => {
    all ??= wordsOf(wish);
    all.next().then(
      ({ value, done }) => post(done === true ? { isEnd: true } : value),
      (error: unknown) => post({ fault: error instanceof Error ? error.message : String(error) }),
    );
  });
  // An interrupt is for who started it.
  process.on("SIGINT", () => {});
}
