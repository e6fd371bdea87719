/** The words that the script of PowerShell sends: JSON in Base64, the word at the cursor last. */
export function readPowershellWords(sent: string): { words: string[]; current: string } {
  const sentWords: unknown = JSON.parse(Buffer.from(sent, "base64").toString("utf8"));
  const words = Array.isArray(sentWords) ? sentWords.map(String) : [];
  // The word at the cursor comes as it is typed, with the quote that is open.
  return { words: words.slice(0, -1), current: (words.at(-1) ?? "").replace(/^['"‘’‚‛“”„]/u, "") };
}

/** A name as the script shows it and, behind a tab, as it is put into the line; in Base64. */
export function powershellLine(value: string): string {
  return Buffer.from(`${value}\t${powershellText(value)}`).toString("base64");
}

/** The text that PowerShell reads as one word of this value; it runs and fills in nothing between single quotes. */
function powershellText(value: string): string {
  // Behind one dash it splits a word at dots and colons; the tilde is a folder in its newer versions.
  const isPlain =
    /^[\p{L}\p{N}_./\\][\p{L}\p{M}\p{N}_./\\:~=+-]*$/u.test(value) || /^--[a-z][a-z-]*(?:=[\w/-]*)?$/.test(value);
  // It takes five characters for a single quote, and two of them for one.
  return isPlain ? value : `'${value.replaceAll(/['‘’‚‛]/gu, "$&$&")}'`;
}
