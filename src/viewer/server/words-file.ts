import { closeSync, existsSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { close, open } from "../../report/query/marked-text.ts";
import { folded } from "../../text/search-fold.ts";

/**
 * The texts of all rows in one file, which a search reads through: nothing has to be indexed, every script is searched
 * alike, and what is held is one piece of it.
 */
export class WordsWriter {
  readonly #file: number;
  /** The piece that is not written yet, and the number of its bytes in use. */
  readonly #piece = Buffer.allocUnsafe(pieceBytes);
  #used = 0;
  #length = 0;
  /** Start of each row, and after the last one the end. */
  #starts = new Float64Array(1024);
  #rows = 0;

  constructor(path: string) {
    this.#file = openSync(path, "wx", 0o600);
  }

  /** Takes the text of the next row, and writes it in the form in which texts are compared. */
  add(text: string): void {
    // No character takes more bytes than this.
    const most = text.length * 3 + 1;
    if (this.#used + most > pieceBytes) this.#flush();
    const end = most > pieceBytes ? -1 : writeFolded(text, this.#piece, this.#used);
    if (end === -1) return this.#addWhole(text);
    this.#piece[end] = 0;
    this.#note(end + 1 - this.#used);
    this.#used = end + 1;
  }

  #addWhole(text: string): void {
    // A zero byte ends rows.
    const whole = Buffer.from(`${folded(text).replaceAll("\u0000", " ")}\u0000`);
    if (this.#used + whole.length > pieceBytes) this.#flush();
    if (whole.length > pieceBytes) this.#write(whole);
    else this.#used += whole.copy(this.#piece, this.#used);
    this.#note(whole.length);
  }

  #note(bytes: number): void {
    if (this.#rows + 2 > this.#starts.length) {
      const grown = new Float64Array(this.#starts.length * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#rows += 1;
    this.#length += bytes;
    this.#starts[this.#rows] = this.#length;
  }

  /** Writes the rest. Returns the start of each row, for `findWords`. */
  end(): Float64Array {
    this.#flush();
    closeSync(this.#file);
    return this.#starts.subarray(0, this.#rows + 1);
  }

  #flush(): void {
    this.#write(this.#piece.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(piece: Buffer): void {
    for (let done = 0; done < piece.length;) done += writeSync(this.#file, piece, done);
  }
}

/** True where the words of an index stand complete. */
export function hasWords(folder: string): boolean {
  return existsSync(join(folder, "words"));
}

/** Texts that a search looks through: of the rows that are marked in `among` alone; null: of all. */
interface Texts {
  file: number;
  starts: Float64Array;
  among: Uint8Array | null;
}

/** A text that is looked for in parts of rows alone: in those with one of the marks; `isWhole`: as the whole part. */
export interface SoughtPart {
  text: string;
  marks: readonly string[];
  isWhole: boolean;
}

/**
 * Marks the rows that hold all terms: 1 at the place of each (from 0). Between pieces others get their turn; null when
 * `signal` says that nobody waits for it any more.
 */
export async function findWords(
  { file, starts, among }: Texts,
  terms: readonly (string | SoughtPart)[],
  signal: AbortSignal | null = null,
): Promise<Uint8Array | null> {
  const rows = Math.max(0, starts.length - 1);
  const found = among === null ? new Uint8Array(rows).fill(1) : among.slice();
  // The longest says no soonest.
  const needles = terms.map(needleOf).toSorted((a, b) => b.bytes.length - a.bytes.length);
  const piece = Buffer.allocUnsafe(Math.min(starts[rows] ?? 0, pieceBytes));
  for (let row = found.indexOf(1); row !== -1 && row < rows;) {
    const last = found.subarray(0, lastInPiece(starts, row)).lastIndexOf(1) + 1;
    const [start, end] = [starts[row] ?? 0, starts[last] ?? 0];
    const bytes = end - start > piece.length ? Buffer.allocUnsafe(end - start) : piece.subarray(0, end - start);
    for (let done = 0; done < bytes.length;) {
      const read = readSync(file, bytes, done, bytes.length - done, start + done);
      if (read === 0) throw new Error("the texts of the rows are incomplete");
      done += read;
    }
    for (const needle of needles) {
      if (!mark(found, needle, { bytes, starts, row, last })) break;
    }
    row = found.indexOf(1, last);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) return null;
  }
  return found;
}

/** The row behind the last that fits a piece which begins with `row`. */
function lastInPiece(starts: Float64Array, row: number): number {
  const most = (starts[row] ?? 0) + pieceBytes;
  let [low, high] = [row + 1, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A text as it is looked for in bytes; null: in any part. */
interface Needle {
  bytes: Buffer;
  part: { marks: readonly Buffer[]; isWhole: boolean } | null;
}

function needleOf(term: string | SoughtPart): Needle {
  if (typeof term === "string") return { bytes: Buffer.from(term), part: null };
  const { text, isWhole } = term;
  // The end of its marks stands directly before a whole part.
  const bytes = Buffer.from(isWhole ? close + text : text);
  return { bytes, part: { marks: term.marks.map((each) => Buffer.from(each)), isWhole } };
}

const [openByte, markLength] = [open.charCodeAt(0), 2];

/** True where a hit is in a part that is asked about. */
function isInPart(bytes: Buffer, at: number, { bytes: sought, part }: Needle): boolean {
  if (part === null) return true;
  const { marks, isWhole } = part;
  if (isWhole) {
    const behind = bytes[at + sought.length];
    if (behind !== openByte && behind !== 0) return false;
  }
  const begin = bytes.lastIndexOf(openByte, at);
  if (begin === -1) return false;
  const end = bytes.indexOf(close, begin);
  for (let place = begin + 1; place < end; place += markLength) {
    if (marks.some((each) => bytes.compare(each, 0, markLength, place, place + markLength) === 0)) return true;
  }
  return false;
}

/** Clears the marks of the rows of a piece that do not hold the needle. False: none holds it. */
function mark(
  found: Uint8Array,
  needle: Needle,
  { bytes, starts, row, last }: { bytes: Buffer; starts: Float64Array; row: number; last: number },
): boolean {
  const begin = starts[row] ?? 0;
  let at = bytes.indexOf(needle.bytes);
  if (at === -1) {
    found.fill(0, row, last);
    return false;
  }
  for (let place = row; place < last; place++) {
    const end = (starts[place + 1] ?? 0) - begin;
    while (at !== -1 && at < end && !isInPart(bytes, at, needle)) at = bytes.indexOf(needle.bytes, at + 1);
    if (at === -1 || at >= end) found[place] = 0;
    else at = bytes.indexOf(needle.bytes, end);
  }
  return true;
}

const pieceBytes = 2 * 1024 * 1024;

/** Form of a character of which nothing is left, of one that is folded with its neighbours, and of one not met yet. */
const [nothing, together, unmet] = [0xfffe, 0xffff, 0];

/** Code unit to the one that it folds to; a zero byte, which ends rows, to a blank. */
const forms = new Uint16Array(0x10000);
forms[0] = 0x20;

/** A text with more places than this, and than one in so many characters, where several are folded together is folded as a whole. */
const [fewPlaces, charactersBetween] = [8, 16];

/**
 * Writes a text as searches compare it: as `folded` makes it, in UTF-8, and with blanks for zero bytes. Most characters
 * fold by themselves, which costs a tenth. `bytes` must have room for three bytes for each character from `start` on.
 * Returns the place behind what was written; -1: it has to be folded as a whole.
 */
export function writeFolded(text: string, bytes: Buffer, start: number): number {
  const end = start + text.length * 3;
  let [at, before, places] = [start, start, 0];
  for (let place = 0; place < text.length; place++) {
    const form = formOf(text.charCodeAt(place));
    if (form === together) {
      places += 1;
      if (places > fewPlaces && places * charactersBetween > text.length) return -1;
      const from = Math.max(0, place - 1);
      place = lastTogether(text, place);
      const piece = folded(text.slice(from, place + 1)).replaceAll("\u0000", " ");
      if (before + (piece.length + text.length - place) * 3 > end) return -1;
      at = before + bytes.write(piece, before);
      continue;
    }
    before = at;
    if (form < 0x80) bytes[at++] = form;
    else if (form < 0x800) {
      bytes[at++] = 0xc0 | (form >> 6);
      bytes[at++] = 0x80 | (form & 0x3f);
    } else if (form !== nothing) {
      bytes[at++] = 0xe0 | (form >> 12);
      bytes[at++] = 0x80 | ((form >> 6) & 0x3f);
      bytes[at++] = 0x80 | (form & 0x3f);
    }
  }
  return at;
}

function formOf(code: number): number {
  const known = forms[code] ?? unmet;
  return known === unmet ? meet(code) : known;
}

/** The last of the characters from a place on that are folded with those before them. */
function lastTogether(text: string, from: number): number {
  let last = from;
  while (last + 1 < text.length && formOf(text.charCodeAt(last + 1)) === together) last += 1;
  return last;
}

function meet(code: number): number {
  const character = String.fromCharCode(code);
  const form = folded(character);
  const isAlone = form.length < 2 && form < "\ufffe" && character.normalize("NFKC") === character;
  const found = !isAlone || isJoined(character) ? together : form === "" ? nothing : form.charCodeAt(0);
  forms[code] = found;
  return found;
}

/** True for one that may become one with the character before it, or change places with it. */
function isJoined(character: string): boolean {
  if (/[\ud800-\udfff\u1100-\u11ff]/.test(character)) return true;
  if (!/\p{M}/u.test(character)) return false;
  const isMoved = [`\u0345${character}`, `${character}\u0300`].some((pair) => pair.normalize("NFC") !== pair);
  return isMoved || joined().has(character);
}

let joinedMarks: ReadonlySet<string> | null = null;

/** The characters that are the latter part of another one. */
function joined(): ReadonlySet<string> {
  if (joinedMarks !== null) return joinedMarks;
  const found = new Set<string>();
  for (let code = 0xc0; code < 0x10000; code++) {
    for (const part of String.fromCharCode(code).normalize("NFD").slice(1)) found.add(part);
  }
  joinedMarks = found;
  return found;
}
