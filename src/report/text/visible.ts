/**
 * A text on one line in which nothing is left for a terminal to obey: control characters become their pictures
 * (escape is ␛), line breaks ↵, and characters that turn the direction of writing are named (⟨RLO⟩).
 */
export function visible(text: string): string {
  return fewMarks(text)
    .replaceAll(/ ?(?:\r\n|\n|\u2028|\u2029)[ \t\r\n\u2028\u2029]*/g, " ↵ ")
    .replaceAll(
      /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
      pictureOf,
    );
}

/**
 * The same for text of several lines: control characters, those that turn the direction of writing and those that nobody
 * sees (tags) become pictures; tabs and line breaks stay.
 */
export function visibleControls(text: string): string {
  return hidden.test(text) ? text.replaceAll(new RegExp(hidden, "gu"), pictureOf) : text;
}

/**
 * A text in which no character is made of very many: of the marks on one letter, and of characters that are joined,
 * those beyond the first are counted instead. Programs that draw such characters take seconds for one.
 */
export function fewMarks(text: string): string {
  if (text.length < mostMarks) return text;
  return text.replaceAll(manyMarks, (run) => {
    const kept = Array.from(run).slice(0, mostMarks);
    return `${kept.join("")}⟨${Array.from(run).length - kept.length} more marks⟩`;
  });
}

/** No script needs as many: marks that combine, signs that take the next one into their own, parts of syllables, chains. */
const mostMarks = 32;
const manyMarks =
  /[\p{M}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u1100-\u11ff\u200d]{33,}|(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){33,}/gu;

/** No joiners and marks of direction, which many scripts and emoji need. */
const hidden =
  /[^\t\n\r\P{Cc}]|[\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/u;

/**
 * The same, and every other character that nobody sees becomes one: for readers that take in what a person would not notice. A joiner
 * or a form of a letter or an emoji stays where it has one before it.
 */
export function visibleUnseen(text: string): string {
  return unseen.test(text) ? text.replaceAll(new RegExp(unseen, "gu"), pictureOf) : text;
}

const unseen = new RegExp(
  [
    hidden.source,
    String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8]`,
    String.raw`[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}]`,
    // One form or joiner belongs to what stands before it; more of them carry a text of their own.
    String.raw`(?<=^|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\s])[\ufe00-\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=^|[\u200c\u200d\s])[\u200c\u200d]`,
  ].join("|"),
  "u",
);

/** The tags of a flag, such as that of Scotland, stay with it in `visibleControls`. */
function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xe0000 && code <= 0xe007f
    ? `⟨TAG ${(code - 0xe0000).toString(16).toUpperCase()}⟩`
    : picture(character);
}

const names: Record<string, string> = {
  "\u00ad": "SHY",
  "\u061c": "ALM",
  "\u200b": "ZWSP",
  "\u200e": "LRM",
  "\u200f": "RLM",
  "\u202a": "LRE",
  "\u202b": "RLE",
  "\u202c": "PDF",
  "\u202d": "LRO",
  "\u202e": "RLO",
  "\u2060": "WJ",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
  "\ufeff": "BOM",
};

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  const name = names[character];
  if (name !== undefined) return `⟨${name}⟩`;
  if (code > 0xa0 && (code < 0xd800 || code > 0xdfff)) return `⟨${code.toString(16).toUpperCase()}⟩`;
  // C1 controls, and halves of surrogate pairs, which are no characters.
  return code < 0xa0 ? `⟨${code.toString(16).toUpperCase()}⟩` : "\ufffd";
}
