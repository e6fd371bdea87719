import { folded } from "../../text/search-fold.ts";

/** Form of a character of which nothing is left, of one that is folded with its neighbours, and of one not met yet. */
const [nothing, together, unmet] = [0xfffe, 0xffff, 0];

/** Code unit to the one that it folds to; a zero byte, which ends rows, to a blank. */
const forms = new Uint16Array(0x10000);
forms[0] = 0x20;

/** A text with more places than this, and than one in so many characters, where several are folded together is folded as a whole. */
const [fewPlaces, charactersBetween] = [8, 16];

/**
 * Writes a text as searches compare it: as `folded` makes it, in UTF-8, and with blanks for zero bytes. Most characters
 * fold by themselves, which costs a tenth. `bytes` must have room for three bytes for each character from `start` on.
 * Returns the place behind what was written; -1: it has to be folded as a whole.
 */
export function writeFolded(text: string, bytes: Buffer, start: number): number {
  const end = start + text.length * 3;
  let [at, before, places] = [start, start, 0];
  for (let place = 0; place < text.length; place++) {
    const form = formOf(text.charCodeAt(place));
    if (form === together) {
      places += 1;
      if (places > fewPlaces && places * charactersBetween > text.length) return -1;
      const from = Math.max(0, place - 1);
      place = lastTogether(text, place);
      const piece = folded(text.slice(from, place + 1)).replaceAll("\u0000", " ");
      if (before + (piece.length + text.length - place) * 3 > end) return -1;
      at = before + bytes.write(piece, before);
      continue;
    }
    before = at;
    if (form < 0x80) bytes[at++] = form;
    else if (form < 0x800) {
      bytes[at++] = 0xc0 | (form >> 6);
      bytes[at++] = 0x80 | (form & 0x3f);
    } else if (form !== nothing) {
      bytes[at++] = 0xe0 | (form >> 12);
      bytes[at++] = 0x80 | ((form >> 6) & 0x3f);
      bytes[at++] = 0x80 | (form & 0x3f);
    }
  }
  return at;
}

function formOf(code: number): number {
  const known = forms[code] ?? unmet;
  return known === unmet ? meet(code) : known;
}

/** The last of the characters from a place on that are folded with those before them. */
function lastTogether(text: string, from: number): number {
  let last = from;
  while (last + 1 < text.length && formOf(text.charCodeAt(last + 1)) === together) last += 1;
  return last;
}

function meet(code: number): number {
  const character = String.fromCharCode(code);
  const form = folded(character);
  const isAlone = form.length < 2 && form < "\ufffe" && character.normalize("NFKC") === character;
  const found = !isAlone || isJoined(character) ? together : form === "" ? nothing : form.charCodeAt(0);
  forms[code] = found;
  return found;
}

/** True for one that may become one with the character before it, or change places with it. */
function isJoined(character: string): boolean {
  if (/[\ud800-\udfff\u1100-\u11ff]/.test(character)) return true;
  if (!/\p{M}/u.test(character)) return false;
  const isMoved = [`\u0345${character}`, `${character}\u0300`].some((pair) => pair.normalize("NFC") !== pair);
  return isMoved || joined().has(character);
}

let joinedMarks: ReadonlySet<string> | null = null;

/** The characters that are the latter part of another one. */
function joined(): ReadonlySet<string> {
  if (joinedMarks !== null) return joinedMarks;
  const found = new Set<string>();
  for (let code = 0xc0; code < 0x10000; code++) {
    for (const part of String.fromCharCode(code).normalize("NFD").slice(1)) found.add(part);
  }
  joinedMarks = found;
  return found;
}
