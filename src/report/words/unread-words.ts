/** Expected answers that no scorer reads, and an entry of a suite that would. */
export interface UnreadExpected {
  /** A scorer that reads them, as an entry of `scorers`. */
  entry: string;
  /** Column of the sheet, as the suite names it; null: it was found by its name. */
  column: string | null;
}

/**
 * `\`nonempty\` passes every answer, and does not read your column \`expected\`. Add: \`- { name: correct, type: contains }\``.
 * `passesAll`: a scorer that passed all; null: none did, or nothing was graded yet.
 */
export function unreadWords(
  { entry, column }: UnreadExpected,
  { scorers, passesAll }: { scorers: readonly string[]; passesAll: string | null },
): string {
  const isColumn = column !== null && !/\{[{%]/.test(column);
  const what = isColumn ? `your column \`${column}\`` : "your expected answers";
  const [first = ""] = scorers;
  const add = `Add: \`- ${entry}\``;
  const passes = passesAll === null ? "" : `\`${passesAll}\` passes every answer, and `;
  if (scorers.length > 1) return `${passes}${passes === "" ? "No" : "no"} scorer reads ${what}. ${add}`;
  return `${passes === "" ? `\`${first}\` ` : passes}does not read ${what}. ${add}`;
}
