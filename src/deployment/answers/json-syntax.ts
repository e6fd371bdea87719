/** The place where a text stops being JSON, and the reason. */
export interface SyntaxFault {
  /** Characters (code points) before the fault. */
  position: number;
  error: string;
}

/** Raised inside the scan; `at` counts UTF-16 units. */
class Fault extends Error {
  readonly at: number;
  constructor(error: string, at: number) {
    super(error);
    this.at = at;
  }
}

/**
 * The first fault of a text that is not JSON, worded and placed as the service (Python's `json`) does it;
 * null when the text is JSON.
 */
export function jsonFault(text: string): SyntaxFault | null {
  const scan = new Scan(text);
  try {
    scan.document();
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) return { position: 0, error: "Expecting value" };
    return { position: Array.from(text.slice(0, error.at)).length, error: error.message };
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;

class Scan {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): void {
    this.skip(space);
    this.value();
    this.skip(space);
    if (this.at < this.text.length) throw new Fault("Extra data", this.at);
  }

  private value(): void {
    const first = this.text[this.at];
    if (first === "{") this.object();
    else if (first === "[") this.array();
    else if (first === '"') this.string();
    else if (!this.word("true") && !this.word("false") && !this.word("null") && this.skip(number) === 0)
      throw new Fault("Expecting value", this.at);
  }

  private object(): void {
    this.at++;
    this.skip(space);
    if (this.word("}")) return;
    for (;;) {
      if (this.text[this.at] !== '"') throw new Fault("Expecting property name enclosed in double quotes", this.at);
      this.string();
      this.skip(space);
      if (!this.word(":")) throw new Fault("Expecting ':' delimiter", this.at);
      this.skip(space);
      this.value();
      this.skip(space);
      if (this.word("}")) return;
      if (!this.word(",")) throw new Fault("Expecting ',' delimiter", this.at);
      this.skip(space);
    }
  }

  private array(): void {
    this.at++;
    this.skip(space);
    if (this.word("]")) return;
    for (;;) {
      this.value();
      this.skip(space);
      if (this.word("]")) return;
      if (!this.word(",")) throw new Fault("Expecting ',' delimiter", this.at);
      this.skip(space);
    }
  }

  private string(): void {
    const start = this.at++;
    for (;;) {
      this.skipPlain();
      const stop = this.text[this.at];
      if (stop === undefined) throw new Fault("Unterminated string starting at", start);
      if (stop === '"') break;
      if (stop !== "\\") throw new Fault("Invalid control character at", this.at);
      this.escape(start);
    }
    this.at++;
  }

  private escape(start: number): void {
    const letter = this.text[this.at + 1];
    if (letter === undefined) throw new Fault("Unterminated string starting at", start);
    if (letter === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 2, this.at + 6)))
        throw new Fault("Invalid \\uXXXX escape", this.at + 1);
      this.at += 6;
    } else if ('"\\/bfnrt'.includes(letter)) this.at += 2;
    else throw new Fault("Invalid \\escape", this.at);
  }

  /** Goes past a match at this place; says how long it was. */
  private skip(pattern: RegExp): number {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.at += length;
    return length;
  }

  /** Goes to the next quote, backslash or control character, or to the end. */
  private skipPlain(): void {
    while (this.text.charCodeAt(this.at) >= 32 && this.text[this.at] !== '"' && this.text[this.at] !== "\\") this.at++;
  }

  private word(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }
}
