/**
 * Who reads a text that leaves tandem.
 *
 * - `line` is a text on one line of a terminal, of Markdown, of an annotation or of a notice
 * - `terminal` is all that is written to one
 * - `page` is the report and the viewer, `block` a text of several lines in Markdown
 * - `cell` is a cell of CSV, `xml` JUnit and workbooks
 * - `agent` is a model that reads over MCP, and takes in what no person sees
 * - `message` is a text that a message quotes, `json` the JSON text of a file: both escape what others show as signs
 */
export type TextMedium = "line" | "terminal" | "page" | "block" | "cell" | "xml" | "agent" | "message" | "json";

const drawn: readonly TextMedium[] = ["line", "terminal", "page", "block", "cell", "xml", "agent", "message"];
const everywhere: readonly TextMedium[] = [...drawn, "json"];
const narrow: readonly TextMedium[] = ["line", "agent", "message"];

/** Scripts that write without spaces: there a zero-width space is where a line may break. */
const spaceless = String.raw`[\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Thai}\p{scx=Lao}]`;

/** Scripts in whose spelling a joiner may stand behind a letter or a sign. */
const joiningScripts =
  "Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar"
    .split(" ")
    .map((script) => String.raw`\p{scx=${script}}`)
    .join("");

/** An emoji with what may follow it: its form, or the colour of its skin. */
const emoji = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`;

/** Characters that a reader may obey, or take in without seeing them, and the media that must not carry them: one table for all. */
const kinds: readonly { what: string; pattern: string; media: readonly TextMedium[] }[] = [
  { what: "controls but tabs and line breaks", pattern: String.raw`[^\t\n\r\P{Cc}]`, media: everywhere },
  { what: "halves of characters", pattern: String.raw`\p{Cs}`, media: everywhere },
  { what: "what is no character for XML", pattern: String.raw`[\ufffe\uffff]`, media: ["xml"] },
  { what: "tabs", pattern: String.raw`\t`, media: ["line"] },
  {
    what: "carriage returns, behind which a terminal overwrites",
    pattern: String.raw`\r`,
    media: ["line", "terminal"],
  },
  { what: "separators of lines and paragraphs", pattern: String.raw`[\u2028\u2029]`, media: ["message"] },
  {
    what: "turns of the direction of writing",
    pattern: String.raw`[\u202a-\u202e\u2066-\u2069]`,
    media: drawn,
  },
  { what: "interlinear notes", pattern: String.raw`[\ufff9-\ufffb]`, media: drawn },
  { what: "tags, but those of a flag", pattern: String.raw`[\u{e0000}-\u{e007f}]`, media: drawn },
  {
    what: "marks of direction, soft hyphens, word joiners, operators that are not seen, byte order marks",
    pattern: String.raw`[\u00ad\u061c\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff]`,
    media: narrow,
  },
  {
    what: "zero-width spaces, but between letters of scripts without spaces",
    pattern: String.raw`(?<!${spaceless})\u200b|\u200b(?!${spaceless})`,
    media: narrow,
  },
  {
    what: "joiners that no spelling and no emoji needs; Persian endings follow words of any script",
    pattern: String.raw`(?<![${joiningScripts}])(?:(?<![\p{L}\p{N}])\u200c|\u200c(?!\p{sc=Arabic})|(?<!${emoji})\u200d|\u200d(?!\p{Extended_Pictographic}))`,
    media: ["agent"],
  },
  {
    what: "forms of emoji that follow none",
    pattern: String.raw`(?<!\p{Extended_Pictographic}|[0-9#*](?=\ufe0f\u20e3))\ufe0f`,
    media: ["agent"],
  },
  {
    what: "every other character that is not drawn: forms of letters, fillers, controls of music, shorthand and hieroglyphs",
    pattern: String.raw`(?![\u200b-\u200d\ufe0f])\p{Default_Ignorable_Code_Point}|[\u{13430}-\u{1343f}]`,
    media: ["agent"],
  },
];

/** Media that draw letters: marks upon marks, and emoji joined without end, are counted there beyond the first ones. */
const counting: ReadonlySet<TextMedium> = new Set(["line", "terminal", "page", "block", "xml"]);

/** The flags of England, Scotland and Wales: the only ones that are spelled with tags. */
const flags = ["gbeng", "gbsct", "gbwls"].map(
  (name) =>
    `\u{1f3f4}${Array.from(name, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{e007f}`,
);

const patterns = new Map<TextMedium, { any: RegExp; each: RegExp }>();

function patternsOf(medium: TextMedium): { any: RegExp; each: RegExp } {
  const known = patterns.get(medium);
  if (known !== undefined) return known;
  const hidden = kinds.filter(({ media }) => media.includes(medium)).map(({ pattern }) => pattern);
  const made = {
    any: new RegExp(hidden.join("|"), "u"),
    each: new RegExp([...flags, ...hidden].join("|"), "gu"),
  };
  patterns.set(medium, made);
  return made;
}

/** A text in which everything that `medium` must not carry is a sign that is seen: escape is ␛, a tag ⟨TAG 41⟩. */
export function shownIn(medium: TextMedium, text: string): string {
  return replaced(medium, counting.has(medium) ? fewMarks(text) : text, signOf);
}

/** A text in which it is written as JSON and JavaScript escape it. */
export function escapedIn(medium: TextMedium, text: string): string {
  return replaced(medium, text, escaped);
}

/** True for a text that such a medium carries as it is. */
export function isHarmlessIn(medium: TextMedium, text: string): boolean {
  return !patternsOf(medium).any.test(text);
}

function replaced(medium: TextMedium, text: string, by: (character: string) => string): string {
  const { any, each } = patternsOf(medium);
  return any.test(text) ? text.replaceAll(each, (found) => (flags.includes(found) ? found : by(found))) : text;
}

/**
 * A text in which no character is made of very many: of the marks on one letter, and of characters that are joined,
 * those beyond the first are counted instead. Programs that draw such characters take seconds for one.
 */
function fewMarks(text: string): string {
  if (text.length < mostMarks) return text;
  return text.replaceAll(manyMarks, (run) => {
    const characters = Array.from(run);
    return `${characters.slice(0, mostMarks).join("")}⟨${characters.length - mostMarks} more marks⟩`;
  });
}

/** No script needs as many: marks that combine, signs that take the next one into their own, parts of syllables, chains. */
const mostMarks = 32;
const manyMarks =
  /[\p{M}\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u1100-\u11ff\u200d]{33,}|(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){33,}/gu;

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

function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if ((code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff) return "\ufffd";
  if (code >= 0xe0000 && code <= 0xe007f) return `⟨TAG ${hexOf(code - 0xe0000)}⟩`;
  return `⟨${names[character] ?? hexOf(code)}⟩`;
}

const hexOf = (code: number): string => code.toString(16).toUpperCase();

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_none, place) => `\\u${character.charCodeAt(place).toString(16).padStart(4, "0")}`,
  ).join("");
}
