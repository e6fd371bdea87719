import { graphemes } from "../../text/graphemes.ts";
import { shownIn } from "../../lib/hidden-characters.ts";
import { writtenSentence } from "./sentence-parts.ts";
import { visible } from "./visible.ts";

/**
 * A text in a line or a cell of Markdown that stays that text: no markup, no HTML, no link, no mention, no emoji code, no
 * formula; line breaks and control characters are shown. After a sign by which a service makes a link of what follows, in
 * the rendered page too, stands a joiner that is not seen.
 */
export function markdownText(text: string): string {
  return visible(text)
    .replaceAll(/[@#](?=[\p{L}\p{N}_-])|(?<=\bGH)-(?=\d)/giu, (sign) => `${sign}\u2060`)
    .replaceAll(meaning, entity);
}

/**
 * Characters that Markdown, or a service that shows it, would take for something else: by the sign, or by its place.
 */
const meaning =
  /[@#-](?=\u2060)|(?<=\bwww)\.|(?<=^\s*)[-+](?=\s|$)|(?<=^\s*\d{1,9})[.)](?=\s|$)|:(?=[^\s\d]|\d+:)|[&<>`*_~[\]\\|$]/giu;

/** The same as a piece of code: in it no service looks for mentions. */
export function markdownCode(text: string, longest = 120): string {
  return `<code>${markdownText(shortened(text, longest))}</code>`;
}

/** A sentence, whose names and commands are code. */
export const markdownSentence = (sentence: string): string =>
  writtenSentence(sentence, { words: markdownText, code: (text) => markdownCode(text, 300) });

/** A text of several lines as it is, in a block that Markdown does not look into. */
export function markdownBlock(text: string, longest: number): string {
  const shown = shownIn("block", shortened(text.trim(), longest)).replaceAll(/\r\n?|[\u2028\u2029]/g, "\n");
  return `<pre dir="auto">${shown.replaceAll(inBlock, entity)}</pre>`;
}

/** Signs that end the block, and those by which a CI finds its commands where the report is printed. */
const inBlock = /[&<>"']|(?<=#)#(?=[a-z-]{0,40}\[)|(?<=:):(?=[a-z])/gi;

/** A fold that is opened with a click; `title` and `inside` are Markdown already. */
export function markdownFold(title: string, inside: string): string {
  return `<details><summary>${title}</summary>\n\n${inside}\n\n</details>`;
}

/** No more than so many characters, as a reader counts them. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let kept = "";
  let count = 0;
  for (const grapheme of graphemes(text.slice(0, longest * 12))) {
    count += 1;
    // A character may be made of very many.
    if (count > longest || kept.length + grapheme.length > longest * 12) return `${kept}…`;
    kept += grapheme;
  }
  return kept.length < text.length ? `${kept}…` : kept;
}

function entity(character: string): string {
  return { "&": "&amp;", "<": "&lt;", ">": "&gt;" }[character] ?? `&#${character.codePointAt(0)};`;
}
