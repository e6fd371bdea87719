import type { SearchedRow } from "../model/row-figures.ts";
import type { RowText } from "./row-terms.ts";

/**
 * Everything in a row that a search looks at, with marks that say of which part each text is, so that one text of all of
 * them is searched as a whole and by its parts. Before a text stand `open`, the marks of all parts that have it, and
 * `close`: characters that no text and nothing that is looked for has.
 */
export const open = "\u0001";
export const close = "\u0002";

/** Two of these characters are a mark. */
const digits = Array.from({ length: 16 }, (_, place) => String.fromCharCode(0x0e + place));

const mark = (number: number): string => `${digits[number >> 4] ?? ""}${digits[number & 15] ?? ""}`;

/** Sides and columns beyond these are searched with everything else alone. */
const mostSides = 60;
const mostColumns = 120;

const ofRow: Record<Exclude<RowText, "answer" | "error">, string> = {
  key: mark(0),
  conversation: mark(1),
  expected: mark(2),
  question: mark(3),
};
const elsewhere = mark(4);

/** The marks that a text may have: of one side, or with null of any. */
export function marksOf(text: RowText, side: number | null, sides: number): string[] {
  if (text !== "answer" && text !== "error") return [ofRow[text]];
  const places = side === null ? Array.from({ length: sides }, (_, place) => place) : [side];
  return places.map((place) => sideMark(place, text));
}

function sideMark(side: number, text: "answer" | "error"): string {
  return side < mostSides ? mark(8 + side * 2 + (text === "error" ? 1 : 0)) : elsewhere;
}

/** Columns that a query may name: the first of a sheet, as many as have a mark. */
export const queriedColumns = (names: readonly string[]): string[] => names.slice(0, mostColumns);

/** The mark of the cells of a column; null: it has none, and is searched with everything else alone. */
export function columnMark(place: number): string | null {
  return place >= 0 && place < mostColumns ? mark(8 + mostSides * 2 + place) : null;
}

// oxlint-disable-next-line eslint/no-control-regex
const control = /[\0-\u0008\u000e-\u001f]/;

/** Marks have two characters each, and the end of one with the beginning of the next is none. */
function hasMark(marks: string, one: string): boolean {
  for (let at = 0; at < marks.length; at += 2) if (marks.startsWith(one, at)) return true;
  return false;
}

/** The text of a row with its marks; `columns`: places of the columns of the sheet by their names. */
export function markedText(row: SearchedRow, columns: ReadonlyMap<string, number>): string {
  const parts = new Map<string, string>();
  const add = (marked: string, text: string): void => {
    const known = parts.get(text);
    if (known === undefined) parts.set(text, marked);
    else if (!hasMark(known, marked)) parts.set(text, known + marked);
  };
  add(ofRow.key, row.key);
  add(ofRow.expected, row.expected ?? "");
  add(ofRow.conversation, row.cluster ?? "");
  for (const tag of Object.values(row.tags)) add(elsewhere, tag);
  for (const { text } of row.input) add(ofRow.question, text);
  for (const [side, { runs }] of row.sides.entries()) {
    for (const { answer, error, runId } of runs) {
      add(sideMark(side, "answer"), answer ?? "");
      add(sideMark(side, "error"), error ?? "");
      if (runId !== null) add(elsewhere, runId);
    }
  }
  for (const [name, cell] of Object.entries(row.columns)) add(columnMark(columns.get(name) ?? -1) ?? elsewhere, cell);
  let whole = "";
  for (const [text, marks] of parts) {
    whole += `${open}${marks}${close}${control.test(text) ? text.replaceAll(new RegExp(control, "g"), " ") : text}`;
  }
  return whole;
}
