const authorPlace = "tandem-author";

/** The name that somebody gave last; a browser may keep nothing for a page. */
export function knownAuthor(): string {
  try {
    return localStorage.getItem(authorPlace) ?? "";
  } catch {
    return "";
  }
}

export function rememberAuthor(author: string): void {
  try {
    localStorage.setItem(authorPlace, author.trim());
  } catch {
    // The name is written again next time.
  }
}
