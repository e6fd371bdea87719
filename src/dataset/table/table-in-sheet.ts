import { columnLetters } from "../../lib/column-letters.ts";
import { showText } from "../../lib/show.ts";
import { answerNames, expectedNames, findNamed, findWorded, questionNames } from "./column-names.ts";

/** The table that is read of a sheet, which people also use for titles, notes and other tables. */
export interface TableInSheet {
  /** The place of the header among the rows, from 0. */
  head: number;
  columns: readonly SheetColumn[];
  /** Decisions that a person may want to know. */
  notices: readonly string[];
}

export interface SheetColumn {
  /** Among the columns of the sheet, from 0. */
  place: number;
  name: string;
}

/** A name has at most so many characters: to look for words in it takes time that grows with the square of its length. */
const longestName = 500;

/** Rows from the first that is not blank, in which a header is looked for below a title. */
const lookedAt = 10;

/**
 * Finds the table of a sheet whose first row that is not blank is `first`: its header, which may stand below a title, and its columns. Columns
 * without a name and without content are left out. Columns behind such a one are another table if they name nothing that a case has and end in
 * another row: they are left out too, and a notice says so.
 */
export function tableInSheet(rows: readonly (readonly string[])[], first: number): TableInSheet {
  const head = headerBelowTitle(rows, first) ?? first;
  const notices: string[] = [];
  if (head !== first) {
    const title = rows[first]?.find((cell) => !isBlank(cell)) ?? "";
    notices.push(`row ${first + 1} (${showText(title)}) is taken for a title: the header is row ${head + 1}`);
  }
  if (isInBrackets(rows[head + 1])) {
    const message = `row ${head + 2} explains the header, as it seems, and is sent like any other: delete it`;
    notices.push(message);
  }
  const names = rows[head] ?? [];
  const lastRows = lastFilledRows(rows, head);
  const groups = groupsOf(lastRows.length, (place) => isBlank(names[place]) && lastRows[place] === -1);
  const main = groups.find((group) => findNamed(namesOf(group, names), questionNames) !== null) ?? groups[0] ?? [];
  const end = lastOf(main, lastRows);
  const kept = groups.filter((group) => {
    const isOther = group !== main && !namesCase(namesOf(group, names)) && lastOf(group, lastRows) !== end;
    if (isOther) notices.push(otherTable(group, { names, isBehind: (group[0] ?? 0) > (main[0] ?? 0) }));
    return !isOther;
  });
  const columns = kept.flat().map((place) => {
    const name = names[place] ?? "";
    return { place, name: isBlank(name) ? `column ${place + 1}` : name };
  });
  return { head, columns, notices };
}

const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === "";

const isName = (cell: string): boolean => cell.length <= longestName;

const filledOf = (row: readonly string[] = []): string[] => row.filter((cell) => !isBlank(cell));

/**
 * The place of the row that names a question and more than the first row does; null: the first row is the header. A first row of several names,
 * one of them that of a question, may be the header of rows in which such a word stands: below it, a header names a question in the same column, or
 * another part of a case.
 */
function headerBelowTitle(rows: readonly (readonly string[])[], first: number): number | null {
  const top = filledOf(rows[first]);
  const titles = top.length > 1 ? top.filter(isName) : [];
  const asking = findNamed(titles, questionNames) ?? findWorded(titles, questionNames);
  const place = rows[first]?.findIndex((cell) => cell === asking) ?? -1;
  for (let at = first + 1; at < Math.min(first + lookedAt, rows.length); at++) {
    const words = filledOf(rows[at]);
    if (words.length <= top.length || !words.every(isName) || new Set(words).size !== words.length) continue;
    if (findNamed(words, questionNames) === null) continue;
    const isSure = asking === null || namesPart(words) || findNamed([rows[at]?.[place] ?? ""], questionNames) !== null;
    if (isSure) return at;
  }
  return null;
}

/** A row in which every cell stands in brackets, such as `(one of three)`. */
function isInBrackets(row: readonly string[] = []): boolean {
  const cells = filledOf(row);
  return cells.length > 1 && cells.every((cell) => /^\s*(?:\(.*\)|\[.*\]|<.*>)\s*$/s.test(cell));
}

/** The last row below the header in which each column has something; -1: in none. */
function lastFilledRows(rows: readonly (readonly string[])[], head: number): number[] {
  const last: number[] = [];
  for (let at = head; at < rows.length; at++) {
    for (const [place, cell] of (rows[at] ?? []).entries()) {
      last[place] ??= -1;
      if (at > head && !isBlank(cell)) last[place] = at;
    }
  }
  return Array.from(last, (row) => row ?? -1);
}

/** Columns that stand side by side, between those that are empty. */
function groupsOf(width: number, isEmpty: (place: number) => boolean): number[][] {
  const groups: number[][] = [];
  let open: number[] | null = null;
  for (let place = 0; place < width; place++) {
    if (isEmpty(place)) open = null;
    else if (open === null) groups.push((open = [place]));
    else open.push(place);
  }
  return groups;
}

const namesOf = (group: readonly number[], names: readonly string[]): string[] =>
  group.map((place) => names[place] ?? "").filter((name) => !isBlank(name) && isName(name));

const lastOf = (group: readonly number[], lastRows: readonly number[]): number =>
  Math.max(-1, ...group.map((place) => lastRows[place] ?? -1));

const namesCase = (names: readonly string[]): boolean => findNamed(names, questionNames) !== null || namesPart(names);

/** True where one of the names is that of a part of a case beside its question. */
const namesPart = (names: readonly string[]): boolean =>
  [expectedNames, answerNames, ["id", "key", "input_prompt"]].some((known) => findNamed(names, known) !== null);

function otherTable(
  group: readonly number[],
  { names, isBehind }: { names: readonly string[]; isBehind: boolean },
): string {
  const [from = 0, to = 0] = [group[0], group.at(-1)];
  const isOne = from === to;
  const letters = isOne ? `column ${columnLetters(from)}` : `columns ${columnLetters(from)} to ${columnLetters(to)}`;
  const shown = namesOf(group, names).slice(0, 3).map(showText).join(", ");
  if (shown === "") return `${letters} ${isOne ? "has" : "have"} no name and ${isOne ? "is" : "are"} not read`;
  const gap = columnLetters(isBehind ? from - 1 : to + 1);
  const [are, them] = isOne ? ["is", "it"] : ["are", "them"];
  return `${letters} (${shown}) ${are} taken for another table and not read. To read ${them} with the rows, delete the empty column ${gap}`;
}
