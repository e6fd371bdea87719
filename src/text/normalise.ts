/**
 * A text without what no reader sees: composed (NFC), without characters that only steer breaks and direction,
 * white space squeezed to single spaces and trimmed. Case, joiners and punctuation stay.
 */
export function normalise(text: string): string {
  if (!unusual.test(text)) return text.trim();
  const composed = text.normalize("NFC");
  if (isTidy(composed)) return composed.trim();
  return composed.replaceAll(invisible, "").replaceAll(irregularSpace, " ").trim();
}

/** Characters without which a text has nothing to compose, to leave out or to squeeze. */
const unusual = /[^ -~]| {2}/;

/**
 * True for a text with nothing to leave out or to squeeze, as most texts of any script are; false may also be said of
 * others. A loop, because a pattern takes ten times as long.
 */
function isTidy(text: string): boolean {
  let before = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code <= 0x20 ? code !== 0x20 || before === 0x20 : code >= 0xa0 && isOdd(code)) return false;
    before = code;
  }
  return true;
}

/** Spaces and signs that steer, by their code, and some that stand among them. */
function isOdd(code: number): boolean {
  if (code < 0x1680) return code === 0xa0 || code === 0xad || code === 0x61c;
  if (code < 0x2000 || code > 0x206f) return code === 0x1680 || code === 0x3000 || code === 0xfeff;
  return code <= 0x200b || code === 0x200e || code === 0x200f || (code >= 0x2028 && code <= 0x202f) || code >= 0x205f;
}

/** Soft hyphen, zero-width space, word joiner, byte order mark and the bidi controls; not the joiners, which scripts need. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Spaces other than single ones: most texts have nothing to squeeze, and are then given back without a copy. */
const irregularSpace = /[^\S ]\s*| \s+/g;
