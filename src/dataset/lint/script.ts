/** First and last code point of the letters of a script; sorted. Punctuation, digits and signs belong to none. */
const ranges: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x41, 0x5a, "Latin"],
  [0x61, 0x7a, "Latin"],
  [0xaa, 0xaa, "Latin"],
  [0xba, 0xba, "Latin"],
  [0xc0, 0xd6, "Latin"],
  [0xd8, 0xf6, "Latin"],
  [0xf8, 0x2af, "Latin"],
  [0x370, 0x3ff, "Greek"],
  [0x400, 0x52f, "Cyrillic"],
  [0x531, 0x58a, "Armenian"],
  [0x591, 0x5f4, "Hebrew"],
  [0x600, 0x6ff, "Arabic"],
  [0x700, 0x74f, "Syriac"],
  [0x750, 0x77f, "Arabic"],
  [0x780, 0x7bf, "Thaana"],
  [0x7c0, 0x7ff, "Nko"],
  [0x8a0, 0x8ff, "Arabic"],
  [0x900, 0x963, "Devanagari"],
  [0x966, 0x97f, "Devanagari"],
  [0x980, 0x9ff, "Bengali"],
  [0xa00, 0xa7f, "Gurmukhi"],
  [0xa80, 0xaff, "Gujarati"],
  [0xb00, 0xb7f, "Odia"],
  [0xb80, 0xbff, "Tamil"],
  [0xc00, 0xc7f, "Telugu"],
  [0xc80, 0xcff, "Kannada"],
  [0xd00, 0xd7f, "Malayalam"],
  [0xd80, 0xdff, "Sinhala"],
  [0xe00, 0xe7f, "Thai"],
  [0xe80, 0xeff, "Lao"],
  [0xf00, 0xfff, "Tibetan"],
  [0x1000, 0x109f, "Myanmar"],
  [0x10a0, 0x10ff, "Georgian"],
  [0x1100, 0x11ff, "Hangul"],
  [0x1200, 0x139f, "Ethiopic"],
  [0x1780, 0x17ff, "Khmer"],
  [0x1800, 0x18af, "Mongolian"],
  [0x1e00, 0x1eff, "Latin"],
  [0x1f00, 0x1fff, "Greek"],
  [0x2d80, 0x2ddf, "Ethiopic"],
  [0x3041, 0x30ff, "Kana"],
  [0x3130, 0x318f, "Hangul"],
  [0x3400, 0x4dbf, "Han"],
  [0x4e00, 0x9fff, "Han"],
  [0xab00, 0xab2f, "Ethiopic"],
  [0xac00, 0xd7af, "Hangul"],
  [0xf900, 0xfaff, "Han"],
  [0xfb50, 0xfdff, "Arabic"],
  [0xfe70, 0xfefc, "Arabic"],
  [0x20000, 0x3ffff, "Han"],
];

/** Number of characters of a text that are looked at. */
const sample = 400;

/** The script that most letters of a text (of its first 400) are of; null when it has no letters of a script that is known. */
export function mainScript(text: string): string | null {
  const counts = new Map<string, number>();
  for (const character of text.slice(0, sample)) {
    const script = scriptOf(character.codePointAt(0) ?? 0);
    if (script !== null) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  // Japanese is written with Han as well.
  return most?.[0] === "Han" && counts.has("Kana") ? "Kana" : (most?.[0] ?? null);
}

function scriptOf(code: number): string | null {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return null;
    if (code < range[0]) high = middle - 1;
    else if (code > range[1]) low = middle + 1;
    else return range[2];
  }
  return null;
}
