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

/** A text in double quotes, at most 60 characters of it, with control characters and quotes escaped. */
export function showText(text: string): string {
  const points = Array.from(text.slice(0, 200));
  const short = points.length > 60 || text.length > 200 ? `${points.slice(0, 60).join("")}...` : text;
  return JSON.stringify(short).replaceAll(hidden, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** DEL, the C1 controls, and the characters that change the direction or break of a line: they would garble a terminal. */
const hidden = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
