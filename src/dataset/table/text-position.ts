/** A place in a text: line and character count from 1. */
export interface TextStart {
  line: number;
  character: number;
}

/** The place behind a text that begins at a place, whose lines end with carriage returns. */
export function placeBehind({ line, character }: TextStart, text: string): TextStart {
  const last = text.lastIndexOf("\r");
  if (last === -1) return { line, character: character + charactersOf(text) };
  let lines = 0;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) lines += 1;
  return { line: line + lines, character: 1 + charactersOf(text.slice(last + 1)) };
}

function charactersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1;
  return count;
}
