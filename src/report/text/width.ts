import { graphemes } from "../../text/graphemes.ts";

/**
 * The cells of a terminal that a text takes: 2 for wide East Asian characters and emoji, 0 for combining marks and what
 * is not drawn, 1 for the rest. Terminals differ in rare clusters; this is what most of them do.
 */
export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** A text cut to a width, with an ellipsis in its last cell where something was cut off. No character is torn apart. */
export function fit(text: string, width: number): string {
  if (isPlain(text)) return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  let kept = "";
  let used = 0;
  // The text is cut one cell below the allowed width, which leaves room for an ellipsis.
  let short = "";
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > width) return `${short}…`;
    kept += grapheme;
    if (used < width) short = kept;
  }
  return kept;
}

/** The same with the end kept, where names differ: `…1-135939:prod`. */
export function fitEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  for (const grapheme of Array.from(graphemes(text)).toReversed()) {
    if (displayWidth(grapheme + kept) > width - 1) break;
    kept = grapheme + kept;
  }
  return `…${kept}`;
}

/** A text filled with spaces to a width; a longer one stays. */
export function pad(text: string, width: number, side: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return side === "left" ? text + space : space + text;
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function graphemeWidth(grapheme: string): number {
  const isSequence =
    grapheme.length > 1 && /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*0-9]\ufe0f)/u.test(grapheme);
  if (isSequence && /[\ufe0f\u200d\p{Emoji_Modifier}\p{Regional_Indicator}\p{Emoji_Presentation}]/u.test(grapheme))
    return 2;
  let width = 0;
  for (const character of grapheme) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (/[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Unicode's East Asian Width W and F, in blocks, and what is drawn as an emoji by itself. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
