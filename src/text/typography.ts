/**
 * Characters that are written in several ways and mean the same, each way to the one of a keyboard: quotes, dashes, dots.
 * Full width has the forms of Unicode.
 */
const plainForms: readonly (readonly [variants: string, plain: string])[] = [
  ["\u2018\u2019\u201a\u201b\u2032\u2035\u02bb\u02bc\u02b9\u02c8\u055a\u05f3\ua78c\u00b4`\u2039\u203a", "'"],
  ["\u201c\u201d\u201e\u201f\u2033\u2036\u02ba\u02ee\u05f4\u00ab\u00bb\u301d\u301e\u301f\u300c\u300d\u300e\u300f", '"'],
  ["\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u02d7\u05be\u2e3a\u2e3b\ufe58\ufe63", "-"],
  ["\u2026\u22ef", "..."],
  ["\u2025", ".."],
  ["\u301c", "~"],
];

const plainOf = new Map(
  plainForms.flatMap(([variants, plain]) => Array.from(variants, (each) => [each, plain] as const)),
);
const classOf = (characters: string): string =>
  Array.from(characters, (each) => `\\u{${each.charCodeAt(0).toString(16)}}`).join("");

const variants = classOf([...plainOf.keys()].join(""));
/** Characters of full and half width, and joined letters such as one for fi. */
const compatible = "\\ufb00-\\ufb06\\uff01-\\uffee";
const variant = new RegExp(`[${variants}]|[${compatible}]+`, "gu");
/** Nothing but quotes, dashes, dots and marks of full width, in any of the ways to write them, and white space. */
const marksAlone = new RegExp(
  `^(?:[${variants}!-\\/:-@\\[-\`{-~\\s\\u00ad\\u200b\\u2060\\ufeff]|(?![\\p{L}\\p{M}\\p{N}])[${compatible}])+$`,
  "u",
);

/** Quotes as French writes them, with spaces inside: `« oui »`; not the end of one German quote and the beginning of another. */
const spacedQuotes = /(?<=^|[\s(])\u00ab\s+([^\u00ab\u00bb]{0,500}?)\s+\u00bb/gu;

/** A text with the characters of a keyboard in place of their typographic variants. */
export function plainTypography(text: string): string {
  const tight = text.includes("\u00ab") ? text.replaceAll(spacedQuotes, '"$1"') : text;
  return tight.replaceAll(variant, (found) => plainOf.get(found) ?? found.normalize("NFKC"));
}

/** True for a text that is about such characters: it means the ones that it has, and not their variants. */
export const isOfTypography = (text: string): boolean => marksAlone.test(text);
