import { hash32, mix32 } from "./random.ts";

/** Names of things of which a dataset has several rows each, and of which it is a sample. */
const groupNouns = new Set(
  "article document doc paragraph passage page chapter topic conversation dialog dialogue chat thread session call ticket user customer client patient author speaker source template group cluster".split(
    " ",
  ),
);

/** True for a name that says that rows of one value were drawn together: `article`, `user_id`, `source file`, `GroupID`. */
export function isGroupName(name: string): boolean {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.at(-1) === "id" || words.some((word) => groupNouns.has(word) || groupNouns.has(word.replace(/s$/, "")));
}

/** Rows by the values of a column. */
export interface ColumnCounts {
  rows: number;
  /** Rows in which it is not blank. */
  filled: number;
  values: number;
  /** Rows of its most frequent value. */
  largest: number;
  isNamed: boolean;
}

/** True for a column by whose values rows may go wrong together: enough values, none of which has most rows, and rows that share them. */
export function mayBeGroups({ rows, filled, values, largest, isNamed }: ColumnCounts): boolean {
  if (values === 0 || 2 * filled < rows || filled < 1.5 * values) return false;
  if (values >= 20 && 10 * largest <= rows) return true;
  return isNamed && values >= 5 && 2 * largest <= rows;
}

/** Times, and numbers with decimals: what is measured of a row, and no group that it is of. */
const measured = /^(?:[-+]?\d+[.,]\d+\s?%?|\d{4}-\d\d-\d\d.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}.*|\d{1,2}:\d\d.*)$/;

/** Decides by the first cells of a column whether it is measured; blank cells say nothing. */
export function measuredColumn(): (cell: string) => boolean {
  let [looked, found] = [0, 0];
  return (cell) => {
    if (looked < mostLooked && cell !== "") {
      looked += 1;
      if (cell.length <= 40 && measured.test(cell)) found += 1;
    }
    return looked >= fewestLooked && 2 * found > looked;
  };
}

const mostLooked = 200;
const fewestLooked = 5;

/**
 * The key of a row without its own value of a tag, `c0-` for `c0-en` where the language is `en`: rows of one question in
 * several languages. Blank where the key does not begin or end with it. The same as the template of `keyTemplate`.
 */
export function keyWithout(key: string, value: string): string {
  if (value === "" || key === value || !key.endsWith(value)) return "";
  const rest = key.slice(0, -value.length);
  return /[\p{L}\p{N}]$/u.test(rest) ? "" : rest;
}

/** Template that gives a suite such keys as clusters. */
export const keyTemplate = (key: string, tag: string): string => `{{ ${key} | remove_last: ${tag} }}`;

/**
 * The beginning of a key that has one mark of its own and a number or a letter behind it, `r4` of `r4-7`: the question of which the
 * row is one wording. Blank where it has none, or several.
 */
export function keyPrefix(key: string): string {
  const [, prefix = "", mark = ""] = /^([^-_.:/#]+)([-_.:/#])(?:\d{1,3}|[a-z])$/i.exec(key.trim()) ?? [];
  return mark === "" ? "" : prefix;
}

/** Template that gives a suite such prefixes as clusters, for keys with this mark. */
export const prefixTemplate = (key: string, mark: string): string => `{{ ${key} | split: "${mark}" | first }}`;

/** A text as a number of 52 bits: two of 100,000 texts are taken for one in one of a million datasets. */
export function textKey(text: string): number {
  const looked =
    text.length <= mostHashed ? text : `${text.length}/${text.slice(0, mostHashed - 64)}${text.slice(-64)}`;
  const low = hash32(looked);
  let high = 0x9e3779b9;
  for (let at = 0; at < looked.length; at++) high = Math.imul(high ^ looked.charCodeAt(at), 0x85ebca6b);
  return (mix32(high) & 0xfffff) * 2 ** 32 + low;
}

const mostHashed = 512;
