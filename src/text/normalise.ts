/**
 * A text without what no reader sees: composed (NFC), without characters that only steer breaks and direction,
 * white space squeezed to single spaces and trimmed. Case, joiners and punctuation stay.
 */
export function normalise(text: string): string {
  if (!unusual.test(text)) return text.trim();
  return text.normalize("NFC").replaceAll(invisible, "").replaceAll(irregularSpace, " ").trim();
}

/** Characters without which a text has nothing to compose, to leave out or to squeeze. */
const unusual = /[^ -~]| {2}/;

/** Soft hyphen, zero-width space, word joiner, byte order mark and the bidi controls; not the joiners, which scripts need. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Spaces other than single ones: most texts have nothing to squeeze, and are then given back without a copy. */
const irregularSpace = /[^\S ]\s*| \s+/g;
