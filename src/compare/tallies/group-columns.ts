import {
  isGroupName,
  keyPrefix,
  keyTemplate,
  keyWithout,
  mayBeGroups,
  measuredColumn,
  prefixTemplate,
  textKey,
} from "../../lib/group-columns.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { growingFloats, type GrowingFloats } from "./growing.ts";
import type { TagCodes } from "./slices.ts";

/** A column by which rows may belong together, although no suite says so. */
export interface GroupColumn extends TagCodes {
  /** Its name says that rows of one value were drawn together. */
  isNamed: boolean;
  groups: number;
  /** Value of `case.cluster` if its values are a sample, and of `case.tags` if they are all there are; null: no tag can be made of it. */
  cluster: string;
  asTag: string | null;
}

/** The columns of a dataset that stand for nothing else; null: nobody asks for them. */
export interface OpenColumns {
  isOpen: (column: string) => boolean;
  /** The column of the key; null: keys are made. */
  key: string | null;
  /** The column of the expected answer: wordings of one question expect the same. */
  expected?: string | null;
}

/** Collects the values of columns that stand for nothing else; memory is 8 bytes for each cell. */
export interface GroupTally {
  /** Gives the place of the case. */
  add: (result: Pick<PairedResult, "columns" | "tags" | "key" | "input" | "expected">) => number;
  /** The columns by which the cases of some places may belong together. */
  columns: (places: Int32Array) => GroupColumn[];
}

const mostColumns = 20;
/** Names that are kept of a column: those of its first values. */
const mostNames = 2_000;
const longestName = 80;
/** Cases in which a column that is the input or the expected answer under another name shows. */
const mostLooked = 50;

interface Column extends Pick<GroupColumn, "cluster" | "asTag" | "isNamed"> {
  name: string;
  keys: GrowingFloats;
  names: Map<number, string>;
  isMeasured: (cell: string) => boolean;
  /** It is the expected answer itself: few rows that share one may be wordings of one question. */
  isAnswer: boolean;
  /** It is the input, or the expected answer, of all rows so far. */
  isSent: boolean;
  isOver: boolean;
}

export function groupTally(open: OpenColumns | null): GroupTally {
  const columns = new Map<string, Column | null>();
  let cases = 0;
  const columnOf = (id: string, made: () => Omit<Column, keyof typeof noCells>): Column | null => {
    const known = columns.get(id);
    if (known !== undefined) return known;
    const isFull = [...columns.values()].filter((each) => each !== null).length >= mostColumns;
    const own = isFull
      ? null
      : {
          ...noCells,
          ...made(),
          keys: growingFloats(),
          names: new Map<number, string>(),
          isMeasured: measuredColumn(),
        };
    columns.set(id, own);
    return own;
  };
  return {
    add(result) {
      if (open === null) return cases++;
      for (const [name, cell] of Object.entries(result.columns)) {
        const known = columns.get(name);
        if (known === null || (known === undefined && !open.isOpen(name))) {
          if (known === undefined) columns.set(name, null);
          continue;
        }
        const made = () => ({ name, cluster: name, asTag: name, isNamed: isGroupName(name) });
        note(columnOf(name, made), cell.trim(), cases, result);
      }
      const { key, expected = null } = open;
      if (expected !== null && result.expected !== null) {
        const made = () => ({ name: expected, cluster: expected, asTag: null, isNamed: false, isAnswer: true });
        note(columnOf("\0\0expected", made), result.expected.trim(), cases, null);
      }
      if (key !== null) {
        const prefix = keyPrefix(result.key);
        const mark = result.key.trim().at(prefix.length) ?? "-";
        const ofPrefix = () => ({
          name: `${key} up to ${mark}`,
          cluster: prefixTemplate(key, mark),
          asTag: null,
          isNamed: true,
        });
        if (prefix !== "") note(columnOf("\0\0key", ofPrefix), prefix, cases, null);
        for (const [tag, value] of Object.entries(result.tags)) {
          const made = () => ({
            name: `${key} without ${tag}`,
            cluster: keyTemplate(key, tag),
            asTag: null,
            isNamed: true,
          });
          note(columnOf(`\0${tag}`, made), keyWithout(result.key, value), cases, null);
        }
      }
      return cases++;
    },
    columns: (places) =>
      withoutTwins(
        [...columns.values()].flatMap((column) => (column === null || column.isOver ? [] : grouped(column, places))),
      ),
  };
}

/** Rows that expect the same answer and are still taken for wordings of one question. */
const mostWordings = 10;

/** Columns that part the rows alike say one thing: the first is asked, or the one whose name says so. */
function withoutTwins(columns: readonly GroupColumn[]): GroupColumn[] {
  const kept: GroupColumn[] = [];
  for (const column of columns.toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed))) {
    const isTwin = ({ groups, codes }: GroupColumn): boolean =>
      groups === column.groups && codes.every((code, place) => code === column.codes[place]);
    if (!kept.some(isTwin)) kept.push(column);
  }
  return columns.filter((column) => kept.includes(column));
}

/** Most of these answers have several words. */
function isPhrased(names: Column["names"]): boolean {
  let phrased = 0;
  for (const name of names.values()) if (/\S\s+\S/.test(name)) phrased += 1;
  return 2 * phrased > names.size;
}

const noCells = { isAnswer: false, isSent: true, isOver: false, keys: null, names: null, isMeasured: null };

function note(
  column: Column | null,
  cell: string,
  place: number,
  result: Pick<PairedResult, "input" | "expected"> | null,
): void {
  if (column === null || column.isOver || cell === "") return;
  if (column.isMeasured(cell)) return void (column.isOver = true);
  // A key without the value of a tag is neither.
  if (result === null) column.isSent = false;
  else if (place < mostLooked) {
    const { expected, input } = result;
    column.isSent &&= cell === expected?.trim() || (cell.length > 3 && input.includes(JSON.stringify(cell)));
  }
  const key = textKey(cell) + 1;
  // Places that were never set are 0.
  column.keys.add(place, key);
  if (column.names.size < mostNames && !column.names.has(key)) column.names.set(key, cell.slice(0, longestName));
}

function grouped(
  { name, cluster, asTag, isAnswer, keys, names, isSent, ...column }: Column,
  places: Int32Array,
): GroupColumn[] {
  const view = keys.view();
  const own = Float64Array.from(places, (place) => view[place] ?? 0);
  if (isSent && places.length > 0) return [];
  const counts = countsOf(own);
  // Classes have many rows each, and one word.
  const isWording = isAnswer && counts.filled <= mostWordings * counts.values;
  const isNamed = column.isNamed || (isWording && isPhrased(names));
  if (!mayBeGroups({ rows: places.length, ...counts, isNamed: isNamed || isWording })) return [];
  const codes = new Map<number, number>();
  const values: string[] = [];
  const coded = Int32Array.from(own, (key) => {
    if (key === 0) return 0;
    const known = codes.get(key);
    if (known !== undefined) return known;
    values.push(names.get(key) ?? "");
    codes.set(key, values.length);
    return values.length;
  });
  return [{ tag: name, values, codes: coded, groups: counts.values, isNamed, cluster, asTag }];
}

function countsOf(keys: Float64Array): { filled: number; values: number; largest: number } {
  const sorted = keys.toSorted();
  let [filled, values, largest, run] = [0, 0, 0, 0];
  for (let at = 0; at < sorted.length; at++) {
    if (sorted[at] === 0) continue;
    filled += 1;
    run = sorted[at] === sorted[at - 1] ? run + 1 : 1;
    if (run === 1) values += 1;
    largest = Math.max(largest, run);
  }
  return { filled, values, largest };
}
