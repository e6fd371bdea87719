/** Lower case without regard to a language; the Greek final sigma depends on its neighbours and is made an ordinary one. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("\u03c2", "\u03c3");
}

/** The same for looking a text up: also where a capital letter is written as two (STRASSE, Straße) or has a dot (İ). */
export function caseless(text: string): string {
  return foldCase(text).replaceAll("\u00df", "ss").replaceAll("i\u0307", "i");
}
