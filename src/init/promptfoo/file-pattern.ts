import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Characters of a pattern, patterns that its braces may stand for, and entries of folders that are looked at for all of them. */
const most = { characters: 1_000, patterns: 200, entries: 100_000 };

/** Reason why a pattern is not looked for. */
export const patternAdvice =
  "a pattern may have *, ? and braces of a few values, such as {a,b} or {1..9}, below the folder of the configuration; name the files one by one";

/** Paths below `root` that a pattern such as `cases/*.yaml` names, in order; null: it is none that is looked for. */
export function pathsLike(pattern: string, root: string): string[] | null {
  if (pattern.length > most.characters || /[[\]]|\*\*/.test(pattern)) return null;
  const patterns = withoutBraces(pattern);
  if (patterns === null || patterns.some(leadsOut)) return null;
  const found = new Set<string>();
  let left = most.entries;
  const walk = (folder: string, [first = "", ...others]: readonly string[]): void => {
    for (const name of /[*?]/.test(first) ? namesIn(join(root, folder)) : [first]) {
      left -= 1;
      if (left < 0) return;
      if (!isLike(name, first)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (others.length === 0) found.add(path);
      else walk(path, others);
    }
  };
  for (const each of patterns) walk("", segmentsOf(each));
  return left < 0 ? null : [...found].toSorted();
}

const segmentsOf = (pattern: string): string[] => pattern.split(/[/\\]/).filter((part) => part !== "." && part !== "");

const leadsOut = (pattern: string): boolean =>
  /^(?:[/\\]|[A-Za-z]:)/.test(pattern) || segmentsOf(pattern).includes("..");

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The patterns that one with braces stands for; null: too many. Braces with one value are letters. */
function withoutBraces(pattern: string): string[] | null {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = /\{([^{}]*,[^{}]*|-?\d{1,9}\.\.-?\d{1,9})\}/.exec(next);
    if (braces === null) {
      if (/\{-?\d+\.\.-?\d+\}/.test(next)) return null;
      done.push(next);
      continue;
    }
    const { 0: all, 1: inner = "", index } = braces;
    const values = inner.includes(",") ? inner.split(",") : numbersIn(inner);
    if (done.length + open.length + values.length > most.patterns) return null;
    for (const value of values) open.push(`${next.slice(0, index)}${value}${next.slice(index + all.length)}`);
  }
  return done;
}

/** The numbers of `1..9`; of more than a pattern may stand for, so many that it is refused. */
function numbersIn(range: string): string[] {
  const [from = 0, to = 0] = range.split("..").map(Number);
  const step = from <= to ? 1 : -1;
  const count = Math.min(Math.abs(to - from), most.patterns) + 1;
  return Array.from({ length: count }, (_none, i) => String(from + i * step));
}

/** True for a name that a pattern with `*` and `?` means; going back to the last star alone keeps it quick. */
function isLike(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let [at, place, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[place] === "*") {
      star = place++;
      from = at;
    } else if (place < pattern.length && (pattern[place] === "?" || pattern[place] === name[at])) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++from;
    } else return false;
  }
  while (pattern[place] === "*") place++;
  return place === pattern.length;
}
