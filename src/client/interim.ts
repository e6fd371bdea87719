/** The beginning of an answer that says no more than "go on": nobody asked for it, and undici ends the connection over it. */
const isContinue = /^HTTP\/1\.[01] 100(?: [^\r\n]*)?\r\n/;
const longest = 16 * 1024;
/** As much as tells whether it is one. */
const telling = "HTTP/1.1 100".length;
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
    while (bytes.length > 0) {
      const start = bytes.toString("latin1", 0, longest);
      const mayBe =
        start.length < telling
          ? /^HTTP\/1\.[01] 100/.test(`${start}${"HTTP/1.1 100".slice(start.length)}`)
          : start.startsWith("100", 9);
      const end = start.indexOf("\r\n\r\n");
      if (!mayBe || (end === -1 && start.length >= longest)) break;
      if (end === -1) {
        this.#kept = bytes;
        return null;
      }
      if (!isContinue.test(start)) break;
      bytes = bytes.subarray(end + 4);
    }
    // The answer itself is still to come.
    if (bytes.length === 0) return null;
    this.#expects = false;
    return bytes;
  }
}
