import { shared } from "./shared.ts";

const authorPlace = "tandem-author";

const author = shared(storedAuthor());

/** The name that somebody gave last; a browser may keep nothing for a page. */
function storedAuthor(): string {
  try {
    return localStorage.getItem(authorPlace) ?? "";
  } catch {
    return "";
  }
}

/** The name of the person who judges, the same in every field for it, and what changes it. */
export function useAuthor(): [author: string, setAuthor: (name: string) => void] {
  return [author.use(), rememberAuthor];
}

function rememberAuthor(name: string): void {
  author.set(name);
  try {
    localStorage.setItem(authorPlace, name.trim());
  } catch {
    // The name is written again next time.
  }
}
