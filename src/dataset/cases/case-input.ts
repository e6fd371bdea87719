import { canonicalJson, isJsonObject } from "../../lib/json.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { CaseShape, ShapePart } from "./case-shape.ts";
import { readField } from "./field.ts";
import type { FieldValue } from "./field.ts";

/** Takes the fault of a cell that does not fit its field; `at` is its column, null for a template. */
type OnFault = (message: string, hint: string, at: number | null) => void;

interface RowCells {
  cells: readonly string[];
  columns: Record<string, string>;
  turn: number;
}

/** The request fields of a row, or null when a cell does not fit (every such cell is told). */
export function caseInput(shape: CaseShape, row: RowCells, onFault: OnFault): JsonObject | null {
  const input: JsonObject = {};
  let fits = true;
  for (const { from, path, firstTurnOnly } of shape.fields) {
    if (firstTurnOnly && row.turn > 1) continue;
    const read = Array.isArray(from) ? listValue(from, row, onFault) : partValue(from, row, firstTurnOnly, onFault);
    if (!read.ok) fits = false;
    else if (read.value !== undefined) place(input, path, read.value);
  }
  return fits ? input : null;
}

/** A part's value; undefined where it leaves the field out, as an empty cell does when it is `optional`. */
function partValue(part: ShapePart, row: RowCells, optional: boolean, onFault: OnFault): FieldValue {
  if ("value" in part) return { ok: true, value: part.value };
  const text = part.read(row.cells, row.columns);
  if (optional && text.trim() === "") return { ok: true, value: undefined };
  const read = readField(part.kind, text);
  if (!read.ok) onFault(`${part.source} ${read.message}`, read.hint, part.at);
  return read;
}

function listValue(parts: readonly ShapePart[], row: RowCells, onFault: OnFault): FieldValue {
  const values: JsonValue[] = [];
  let wrong: FieldValue | null = null;
  for (const part of parts) {
    const read = partValue(part, row, true, onFault);
    if (!read.ok) wrong = read;
    else if (read.value !== undefined) values.push(read.value);
  }
  return wrong ?? { ok: true, value: values };
}

/** The input as canonical JSON: the text that its hash and its key are made of. */
export function inputText(shape: CaseShape, input: JsonObject): string {
  return shape.canonical ? JSON.stringify(input) : canonicalJson(input);
}

/** True for a field with nothing but spaces in it. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === undefined || value === null || (Array.isArray(value) && value.every(isEmpty));
}

/** Paths were checked when the shape was made: no part reaches a prototype. */
function place(input: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = input;
  for (let i = 0; i < path.length - 1; i++) {
    const part = path[i] ?? "";
    const inner = Object.hasOwn(at, part) ? at[part] : undefined;
    if (isJsonObject(inner)) {
      at = inner;
    } else {
      const created: JsonObject = {};
      at[part] = created;
      at = created;
    }
  }
  at[path.at(-1) ?? ""] = value;
}
