/**
 * The characters of the bytes 0x80 to 0x9F; a space where Windows-1252 has none. The other bytes are those of Latin-1.
 * Written out because TextDecoder in some versions of Node takes Windows-1252 for Latin-1.
 */
const upper = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

const bytesOf = new Map(Array.from(upper, (character, i) => [character, 0x80 + i]));

/** The text of Windows-1252 bytes, and the offset of the first byte that is none; -1 when all are. */
export function readWindows1252(bytes: Buffer): { text: string; invalid: number } {
  const text = bytes.toString("latin1");
  let invalid = -1;
  const read = text.replace(/[\u0080-\u009f]/g, (character, at: number) => {
    const found = upper[character.charCodeAt(0) - 0x80] ?? " ";
    if (found === " " && invalid < 0) invalid = at;
    return found;
  });
  return { text: read, invalid };
}

/** The bytes of a text in Windows-1252, those it leaves open as themselves; null when it has other characters. */
export function writeWindows1252(text: string): Buffer | null {
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const byte = unit < 0x100 ? unit : bytesOf.get(text[i] ?? "");
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  return bytes;
}

/**
 * True when bytes that are not UTF-8 can be Western European text: there, letters beyond ASCII stand mostly alone.
 * In other scripts (Cyrillic, Greek, Chinese ...) they follow each other.
 */
export function looksWestern(bytes: Buffer): boolean {
  let high = 0;
  let adjacent = 0;
  for (let i = 0; i < bytes.length; i++) {
    if ((bytes[i] ?? 0) < 0x80) continue;
    high++;
    if ((bytes[i - 1] ?? 0) >= 0x80) adjacent++;
  }
  return adjacent < 2 || adjacent < high * 0.4;
}
