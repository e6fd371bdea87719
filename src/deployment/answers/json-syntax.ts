/** The place where a text stops being JSON, and the reason. */
export interface SyntaxFault {
  /** Characters (code points) before the fault. */
  position: number;
  error: string;
}

/** The reasons that the service (Python's `json`) gives, by the words of this engine. */
const reasons: [words: RegExp, error: string][] = [
  [/^Expected ':'/, "Expecting ':' delimiter"],
  [/^Expected ','/, "Expecting ',' delimiter"],
  [/property name/, "Expecting property name enclosed in double quotes"],
  [/after JSON/, "Extra data"],
  [/^Unterminated string/, "Unterminated string starting at"],
  [/control character/, "Invalid control character at"],
  [/escape/i, "Invalid \\escape"],
];

/** The first fault of a text that is not JSON, in the words of the service; null when the text is JSON. */
export function jsonFault(text: string): SyntaxFault | null {
  try {
    JSON.parse(text);
    return null;
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    const at = /end of JSON/.test(said) ? text.length : Number(/at position (\d+)/.exec(said)?.[1] ?? 0);
    const [, error = "Expecting value"] = reasons.find(([words]) => words.test(said)) ?? [];
    return { position: Array.from(text.slice(0, at)).length, error };
  }
}
