import { type TextPart, wordStart } from "./diff.ts";

/** A piece of a text; `changed`: the other side has something else there, or nothing. */
export interface Piece {
  text: string;
  changed: boolean;
}

/** Lines of both answers that stand side by side; either side may have none. */
export interface AlignedRow {
  left: Piece[];
  right: Piece[];
  /** Both sides have it alike, far from every change: it is shown on a click. */
  isFolded: boolean;
}

/** Number of characters without change that stay beside a change; longer stretches fold away. */
const context = 360;
/** Texts without a change are shown up to here. */
const maxUnchangedShown = 4000;
/** Rows beyond these stand in one: nobody follows so many with the eye. */
const mostRows = 600;

/**
 * Sets two texts side by side, so that lines which both have stand beside each other and a line that only one has stands
 * alone. Only what both have is folded, in both at the same place.
 */
export function alignedRows(given: readonly TextPart[], isWhole: boolean): AlignedRow[] {
  const parts = slid(given);
  const rows = new Rows();
  for (const [index, part] of parts.entries()) {
    const ends = { isFirst: index === 0, isLast: index === parts.length - 1 };
    const fold = isWhole || part.changed ? null : foldOf(part, ends);
    if (fold === null) {
      rows.add(part, ends.isLast);
      continue;
    }
    rows.add(fold.before, true);
    rows.fold(fold.hidden);
    rows.add(fold.after, ends.isLast);
  }
  return few(rows.end());
}

const firstLineEnd = /^[^\S\n]*\n(?:[^\S\n]*\n)*/;

/** A line that only one side has begins with its own words, not with the end of the line before. */
function slid(given: readonly TextPart[]): TextPart[] {
  const parts = given.map((part) => ({ ...part }));
  for (const [index, part] of parts.entries()) {
    const [before, after] = [parts[index - 1], parts[index + 1]];
    if (!part.changed || before === undefined || after === undefined) continue;
    const side = part.left === "" ? "right" : part.right === "" ? "left" : null;
    const lineEnd = side === null ? "" : (firstLineEnd.exec(part[side])?.[0] ?? "");
    if (side === null || lineEnd === "" || !after.left.startsWith(lineEnd) || !after.right.startsWith(lineEnd))
      continue;
    part[side] = part[side].slice(lineEnd.length) + lineEnd;
    for (const each of ["left", "right"] as const) {
      before[each] += lineEnd;
      after[each] = after[each].slice(lineEnd.length);
    }
  }
  return parts.filter(({ left, right }) => left !== "" || right !== "");
}

/** Collects rows: one ends where both sides have come to the end of a line. */
class Rows {
  readonly #rows: AlignedRow[] = [];
  #row: AlignedRow = emptyRow();

  add(part: TextPart, isLast: boolean): void {
    if (part.changed || part.left !== part.right) this.#put(part);
    else this.#addAlike(part.left, isLast);
    if (part.changed && isAtLineEnd(this.#row.left) && isAtLineEnd(this.#row.right)) this.#flush();
  }

  /** The rest of a line with a change belongs to it; so does the beginning of the line that the next one is in. */
  #addAlike(text: string, isLast: boolean): void {
    let rest = text;
    if (!isEmpty(this.#row)) {
      const end = /\n(?:[^\S\n]*\n)*/.exec(rest);
      const until = end === null ? rest.length : end.index + end[0].length;
      this.#put(alike(rest.slice(0, until)));
      rest = rest.slice(until);
      if (end !== null) this.#flush();
    }
    const lineStart = isLast ? rest.length : rest.lastIndexOf("\n") + 1;
    this.#put(alike(rest.slice(0, lineStart)));
    if (lineStart > 0) this.#flush();
    this.#put(alike(rest.slice(lineStart)));
  }

  fold(part: TextPart): void {
    this.#flush();
    this.#put(part);
    this.#row.isFolded = true;
    this.#flush();
  }

  #put({ left, right, changed }: TextPart): void {
    if (left !== "") this.#row.left.push({ text: left, changed });
    if (right !== "") this.#row.right.push({ text: right, changed });
  }

  #flush(): void {
    if (!isEmpty(this.#row)) this.#rows.push(this.#row);
    this.#row = emptyRow();
  }

  end(): AlignedRow[] {
    this.#flush();
    return this.#rows;
  }
}

const emptyRow = (): AlignedRow => ({ left: [], right: [], isFolded: false });
const isEmpty = ({ left, right }: AlignedRow): boolean => left.length === 0 && right.length === 0;
const isAtLineEnd = (pieces: readonly Piece[]): boolean => pieces.at(-1)?.text.endsWith("\n") ?? true;
const alike = (text: string): TextPart => ({ left: text, right: text, changed: false });

function few(rows: AlignedRow[]): AlignedRow[] {
  if (rows.length <= mostRows) return rows;
  const rest = rows.slice(mostRows - 1);
  const joined = {
    left: rest.flatMap(({ left }) => left),
    right: rest.flatMap(({ right }) => right),
    isFolded: false,
  };
  return [...rows.slice(0, mostRows - 1), joined];
}

/** The two ends of a stretch that both have, and what folds away between them; null: all of it stays. */
function foldOf(
  { left, right }: TextPart,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): { before: TextPart; hidden: TextPart; after: TextPart } | null {
  const isAll = isFirst && isLast;
  const [before, after] = isAll ? [maxUnchangedShown, 0] : [isFirst ? 0 : context, isLast ? 0 : context];
  if (left.length <= (before + after) * (isAll ? 1.25 : 2)) return null;
  // The same words may be spelt in another number of characters there.
  const scale = right.length / left.length;
  const [from, to] = [headEnd(left, before), tailStart(left, left.length - after)];
  const [fromRight, toRight] =
    left === right
      ? [from, to]
      : [wordStart(right, Math.round(from * scale)), wordStart(right, Math.round(to * scale))];
  if (from >= to || fromRight >= toRight) return null;
  return {
    before: { left: left.slice(0, from), right: right.slice(0, fromRight), changed: false },
    hidden: { left: left.slice(from, to), right: right.slice(fromRight, toRight), changed: false },
    after: { left: left.slice(to), right: right.slice(toRight), changed: false },
  };
}

/** The end of the last line before a place, or the start of its word where the line is too long. */
function headEnd(text: string, at: number): number {
  const line = text.lastIndexOf("\n", Math.max(0, at - 1)) + 1;
  return line > 0 && line <= at ? line : wordStart(text, at);
}

/** The start of the first line from a place on, or of its word where there is none. */
function tailStart(text: string, at: number): number {
  const line = text.indexOf("\n", at) + 1;
  return line > 0 && line < text.length ? line : wordStart(text, at);
}
