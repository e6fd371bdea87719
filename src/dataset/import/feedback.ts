import { listed } from "../table/column-names.ts";

/** A cell of feedback on an answer: 1 good, 0 bad, or another number; with the remark behind it. */
export interface Feedback {
  value: number;
  note: string | null;
}

const good = listed(`
  good, positive, thumbs up, thumb up, thumbsup, up, upvote, upvoted, like, liked, helpful, correct, right, yes, true,
  pass, passed, satisfied, ok, useful, accepted, approve, approved, rating thumbs up, feedback thumbs up, feedback
  correct, +, 👍, ✅, ✔, 🙂, 😊, 😀, ❤, 💚
`);
const bad = listed(`
  bad, negative, thumbs down, thumb down, thumbsdown, down, downvote, downvoted, dislike, disliked, unhelpful, not
  helpful, incorrect, wrong, no, false, fail, failed, unsatisfied, dissatisfied, not useful, useless, rejected,
  reject, rating thumbs down, feedback thumbs down, feedback incorrect, -, 👎, ❌, ✖, ✗, 🙁, ☹, 😞, 😡
`);
const words = new Map([...good.map((word) => [word, 1] as const), ...bad.map((word) => [word, 0] as const)]);

/**
 * Reads feedback: thumbs, words such as positive or wrong, a number, each also with a remark behind it (`👎 wrong price`,
 * `negative: too long`). Null when it says neither.
 */
export function readFeedback(cell: string): Feedback | null {
  // A thumb may have the colour of a hand.
  const text = cell
    .normalize("NFC")
    .replaceAll(/\ufe0f|[\u{1f3fb}-\u{1f3ff}]/gu, "")
    .trim();
  const whole = valueOf(text);
  if (whole !== null) return { value: whole, note: null };
  const [, sign = "", behind = ""] = /^(\p{Extended_Pictographic})(?:\1)*[\s:,;–—-]*(.*)$/su.exec(text) ?? [];
  const [, word = "", remark = ""] = /^([\p{L} _-]+?)\s*[:;,|–—(]\s*(.+?)\)?$/su.exec(text) ?? [];
  for (const [first, rest] of [
    [sign, behind],
    [word, remark],
  ] as const) {
    const value = first === "" ? null : valueOf(first);
    if (value !== null) return { value, note: rest === "" ? null : rest };
  }
  return null;
}

function valueOf(text: string): number | null {
  const number = /^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : null;
  if (number !== null) return number;
  return (
    words.get(
      text
        .toLowerCase()
        .replaceAll(/[\s_-]+/g, " ")
        .trim(),
    ) ??
    words.get(text) ??
    null
  );
}

/** The scale of a dataset's feedback, known when all of it was seen. */
export class FeedbackScale {
  /** Other numbers than 1, 0 and -1. */
  #isScale = false;
  #unread = 0;
  readonly #examples: { text: string; row: string }[] = [];

  /** Notes a cell; `row` is how a person is told of its row. */
  note(cell: string, row: string): void {
    const read = readFeedback(cell);
    if (read === null) {
      this.#unread += 1;
      if (this.#examples.length < mostExamples && !this.#examples.some(({ text }) => text === cell)) {
        this.#examples.push({ text: cell, row });
      }
    } else if (![1, 0, -1].includes(read.value)) this.#isScale = true;
  }

  /** 1 good and 0 bad, where a minus is bad; on a scale the number itself. */
  read(cell: string): Feedback | null {
    const read = readFeedback(cell);
    if (read === null || this.#isScale) return read;
    return { ...read, value: read.value === 1 ? 1 : 0 };
  }

  /** Cells that say neither good nor bad, the first different ones of them with their rows. */
  get unread(): { count: number; examples: readonly { text: string; row: string }[] } {
    return { count: this.#unread, examples: this.#examples };
  }
}

const mostExamples = 5;
