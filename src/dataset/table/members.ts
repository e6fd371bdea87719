import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { withWrittenNumbers } from "../../lib/lost-digits.ts";
import type { RowBatch } from "../row.ts";
import { findNamed, listed } from "./column-names.ts";
import { parseJsonText } from "./json-text.ts";

/** Columns, spelled without spaces and lines, in which other programs keep the fields of a case as one JSON object. */
const askedParents = listed("input, inputs");
const outputParents = listed("output, outputs, referenceoutput, referenceoutputs");
const expectedParents = listed("expected, expectedoutput, expectedoutputs, answers");
const parents: ReadonlySet<string> = new Set([...askedParents, ...outputParents, ...expectedParents, "metadata"]);

/** Columns that members may make, at most: every further one stands in its object alone. */
const mostMembers = 200;

/**
 * Rows with a column for each member of the objects that other programs write into a column: `inputs.question` of
 * `inputs: {"question": ...}`. The object keeps its own column. Columns are decided by the first rows.
 */
export async function* withMembers(batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch, void, undefined> {
  let given: readonly string[] = [];
  let header: readonly string[] = [];
  let columns: MemberColumns | null = null;
  for await (const batch of batches) {
    columns ??= new MemberColumns(batch);
    if (columns.isEmpty) {
      yield batch;
      continue;
    }
    const objects = batch.rows.map(({ cells }) => columns?.objectsOf(batch.header, cells) ?? []);
    const isWider = columns.learn(batch.header, objects);
    if (isWider || batch.header !== given) header = [...batch.header, ...columns.names];
    given = batch.header;
    batch.rows.forEach((row, place) => row.cells.push(...(columns?.cellsOf(objects[place] ?? []) ?? [])));
    yield { header, rows: batch.rows };
  }
}

/** An object that a row holds, and the column it stands in. */
interface HeldObject {
  parent: string;
  members: JsonObject;
}

class MemberColumns {
  readonly #parents: readonly string[];
  /** Parent and member of each column that was made, by its name. */
  readonly #made = new Map<string, { parent: string; member: string }>();

  constructor({ header, rows }: RowBatch) {
    this.#parents = header.filter((name, at) => {
      if (!parents.has(spelled(name))) return false;
      const cells = rows.map(({ cells: all }) => all[at] ?? "").filter((cell) => cell.trim() !== "");
      return cells.length > 0 && cells.every((cell) => objectIn(cell) !== null);
    });
  }

  get isEmpty(): boolean {
    return this.#parents.length === 0;
  }

  get names(): string[] {
    return [...this.#made.keys()];
  }

  objectsOf(header: readonly string[], cells: readonly string[]): HeldObject[] {
    return this.#parents.flatMap((parent) => {
      const members = objectIn(cells[header.indexOf(parent)] ?? "");
      return members === null ? [] : [{ parent, members }];
    });
  }

  /** Makes columns for members that have none; true when there were some. */
  learn(header: readonly string[], rows: readonly (readonly HeldObject[])[]): boolean {
    const before = this.#made.size;
    for (const { parent, members } of rows.flat())
      for (const member of Object.keys(members)) {
        const name = `${parent}.${member}`;
        if (this.#made.size < mostMembers && !this.#made.has(name) && !header.includes(name))
          this.#made.set(name, { parent, member });
      }
    return this.#made.size > before;
  }

  cellsOf(objects: readonly HeldObject[]): string[] {
    return Array.from(this.#made.values(), ({ parent, member }) => {
      const members = objects.find((each) => each.parent === parent)?.members;
      return members !== undefined && Object.hasOwn(members, member) ? cellOf(members[member] ?? null) : "";
    });
  }
}

function objectIn(cell: string): JsonObject | null {
  if (!/^\s*\{/.test(cell)) return null;
  const parsed = parseJsonText(cell);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const written = withWrittenNumbers(cell);
  return isJsonObject(written) ? written : null;
}

/** A text as it is, also where it is the only one of a list; nothing as an empty cell, anything else as its JSON. */
function cellOf(value: JsonValue): string {
  if (value === null) return "";
  const texts = Array.isArray(value) ? new Set(value) : new Set([value]);
  const [only] = texts;
  return texts.size === 1 && typeof only === "string" ? only : JSON.stringify(value);
}

const spelled = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");

/** The column that a member's column was made from, where the header has both or one that was flattened before. */
function parentOf(name: string): string | null {
  const at = name.indexOf(".");
  return at > 0 && parents.has(spelled(name.slice(0, at))) ? name.slice(0, at) : null;
}

/** True for a column that is a member of an object. */
export const isMember = (name: string): boolean => parentOf(name) !== null;

/** Names of objects whose members have columns of their own. */
export const parentsIn = (header: readonly string[]): ReadonlySet<string | null> => new Set(header.map(parentOf));

/** A column by the name of a member: its own name, or the only one that such objects have. */
interface MemberChoice {
  header: readonly string[];
  names: readonly string[];
}

/** The member that is asked: one of some names, or the only one there is. */
export function askedMember({ header, names }: MemberChoice): string | null {
  return chosen(header, names, askedParents);
}

/**
 * The member that is the expected answer: one of some names, or of outputs the only one there is; null: it cannot be
 * told. An expected object may be the answer itself, of which each member is a part.
 */
export function expectedMember({ header, names }: MemberChoice): string | null {
  return chosen(header, names, outputParents) ?? named(header, names, expectedParents);
}

function chosen(header: readonly string[], names: readonly string[], among: readonly string[]): string | null {
  const [only, ...others] = membersOf(header, among);
  return only !== undefined && others.length === 0 ? only : named(header, names, among);
}

function named(header: readonly string[], names: readonly string[], among: readonly string[]): string | null {
  const members = membersOf(header, among);
  const own = members.map((name) => name.slice(name.indexOf(".") + 1));
  const found = findNamed(own, names);
  return found === null ? null : (members[own.indexOf(found)] ?? null);
}

function membersOf(header: readonly string[], among: readonly string[]): string[] {
  return header.filter((name) => among.includes(spelled(parentOf(name) ?? "")));
}
