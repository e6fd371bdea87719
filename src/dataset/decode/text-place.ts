const newline = 10;
const carriageReturn = 13;

/** The place up to which a text has been read, for messages about faults in its bytes. */
export class TextPlace {
  readonly file: string;
  line = 1;
  /** Bytes of the line before the next chunk. */
  #bytesInLine = 0;
  readonly #lineEnd: number;

  /** The beginning tells whether lines end with a carriage return alone. */
  constructor(file: string, head: Buffer) {
    this.file = file;
    this.#lineEnd = !head.includes(newline) && head.includes(carriageReturn) ? carriageReturn : newline;
  }

  /** Moves behind some bytes. */
  advance(bytes: Buffer): void {
    let lines = 0;
    let last = -1;
    for (let at = bytes.indexOf(this.#lineEnd); at >= 0; at = bytes.indexOf(this.#lineEnd, at + 1)) {
      lines++;
      last = at;
    }
    this.line += lines;
    this.#bytesInLine = last < 0 ? this.#bytesInLine + bytes.length : bytes.length - last - 1;
  }

  /** The byte that comes next, for messages. */
  byteHere(byte: number | undefined): string {
    const digits = (byte ?? 0).toString(16).toUpperCase().padStart(2, "0");
    return `the byte 0x${digits} at byte ${this.#bytesInLine + 1} of the line`;
  }
}
