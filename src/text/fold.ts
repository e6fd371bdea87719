/** Lower case without regard to a language; the Greek final sigma depends on its neighbours and is made an ordinary one. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("\u03c2", "\u03c3");
}
