import { escapedIn } from "./hidden-characters.ts";

/** A value as a person can read it in a message: its type and, where short, its text; control characters escaped. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return showText(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "a map of keys";
  // YAML writes them so.
  if (typeof value === "number" && !Number.isFinite(value))
    return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
  if (typeof value === "number") return `the number ${value}`;
  return typeof value === "boolean" ? String(value) : typeof value;
}

/** A text in double quotes, at most 60 characters of it, with quotes and characters that are not seen escaped. */
export const showText = (text: string): string => showStart(text, 60);

/** As `showText`, of so many characters. */
export function showStart(text: string, most: number): string {
  const points = Array.from(text.slice(0, 4 * most));
  const short = points.length > most || text.length > 4 * most ? `${points.slice(0, most).join("")}...` : text;
  return escapedIn("message", JSON.stringify(short));
}

/** Characters of one word, of one line, and of a whole message. */
const most = { word: 500, line: 2_000, message: 20_000 };

/**
 * A message as a person can read it, whatever it repeats of what others wrote: a word, a line and the whole are cut where they
 * are too long, and say by how much.
 */
export function brief(message: string, longest = most.message): string {
  if (message.length <= most.word) return message;
  const lines = message.split("\n").map((line) =>
    cut(
      line.replaceAll(/\S+/g, (word) => cut(word, most.word)),
      most.line,
    ),
  );
  return cut(lines.join("\n"), longest);
}

/** The beginning and the end of a text that is too long. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = Math.floor(longest / 5);
  const begin = longest - end - 60;
  const kept = [text.slice(0, begin), text.slice(text.length - end)].map((part) => part.toWellFormed());
  return kept.join(`... (${text.length - begin - end} more characters) ...`);
}
