/** One cell: a text, a number, a truth value, or nothing. */
export type Cell = string | number | boolean | null;

/** How a CSV is written for those who read it. */
export interface SpreadsheetOptions {
  /** Begin with a byte order mark, by which Excel knows UTF-8. */
  excel: boolean;
  /** Write every cell exactly as it is, for programs that read it back; a spreadsheet may then run what a bot said. */
  raw: boolean;
}

/**
 * The text of a cell. Unless raw, a text that a spreadsheet would take for a formula gets a leading apostrophe, which
 * makes it text; numbers, negative ones and texts that are numbers too, stay as they are.
 */
export function cellText(cell: Cell, { raw }: Pick<SpreadsheetOptions, "raw">): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  return !raw && beginsLikeFormula(cell) ? `'${cell}` : cell;
}

/** True for a text that begins, after spaces and characters that are not seen, like a formula, and is no number. */
function beginsLikeFormula(text: string): boolean {
  if (/^[\t\r]/.test(text)) return true;
  return /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text) && !number.test(text);
}

const number = /^ *[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:[.,]\d+)?(?<=\d)(?:e[-+]?\d+)?(?: ?%)? *$/i;
