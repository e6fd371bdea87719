import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";

/**
 * The texts of all rows in one file, which a search reads through: nothing has to be indexed, every script is searched
 * alike, and what is held is one piece of it. 200,000 rows of 1 KB take about a tenth of a second.
 */
export class WordsFile {
  readonly #path: string;
  readonly #file: number;
  #pending: Buffer[] = [];
  #pendingLength = 0;
  #length = 0;
  /** Where each row begins, and after the last one the end. */
  #starts = new Float64Array(1024);
  #rows = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "w+", 0o600);
  }

  /** Takes the text of the next row; it holds no zero byte. */
  add(text: string): void {
    const bytes = Buffer.from(`${text.replaceAll("\u0000", " ")}\u0000`);
    if (this.#rows + 2 > this.#starts.length) {
      const grown = new Float64Array(this.#starts.length * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#rows += 1;
    this.#length += bytes.length;
    this.#starts[this.#rows] = this.#length;
    this.#pending.push(bytes);
    this.#pendingLength += bytes.length;
    if (this.#pendingLength > pieceBytes) this.flush();
  }

  flush(): void {
    if (this.#pendingLength === 0) return;
    const piece = Buffer.concat(this.#pending);
    const at = this.#length - this.#pendingLength;
    for (let done = 0; done < piece.length;) done += writeSync(this.#file, piece, done, piece.length - done, at + done);
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** Marks the rows that hold all terms: 1 at the place of each (from 0). Between pieces others get their turn. */
  async find(terms: readonly string[]): Promise<Uint8Array> {
    const found = new Uint8Array(this.#rows).fill(1);
    const needles = terms.map((term) => Buffer.from(term));
    const piece = Buffer.allocUnsafe(Math.min(this.#length, pieceBytes));
    for (let row = 0; row < this.#rows;) {
      const last = this.#lastInPiece(row);
      const [start, end] = [this.#starts[row] ?? 0, this.#starts[last] ?? 0];
      const bytes = end - start > piece.length ? Buffer.allocUnsafe(end - start) : piece.subarray(0, end - start);
      readSync(this.#file, bytes, 0, bytes.length, start);
      for (const needle of needles) this.#mark(found, needle, { bytes, start, row, last });
      row = last;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  /** The row behind the last that fits a piece which begins with `row`. */
  #lastInPiece(row: number): number {
    const most = (this.#starts[row] ?? 0) + pieceBytes;
    let [low, high] = [row + 1, this.#rows];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= most) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Clears the marks of the rows of a piece that do not hold the needle. */
  #mark(
    found: Uint8Array,
    needle: Buffer,
    { bytes, start, row, last }: { bytes: Buffer; start: number; row: number; last: number },
  ): void {
    let at = bytes.indexOf(needle);
    for (let place = row; place < last; place++) {
      const end = (this.#starts[place + 1] ?? 0) - start;
      if (at === -1 || at >= end) found[place] = 0;
      else at = bytes.indexOf(needle, end);
    }
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

const pieceBytes = 8 * 1024 * 1024;
