/** A text as numbers of its letters, and the grams of one order in it. The part from `from` to `to` is looked at. */
export interface Spelled {
  from: number;
  to: number;
  letters: Int32Array;
  /** Number of the gram that starts at each place; 0: it is not in the other text, so that no longer one is either. */
  ids: Int32Array;
}

export function spelledText(): Spelled {
  return { from: 0, to: 0, letters: new Int32Array(1024), ids: new Int32Array(1024) };
}

export function makeRoom(text: Spelled, length: number): void {
  // One letter may be written behind the last that counts.
  if (text.letters.length > length) return;
  text.letters = new Int32Array(length * 2);
  text.ids = new Int32Array(length * 2);
}

/** Number of a character that is left out: the only one below 0. */
const whiteSpace = -1;

/** Code point to its number; 0: not met yet. Small numbers make small tables. */
const numbers = new Int32Array(0x110000);
let met = 1;

/** The number of a code point, from 1. */
export function letterOf(point: number): number {
  const known = numbers[point] ?? 0;
  return known === 0 ? meet(point) : known;
}

function meet(point: number): number {
  const number = isWhiteSpace(point) ? whiteSpace : met++;
  numbers[point] = number;
  return number;
}

/** Letters have numbers below this. */
export const letterCount = (): number => met;

/** The characters that `\s` means. */
function isWhiteSpace(point: number): boolean {
  if (point <= 0x20) return point === 0x20 || (point >= 0x09 && point <= 0x0d);
  if (point < 0x1680) return point === 0xa0;
  return (
    (point >= 0x2000 && point <= 0x200a) ||
    point === 0x1680 ||
    point === 0x2028 ||
    point === 0x2029 ||
    point === 0x202f ||
    point === 0x205f ||
    point === 0x3000 ||
    point === 0xfeff
  );
}
