/** A text as a shell takes it for one word. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{M}\p{N}_./~+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
