import { isJsonObject, type JsonValue } from "../../../lib/json.ts";

/** The forms in which answers are shown. */
const forms = ["text", "rendered", "json", "expected", "raw"] as const;
export type Form = (typeof forms)[number];

export const formNames: Record<Form, string> = {
  text: "Text",
  rendered: "Rendered",
  json: "JSON",
  expected: "Against the expected text",
  raw: "As it came",
};

/** The forms that tell something of these answers. */
export function formsOf(answers: readonly string[], expected: string | null): Form[] {
  const known: Record<Form, boolean> = {
    text: true,
    rendered: answers.some(looksRendered),
    json: answers.some((answer) => prettyJson(answer) !== null),
    expected: expected !== null && answers.length > 0,
    raw: answers.length > 0,
  };
  return forms.filter((form) => known[form]);
}

/** JSON is read by its members, anything else as text. */
export function defaultForm(answers: readonly string[]): Form {
  return answers.length > 0 && answers.every((answer) => prettyJson(answer) !== null) ? "json" : "text";
}

const marks = /^ {0,3}(?:#{1,6} |[-*+] |\d+[.)] |> |```|~~~|\|)|\*\*\S|__\S|`\S|\]\(/m;

const looksRendered = (text: string): boolean => marks.test(text);

/** An object or a list, a member in each line; null: the text is none. */
export function prettyJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}
