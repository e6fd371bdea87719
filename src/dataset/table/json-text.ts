import { boundedJson, type JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";

/** A JSON text's value, or what is wrong with it and where: line and character count from 1. */
export type ParsedJson = { ok: true; value: JsonValue } | { ok: false; message: string };

/** Parses JSON; the message of a fault holds its position inside of the text, which JSON.parse does not always tell. */
export function parseJsonText(text: string): ParsedJson {
  try {
    return { ok: true, value: boundedJson(text) };
  } catch (cause) {
    const { what, at, isEnd } = parseFault(text, cause);
    if (at === null) return { ok: false, message: what };
    const before = text.slice(0, at);
    const line = before.split("\n").length;
    const character = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1;
    const where = line === 1 ? `character ${character}` : `line ${line}, character ${character}`;
    return { ok: false, message: isEnd ? `${what} (${where})` : `${what} at ${where}` };
  }
}

/** The fault of a text that JSON.parse refused, and its offset; null: it is the text as a whole. */
export function parseFault(text: string, cause: unknown): { what: string; at: number | null; isEnd: boolean } {
  if (cause instanceof RangeError) return { what: cause.message, at: null, isEnd: false };
  const at = new Scanner(text).fault();
  const rest = text.slice(at);
  const isEnd = rest.trim() === "";
  // Which one it is, the entry of a list does not tell.
  const found = /^[\r\n]/.test(rest) ? "line end" : showText(firstWord(rest));
  return { what: isEnd ? "it ends too early" : `unexpected ${found}`, at, isEnd };
}

function firstWord(text: string): string {
  return /^[\p{L}\p{M}\p{N}_]{1,20}/u.exec(text)?.[0] ?? Array.from(text.slice(0, 2))[0] ?? "";
}

const deepest = 1_000;

/** Walks over a text that JSON.parse has refused, to find where it stops to be JSON. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the first character that cannot be there; the length of the text when it ends too early. */
  fault(): number {
    if (this.#value(0)) this.#match(/[ \t\r\n]*/y);
    return this.#at;
  }

  /** True when a whole value was passed over; else the position stands at the fault. */
  #value(depth: number): boolean {
    this.#match(/[ \t\r\n]*/y);
    if (depth > deepest) return false;
    if (this.#match(/\{[ \t\r\n]*/y)) return this.#entries("}", () => this.#member(depth));
    if (this.#match(/\[[ \t\r\n]*/y)) return this.#entries("]", () => this.#value(depth + 1));
    return this.#string() || this.#match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  }

  #entries(close: string, entry: () => boolean): boolean {
    if (this.#take(close)) return true;
    do {
      if (!entry()) return false;
      this.#match(/[ \t\r\n]*/y);
      if (this.#take(close)) return true;
    } while (this.#take(","));
    return false;
  }

  #member(depth: number): boolean {
    this.#match(/[ \t\r\n]*/y);
    return this.#string() && this.#match(/[ \t\r\n]*:/y) && this.#value(depth + 1);
  }

  #string(): boolean {
    if (this.#text[this.#at] !== '"') return false;
    this.#match(/"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y);
    return this.#take('"');
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
