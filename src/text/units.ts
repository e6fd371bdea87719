import type { EditUnit } from "./edit-distance.ts";
import { graphemes } from "./graphemes.ts";
import { tokens } from "./tokens.ts";

/** Number of units compared of longer texts: the work grows with the product of both lengths. */
export const mostUnits: Record<EditUnit, number> = { graphemes: 20_000, "code-points": 20_000, words: 10_000 };

/** The units of a text after NFC, the first of them where there are too many; `cut` says so. */
export function editUnitsOf(text: string, unit: EditUnit): { units: string[]; cut: boolean } {
  const most = mostUnits[unit];
  const units =
    unit === "words" ? tokens(text, most + 1) : firstOf(charactersOf(text.normalize("NFC"), unit), most + 1);
  return units.length > most ? { units: units.slice(0, most), cut: true } : { units, cut: false };
}

/** Characters of a plain text are its UTF-16 units, which need no segmenter. */
function charactersOf(text: string, unit: "graphemes" | "code-points"): Iterable<string> {
  return unit === "code-points" || isPlain(text) ? text : graphemes(text);
}

/** ASCII without the carriage return, which makes one grapheme with the line feed after it. */
function isPlain(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x0c\x0e-\x7f]*$/.test(text);
}

function firstOf(units: Iterable<string>, most: number): string[] {
  const first: string[] = [];
  for (const unit of units) {
    if (first.length >= most) break;
    first.push(unit);
  }
  return first;
}
