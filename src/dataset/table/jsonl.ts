import { boundedJson, isJsonObject, type JsonValue } from "../../lib/json.ts";
import { withWrittenNumbers } from "../../lib/lost-digits.ts";
import { showText, showValue } from "../../lib/show.ts";
import type { FindingList } from "../finding.ts";
import { parseFault } from "./json-text.ts";
import { mostColumns } from "./header-faults.ts";
import { placeBehind, type TextStart } from "./json-list.ts";
import type { RelativePlace, Row, RowBatch } from "../row.ts";

/** Number of rows that are read before the columns are settled; a member that comes later adds a column. */
const settleRows = 100;
const newline = 10;
/** Bytes of one line, as many as a row of a CSV may have characters: more would not fit into a text. */
const longestLine = 64_000_000;

/**
 * The rows of a JSON Lines text. Members are columns; texts are cells as they are, null and absent an empty cell,
 * anything else its JSON. Lines that are not JSON objects are noted as faults. The entries of a `list` come as lines, and have
 * the places that they have in it.
 */
export async function* readJsonl(
  chunks: AsyncIterable<Buffer>,
  { file, faults, list }: { file: string; faults: FindingList; list?: { start: TextStart | null } },
): AsyncGenerator<RowBatch> {
  let header: string[] = [];
  let known = new Map<string, number>();
  let rows: Row[] = [];
  let row = 0;
  let settled = false;
  let next: TextStart | null = null;
  const take = (text: string): void => {
    row++;
    const start = (list === undefined ? null : (next ?? list.start)) ?? { line: row, character: 1 };
    // Behind an entry stands a comma.
    if ((list?.start ?? null) !== null) next = placeBehind(start, `${text},`);
    if (text.trim() === "") return;
    const { line, character } = placeBehind(start, text.slice(0, text.search(/\S/)));
    const noun = (list?.start ?? null) === null ? "line" : "entry";
    const values = readLine(text, { file, row, line, character }, { faults, start, noun });
    if (values === null) return;
    const fresh = Object.keys(values).filter((name) => !known.has(name));
    if (fresh.length > 0) {
      header = [...header, ...fresh];
      known = new Map(header.map((name, i) => [name, i]));
    }
    // The rows are refused for the number of their columns later.
    if (header.length > mostColumns) return;
    const cells = header.map((name) => cellText(Object.hasOwn(values, name) ? values[name] : null));
    const names = header;
    const placeOf = (cell: number): RelativePlace => {
      const found = placeBehind(start, text.slice(0, placeOfMember(text, names[cell])));
      return { lines: found.line - line, character: found.character };
    };
    rows.push({ cells, row, line, placeOf });
  };
  for await (const lines of splitLines(chunks)) {
    if (lines === null) {
      const message = `the object has more than ${longestLine / 1_000_000} million bytes`;
      faults.add({ kind: "json-line", file, row: row + 1, line: row + 1, message });
      return;
    }
    for (const line of lines) if (header.length <= mostColumns) take(line);
    if (header.length > mostColumns) break;
    if (rows.length === 0 || (!settled && rows.length < settleRows)) continue;
    settled = true;
    yield { header, rows: padded(rows, header.length) };
    rows = [];
  }
  if (row === 0) {
    const message = "the file is empty";
    faults.add({ kind: "empty-file", file, row: null, line: 1, message, hint: "It needs one JSON object a line." });
    return;
  }
  if (header.length > 0) yield { header, rows: padded(rows, header.length) };
}

/** The lines of a text; null, and nothing behind it, for one that is too long. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[] | null> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      held = 0;
      parts.push(chunk.subarray(start, end));
      lines.push(Buffer.concat(parts).toString("utf8"));
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    held += chunk.length - start;
    yield lines;
    if (held > longestLine) {
      yield null;
      return;
    }
  }
  if (parts.length > 0) yield [Buffer.concat(parts).toString("utf8")];
}

function readLine(
  text: string,
  place: { file: string; row: number; line: number; character: number },
  { faults, start, noun }: { faults: FindingList; start: TextStart; noun: "line" | "entry" },
): Record<string, unknown> | null {
  const read = valueOf(text);
  if ("fault" in read) {
    const { what, at } = read.fault;
    const found = at === null ? {} : placeBehind(start, text.slice(0, at));
    const message = `the ${noun === "line" ? noun : "entry of the list"} is not JSON: ${what}`;
    faults.add({ kind: "json-line", ...place, ...found, message, hint: `Each ${noun} must be one JSON object.` });
    return null;
  }
  if (isJsonObject(read.value)) {
    const twice = repeatedMember(text, Object.keys(read.value));
    if (twice === null) return wholeMembers(text);
    const found = placeBehind(start, text.slice(0, placeOfMember(text, twice)));
    const message = `the member ${showText(twice)} stands twice in the object`;
    faults.add({
      kind: "json-member",
      ...place,
      ...found,
      column: twice,
      message,
      hint: "Keep one of them, or rename one.",
    });
    return null;
  }
  faults.add({
    kind: "json-line",
    ...place,
    message: `the ${noun} must be a JSON object, got ${showValue(read.value)}`,
  });
  return null;
}

function valueOf(text: string): { value: JsonValue } | { fault: { what: string; at: number | null } } {
  try {
    return { value: boundedJson(text) };
  } catch (cause) {
    return { fault: parseFault(text, cause) };
  }
}

/** The members of an object, with every number as it is written. */
function wholeMembers(text: string): Record<string, unknown> {
  const written = withWrittenNumbers(text);
  return typeof written === "object" && written !== null && !Array.isArray(written) ? { ...written } : {};
}

/** For more names than these a text is read name by name. */
const manyNames = 50;

/** A member that the text of an object has twice: JSON keeps only the last. */
function repeatedMember(text: string, names: readonly string[]): string | null {
  // A name that occurs once, as most do, needs no second look; of many names each look would take as long as the second.
  const suspicious =
    names.length > manyNames ||
    names.some((name) => {
      const quoted = JSON.stringify(name);
      return text.indexOf(quoted) !== text.lastIndexOf(quoted);
    });
  if (!suspicious && !text.includes("\\u")) return null;
  const seen = new Set<string>();
  for (const { name } of members(text)) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Where the value of a member begins, the last of that name; where the object begins if it has no such member. */
const placeOfMember = (text: string, name: string | undefined): number =>
  [...members(text)].findLast((each) => each.name === name)?.at ?? text.search(/\S/);

/** An object's own members, from its text, which is known to be JSON: their names, and where their values begin. */
function* members(text: string): Generator<{ name: string; at: number }> {
  let depth = 0;
  for (const { 0: token, 1: opens, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:\s*)?|[{}[\]]/gs)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && opens !== undefined) {
      const name: unknown = JSON.parse(token.slice(0, token.length - opens.length));
      if (typeof name === "string") yield { name, at: index + token.length };
    }
  }
}

/** A text as it is, nothing as an empty cell, anything else as its JSON. */
function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** Rows that were read before a column appeared have an empty cell there. */
function padded(rows: Row[], length: number): Row[] {
  for (const { cells } of rows) while (cells.length < length) cells.push("");
  return rows;
}
