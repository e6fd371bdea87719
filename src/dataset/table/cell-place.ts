import type { RelativePlace, Row } from "../row.ts";

/** Line of the file, and character of that line from 1; null in a workbook. */
interface CellPlace {
  line: number;
  character: number | null;
}

/** Finds the place of a cell in the file: its first character, or the one at an offset in its content. */
export function placeOfCell({ placeOf, line }: Row, cell: number, offset = 0): CellPlace {
  const found = placeOf?.(cell, offset);
  return found === undefined ? { line, character: null } : { line: line + found.lines, character: found.character };
}

/** The place of a cell in the text of its row. */
export function placeInText(row: string, delimiter: string, cell: number, offset: number): RelativePlace {
  // Empty lines before a row are part of its text.
  const text = row.replace(/^[\r\n]+/, "");
  const before = text.slice(0, offsetOf(text, delimiter, cell, offset)).split(/\r\n|\r|\n/);
  return { lines: before.length - 1, character: Array.from(before.at(-1) ?? "").length + 1 };
}

/** Offset in the text of a row; its end when it has fewer cells. */
function offsetOf(text: string, delimiter: string, cell: number, offset: number): number {
  let at = 0;
  for (let passed = 0; passed < cell && at < text.length; passed++) {
    at = endOf(text, at, delimiter) + delimiter.length;
  }
  if (text[at] !== '"' || offset === 0) return Math.min(text.length, at + offset);
  let inside = at + 1;
  for (let left = offset; left > 0; left--) inside += text[inside] === '"' ? 2 : 1;
  return inside;
}

/** Finds the end of the cell that begins at an offset. */
function endOf(text: string, start: number, delimiter: string): number {
  let at = start;
  if (text[at] === '"') {
    for (at = text.indexOf('"', at + 1); at >= 0 && text[at + 1] === '"'; at = text.indexOf('"', at + 2));
    if (at < 0) return text.length;
  }
  const end = text.indexOf(delimiter, at);
  return end < 0 ? text.length : end;
}
