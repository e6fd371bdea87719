/** Number of different letters that are remembered. */
const most = 50_000;

/** Finds letters that are written in two ways which look the same, such as é as one character and as e with an accent. */
export class NormalForms {
  /** The way each letter was written first, by its composed form. */
  readonly #first = new Map<string, string>();
  /** The way an equal letter was written first, by the way a letter is written. */
  readonly #known = new Map<string, string>();

  /** The first letter of a text that was written in another way before. */
  find(text: string): { at: number; written: string; before: string } | null {
    for (const { 0: written, index } of text.matchAll(/\p{L}\p{M}*/gu)) {
      if (written.length === 1 && written < "\u0080") continue;
      const before = this.#known.get(written) ?? this.#learn(written);
      if (before !== written) return { at: index, written, before };
    }
    return null;
  }

  #learn(written: string): string {
    const composed = written.normalize("NFC");
    const before = this.#first.get(composed) ?? written;
    if (this.#known.size < most) {
      this.#first.set(composed, before);
      this.#known.set(written, before);
    }
    return before;
  }
}
