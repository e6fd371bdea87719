import type { FindingList } from "../finding.ts";

const sign = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  open: [0x5b, 0x7b],
  close: [0x5d, 0x7d],
  blank: [0x20, 0x09, 0x0a, 0x0d],
} as const;
const newline = Buffer.from("\n");
const lineEnd = 0x0a;
const lineEndInside = 0x0d;
const blank = 0x20;

/**
 * A JSON text that is one list, as JSON Lines: an entry a line, whatever stands in it, with a carriage return for each line
 * end inside of it. A text that begins otherwise is passed on as it is. A text behind the list, or a missing end of it, is
 * noted as a fault.
 */
export class JsonList {
  readonly #file: string;
  readonly #faults: FindingList;
  readonly #splitter = new ListSplitter();

  constructor(file: string, faults: FindingList) {
    this.#file = file;
    this.#faults = faults;
  }

  /** Where the first entry begins, once it was read. */
  get start(): TextStart | null {
    return this.#splitter.start;
  }

  async *lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      const piece = this.#splitter.push(chunk);
      if (piece.length > 0) yield piece;
    }
    const fault = this.#splitter.fault();
    if (fault === null) return;
    const hint = "It must be one list of objects, or an object a line.";
    this.#faults.add({ kind: "json-list", file: this.#file, row: null, ...fault, hint });
  }
}

class ListSplitter {
  #state: "before" | "inside" | "after" | "lines" = "before";
  /** Lists and objects that are open within the list. */
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Lines that ended, and bytes of the one that did not. */
  #line = 1;
  #bytes = 0;
  #start: TextStart | null = null;
  #behind: number | null = null;

  get start(): TextStart | null {
    return this.#start;
  }

  /** The entries that end in a piece, and the beginning of one that does not. */
  push(piece: Buffer): Buffer {
    if (this.#state === "lines") return piece;
    // Line ends inside of an entry are written over.
    const chunk = Buffer.from(piece);
    const parts: Buffer[] = [];
    let from = this.#state === "inside" ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === lineEnd) this.#line += 1;
      if (this.#state === "before") {
        this.#bytes = byte === lineEnd ? 0 : this.#bytes + 1;
        if (isBlank(byte)) continue;
        if (byte !== sign.open[0]) {
          this.#state = "lines";
          return chunk.subarray(at);
        }
        this.#state = "inside";
        this.#start = { line: this.#line, character: this.#bytes + 1 };
        from = at + 1;
      } else if (this.#state === "after") {
        if (!isBlank(byte)) this.#behind ??= this.#line;
      } else if (this.#isText) at = this.#throughText(chunk, at);
      else if (byte === sign.quote) this.#isText = true;
      else if (byte === sign.open[0] || byte === sign.open[1]) this.#depth += 1;
      else if (this.#depth > 0 && (byte === sign.close[0] || byte === sign.close[1])) this.#depth -= 1;
      else if (this.#depth === 0 && (byte === sign.comma || byte === sign.close[0])) {
        parts.push(chunk.subarray(from, at), newline);
        from = at + 1;
        if (byte === sign.close[0]) this.#state = "after";
      } else if (isLineEnd(byte)) {
        // Between values it is a blank like any other, and would end the line of the entry.
        chunk[at] = byte === lineEnd ? lineEndInside : blank;
      }
    }
    if (this.#state === "inside") parts.push(chunk.subarray(from));
    return Buffer.concat(parts);
  }

  /** The fault of the whole text. */
  fault(): { message: string; line: number } | null {
    if (this.#state === "inside")
      return { message: "the list of the file is not closed: the file is cut off", line: this.#line };
    if (this.#behind === null) return null;
    return { message: "something stands behind the list of the file", line: this.#behind };
  }

  /** Goes on to the end of a text, and returns its place; that of the last byte where the text goes on in the next piece. */
  #throughText(chunk: Buffer, from: number): number {
    let isEscaped = this.#isEscaped;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === lineEnd) {
        if (at > from) this.#line += 1;
        chunk[at] = lineEndInside;
      }
      if (isEscaped) isEscaped = false;
      else if (byte === sign.backslash) isEscaped = true;
      else if (byte === sign.quote) {
        this.#isText = false;
        this.#isEscaped = false;
        return at;
      }
    }
    this.#isEscaped = isEscaped;
    return chunk.length - 1;
  }
}

const isLineEnd = (byte: number): boolean => byte === sign.blank[2] || byte === sign.blank[3];
const isBlank = (byte: number): boolean => byte === sign.blank[0] || byte === sign.blank[1] || isLineEnd(byte);

/** A place in a text: line and character count from 1. */
export interface TextStart {
  line: number;
  character: number;
}

/** The place behind a text that begins at a place, whose lines end with carriage returns. */
export function placeBehind({ line, character }: TextStart, text: string): TextStart {
  const last = text.lastIndexOf("\r");
  if (last === -1) return { line, character: character + charactersOf(text) };
  let lines = 0;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) lines += 1;
  return { line: line + lines, character: 1 + charactersOf(text.slice(last + 1)) };
}

function charactersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1;
  return count;
}
