import { canonicalJson, isJsonObject, valueAt, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { CaseShape, ShapePart } from "./case-shape.ts";
import { caseFileIn } from "../../api/files/case-file.ts";
import type { SentContent } from "../case.ts";
import type { CaseFiles } from "../files/case-files.ts";
import { dataFacts } from "../files/data-cell.ts";
import { readField, type FieldValue } from "./field.ts";

/** Takes the fault of a cell that does not fit its field; `at` is its column, null for a template. */
type OnFault = (message: string, hint: string, at: number | null) => void;

interface RowCells {
  cells: readonly string[];
  columns: Record<string, string>;
  turn: number;
  /** Reads what cells of files name. */
  files: CaseFiles | null;
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
  const isLeftOut = optional || (part.filesOf !== null && part.kind !== "list");
  if (isLeftOut && text.trim() === "") return { ok: true, value: undefined };
  const read = readField(part.kind, text);
  const value = read.ok && part.filesOf !== null ? filesIn(read, part.filesOf, row) : read;
  if (!value.ok) onFault(`${part.source} ${value.message}`, value.hint, part.at);
  return value;
}

/** The files that a text, or each of a list of them, names. */
function filesIn(read: Extract<FieldValue, { ok: true }>, field: string, { files }: RowCells): FieldValue {
  if (files === null) throw new Error("cells name files, and nothing says where they are");
  const found: JsonValue[] = [];
  for (const text of [read.value].flat()) {
    const cell = files.read(field, typeof text === "string" ? text : "");
    if (!cell.ok) return cell;
    found.push(cell.value);
  }
  return { ok: true, value: Array.isArray(read.value) ? found : found[0] };
}

/** The files of an input, those within lists and data URLs too. */
export function inputFiles(shape: CaseShape, input: JsonObject): SentContent[] {
  return shape.fields.flatMap(({ path, from }) =>
    namesFiles(from) ? [valueAt(input, path)].flat().flatMap((value) => contentIn(value) ?? []) : [],
  );
}

function contentIn(value: JsonValue | undefined): SentContent | null {
  if (typeof value !== "string") return caseFileIn(value);
  const data = value.startsWith("data:") ? dataFacts(value) : null;
  return data?.ok === true ? data : null;
}

/** True for a source of which a cell names files. */
export const namesFiles = (from: ShapePart | ShapePart[]): boolean =>
  [from].flat().some((part) => !("value" in part) && part.filesOf !== null);

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

/**
 * The input as canonical JSON: the text that its hash and its key are made of. A file stands in it with its content and type:
 * where it lies, and under which name, does not make it another input.
 */
export function inputText(shape: CaseShape, input: JsonObject): string {
  if (shape.canonical) return JSON.stringify(input);
  const copy = structuredClone(input);
  for (const { path, from } of shape.fields) {
    const value = namesFiles(from) ? valueAt(copy, path) : undefined;
    if (value !== undefined) place(copy, path, Array.isArray(value) ? value.map(contentOf) : contentOf(value));
  }
  return canonicalJson(copy);
}

function contentOf(value: JsonValue): JsonValue {
  const file = caseFileIn(value);
  return file === null ? value : { sha256: file.sha256, type: file.type };
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
