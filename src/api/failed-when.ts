import { contains } from "../text/contains.ts";
import { guardedPattern } from "../text/pattern.ts";

/** A pattern between slashes, with its flags. */
const written = /^\/(.+)\/([imsuv]*)$/s;

/** The reason why an entry of `failed_when` cannot be used, after its place; null: it can. */
export function failedWhenFault(entry: string): string | null {
  const [, source, flags] = written.exec(entry) ?? [];
  if (source === undefined || flags === undefined) return entry.trim() === "" ? "must say something" : null;
  try {
    guardedPattern(source, flags);
    return null;
  } catch (error) {
    return `is no regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Finder = (answer: string) => boolean;
const finders = new Map<string, Finder>();
const mostFinders = 500;

/** True for an answer that holds one of the texts, or matches one of the patterns, of `failed_when`. */
export function isFailureInWords(answer: string, entries: readonly string[]): boolean {
  return entries.some((entry) => finderOf(entry)(answer));
}

function finderOf(entry: string): Finder {
  const known = finders.get(entry);
  if (known !== undefined) return known;
  const [, source, flags] = written.exec(entry) ?? [];
  const pattern = source === undefined || flags === undefined ? null : guardedPattern(source, flags);
  const finder: Finder =
    pattern === null ? (answer) => contains(answer, entry) : (answer) => typeof pattern.find(answer) === "string";
  if (finders.size >= mostFinders) finders.clear();
  finders.set(entry, finder);
  return finder;
}
