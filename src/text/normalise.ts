/**
 * A text without what no reader sees: composed (NFC), without characters that only steer breaks and direction,
 * white space squeezed to single spaces and trimmed. Case, joiners and punctuation stay.
 */
export function normalise(text: string): string {
  const need = needOf(text);
  if (need === 0) return text.trim();
  const composed = (need & compose) === 0 ? text : text.normalize("NFC");
  return (need & squeeze) === 0
    ? composed.trim()
    : composed.replaceAll(invisible, "").replaceAll(irregularSpace, " ").trim();
}

/** The text in NFC, which most texts are in. */
export function composedText(text: string): string {
  return (needOf(text) & compose) === 0 ? text : text.normalize("NFC");
}

/** Needs of a character: to be left out or drawn together with others, and to be composed with others. */
const [squeeze, compose] = [1, 2];

/** Soft hyphen, zero-width space, word joiner, byte order mark and the bidi controls; not the joiners, which scripts need. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Spaces other than single ones: most texts have nothing to squeeze, and are then given back without a copy. */
const irregularSpace = /[^\S ]\s*| \s+/g;

/**
 * Needs of the characters of a text; 0: it is as it should be, as most texts are. A look-up for each takes half the time of
 * a pattern and a look at Unicode's properties.
 */
function needOf(text: string): number {
  let [need, before] = [0, 0];
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    need |= needs[code] ?? 0;
    if (code === 0x20 && before === 0x20) need |= squeeze;
    before = code;
  }
  return need;
}

/**
 * First and last of characters that stay as they are beside all others of this list: none is composed with one before
 * it, and signs of another class than 0 are of class 9, so that none changes its place. Halves of characters: of emoji.
 */
const steady = [
  [0x00, 0x7e],
  [0xa1, 0x2ff],
  [0x375, 0x37d],
  [0x388, 0x482],
  [0x48a, 0x58f],
  [0x5d0, 0x5f4],
  [0x60c, 0x60f],
  [0x61b, 0x64a],
  [0x660, 0x66f],
  [0x671, 0x6d5],
  [0x900, 0x93b],
  [0x93d, 0x950],
  [0x960, 0x97f],
  [0x1e00, 0x1eff],
  [0x200c, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20bf],
  [0x2190, 0x21ff],
  [0x2500, 0x27bf],
  [0x3001, 0x3029],
  [0x3041, 0x3096],
  [0x30a0, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd83c, 0xd83e],
  [0xdc00, 0xdfff],
  [0xff01, 0xff60],
] as const;

/** Spaces but the usual one, and the characters that are left out. */
const odd = [
  [0x09, 0x0d],
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x1680, 0x1680],
  [0x2000, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x2060],
  [0x2066, 0x2069],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const;

/** Code unit to its needs. */
const needs = new Uint8Array(0x10000).fill(compose);
for (const [first, last] of steady) needs.fill(0, first, last + 1);
for (const [first, last] of odd)
  for (let code = first; code <= last; code++) needs[code] = (needs[code] ?? 0) | squeeze;
