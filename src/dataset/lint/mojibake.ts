import { isUtf8 } from "node:buffer";
import { writeWindows1252 } from "../decode/windows-1252.ts";

/** Characters of Windows-1252 beyond ASCII, and the codes that it leaves open. */
const high = /[\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2,}/g;

/**
 * The first place of a text that was UTF-8 and has been read as Windows-1252 (`Ã©` for `é`), with what it probably was;
 * or where characters were lost (U+FFFD).
 */
export function findMojibake(text: string): { at: number; found: string; probably: string | null } | null {
  const lost = text.indexOf("\uFFFD");
  if (lost >= 0) return { at: lost, found: "\uFFFD", probably: null };
  for (const { 0: run, index } of text.matchAll(high)) {
    const bytes = writeWindows1252(run);
    if (bytes === null || !isTelling(bytes)) continue;
    const probably = bytes.toString("utf8");
    return { at: index, found: run, probably };
  }
  return null;
}

/**
 * Valid UTF-8 that is no accident: a character of three or four bytes, several of two, or one of those that accented letters
 * and signs of Western Europe become (`Ã`, `Â` and what follows).
 */
function isTelling(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  const text = Array.from(bytes.toString("utf8"));
  if (text.some((character) => (character.codePointAt(0) ?? 0) >= 0x800)) return true;
  return text.length >= 2 || text.some((character) => (character.codePointAt(0) ?? 0) < 0x100);
}
