/** The beginning of an answer that says no more than "go on": nobody asked for it, and undici ends the connection over it. */
const isContinue = /^HTTP\/1\.[01] 100(?: [^\r\n]*)?\r\n/;
const longest = 16 * 1024;
const beginning = Buffer.from("HTTP/1.1 100");
const nothing = Buffer.alloc(0);

/** Takes answers of `100 Continue` out of what a connection brings before an answer. */
export class InterimAnswers {
  #expects = false;
  #kept: Buffer = nothing;

  /** A request leaves: an answer is to come. */
  expect(): void {
    this.#expects = true;
    this.#kept = nothing;
  }

  /** The bytes without them; null: the next bytes tell more. */
  pass(chunk: Buffer): Buffer | null {
    if (!this.#expects) return chunk;
    let bytes = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = nothing;
    while (bytes.length > 0 && !isOther(bytes)) {
      const end = bytes.subarray(0, longest).indexOf("\r\n\r\n");
      if (end === -1 && bytes.length < longest) {
        this.#kept = bytes;
        return null;
      }
      if (end === -1 || !isContinue.test(bytes.toString("latin1", 0, end + 2))) break;
      bytes = bytes.subarray(end + 4);
    }
    // The answer itself is still to come.
    if (bytes.length === 0) return null;
    this.#expects = false;
    return bytes;
  }
}

/** True when the bytes, as far as they have come, begin in another way. Nearly all do, and this costs little. */
function isOther(bytes: Buffer): boolean {
  for (let i = 0; i < beginning.length && i < bytes.length; i++) {
    const isZero = i === 7 && bytes[i] === 0x30;
    if (bytes[i] !== beginning[i] && !isZero) return true;
  }
  return false;
}
