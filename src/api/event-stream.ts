import { isJsonObject, parsedJson } from "../lib/json.ts";

/**
 * The data of each event in a text of server-sent events, in their order; that of an event named `error` as `{"error": ...}`.
 * Null for a text that is none.
 */
export function eventData(text: string): string[] | null {
  if (!/^\s*(?::|(?:data|event|id|retry):)/.test(text)) return null;
  const events: string[] = [];
  let lines: string[] = [];
  let isError = false;
  const end = (): void => {
    if (lines.length > 0) events.push(isError ? asError(lines.join("\n")) : lines.join("\n"));
    lines = [];
    isError = false;
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === "") end();
    else if (/^event: ?error$/.test(line)) isError = true;
    else if (line.startsWith("data:")) lines.push(line.slice(line.startsWith("data: ") ? 6 : 5));
  }
  // Many servers leave out the blank line at the end.
  end();
  return events;
}

/** The data of an event that tells of an error, in the form in which others tell it. */
function asError(data: string): string {
  const told = parsedJson(data);
  return isJsonObject(told) && told["error"] !== undefined ? data : JSON.stringify({ error: told ?? data });
}

/** The lines of a text of which each is a JSON object (NDJSON), the last one perhaps half of one; null for a text that is none. */
export function lineData(text: string): string[] | null {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== "");
  const whole = lines.slice(0, -1);
  return whole.length > 0 && whole.every((line) => isJsonObject(parsedJson(line))) ? lines : null;
}

/** Data with which a stream says that it has ended. */
export const endOfStream = "[DONE]";
