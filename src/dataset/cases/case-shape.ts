import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { FieldKind } from "../../api/request-fields.ts";
import { AppError } from "../../errors.ts";
import { fieldNameFault } from "../../lib/field-name.ts";
import { canonicalJson, type JsonValue, type JsonObject } from "../../lib/json.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { showText } from "../../lib/show.ts";
import type { CaseMapping, FieldPart, FieldSource } from "../../suite/suite.ts";
import { type CellReader, ColumnFinder } from "./column-finder.ts";
import { orderColumn } from "../table/column.ts";
import { looksLikeTitle, promptNeeded, withDefaults, type FullMapping } from "./default-mapping.ts";
import { fieldKind } from "./field.ts";
import type { CheckReader } from "../import/check-reader.ts";
import { type PromptfooSheet, promptfooSheet } from "../import/promptfoo.ts";
import { storedReaders, type StoredReaders, type StoredSource } from "./stored.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { CaseChecks } from "../case.ts";
import { parseJsonText } from "../table/json-text.ts";

/** The source of a field: a cell or template and its kind, or a value that is always the same. */
export type ShapePart =
  | { value: JsonValue }
  | {
      kind: FieldKind;
      read: CellReader;
      /** The source in the words of messages: `column "x"`, or `the template of x`. */
      source: string;
      /** The column; null for a template. */
      at: number | null;
      /** The field whose files its cells name. */
      filesOf: string | null;
    };

/** A request field of a case: where it goes, and what it comes from. */
interface CaseField {
  name: string;
  path: readonly string[];
  /** One part, or those of a list. */
  from: ShapePart | ShapePart[];
  /** Left out on later turns of a conversation. */
  firstTurnOnly: boolean;
}

/** A mapping made ready for one header. */
export interface CaseShape {
  header: readonly string[];
  /** Sorted so that the members of the input come in canonical order. */
  fields: CaseField[];
  /** The order of members inside of the values is canonical too: no cell is free JSON. */
  canonical: boolean;
  key: CellReader | null;
  expected: CellReader | null;
  /** The expected answers of a script are in a column for each turn by itself. */
  expectsByTurn: boolean;
  cluster: CellReader | null;
  turn: CellReader | null;
  /** The rows of a cluster are its turns in their order. */
  turnByOrder: boolean;
  tags: { name: string; at: number }[];
  /** The row's own scorers; null when the sheet has none. */
  checks: RowChecks | null;
  /** Answers for targets that are not asked. */
  stored: StoredReaders[];
  /** Uses of each column, by its place: `case.key`, `case.input.input_prompt` ... */
  uses: ReadonlyMap<number, readonly string[]>;
  /** The first column of each use. */
  columnOf: ReadonlyMap<string, number>;
  /** Something of the mapping could not be found, so columns that seem unused may not be. */
  partial: boolean;
  /** Notices that a person should see when the file has been read; asked for once. */
  remarks: () => string[];
}

export interface ShapeOptions {
  header: readonly string[];
  mapping: CaseMapping;
  endpoints: readonly EndpointName[];
  constants?: readonly string[] | undefined;
  asksItself?: boolean | undefined;
  file: string;
  stored?: readonly StoredSource[];
  checks?: CheckReader | undefined;
}

/** A shape, everything that is wrong with the mapping, and what a person should know. */
export interface MadeShape {
  shape: CaseShape;
  problems: AppError[];
  notices: string[];
}

/** Looks up every mapped column in a header. A column that is not there is a COLUMN_UNKNOWN with what was meant. */
export async function caseShape(options: ShapeOptions): Promise<MadeShape> {
  const { header, file, endpoints } = options;
  const mapping = withDefaults(options.mapping, header, endpoints, options.asksItself);
  const finder = new ColumnFinder(header, file);
  const sheet = promptfooSheet(header);
  const fields = (await fieldsOf(mapping, finder, endpoints)).map((field) =>
    sheet === null ? field : setAround(field, sheet),
  );
  if (options.mapping.input === null) findNeeded(mapping, finder, options);
  const text = async (source: string | null, usedFor: string): Promise<CellReader | null> =>
    source === null ? null : ((await finder.reader(source, usedFor))?.read ?? null);
  if (mapping.orderBy !== undefined) finder.column(mapping.orderBy, "case.order_by");
  const scorers = mapping.scorers === undefined ? null : await finder.reader(mapping.scorers, "case.scorers");
  const turnByOrder = mapping.turn === orderColumn && !header.includes(orderColumn);
  const shape = {
    header,
    fields: fields.toSorted((a, b) => comparePaths(a.path, b.path)),
    canonical: fields.flatMap(({ from }) => from).every(isOrdered),
    key: await text(mapping.key, "case.key"),
    expected:
      mapping.expected === null && sheet !== null ? sheet.expected : await text(mapping.expected, "case.expected"),
    expectsByTurn: mapping.expected === scriptColumns.answer,
    cluster: await text(mapping.cluster, "case.cluster"),
    turn: turnByOrder ? null : await text(mapping.turn, "case.turn"),
    turnByOrder,
    checks: await rowChecks(options.checks, sheet, scorers),
    stored: await storedReaders(options.stored ?? [], text),
    tags: [...mapping.tags.flatMap((name) => finder.column(name, "case.tags") ?? []), ...(sheet?.tags ?? [])],
    uses: finder.uses,
    columnOf: new Map(
      Array.from(finder.uses, ([at, uses]) => uses.map((use) => [use, at] as const))
        .toReversed()
        .flat(),
    ),
    remarks: () => sheet?.remarks() ?? [],
  };
  const { withoutPrompt } = mapping;
  if (withoutPrompt.length > 0) finder.problems.push(promptNeeded(withoutPrompt, file));
  else if (sources(mapping).length === 0 && mapping.opening === null) {
    finder.problems.push(nothingToSend(header, file));
  } else if (finder.problems.length === 0 && options.asksItself !== true) {
    finder.problems.push(...promptUnmapped(fields, mapping, options));
  }
  const { problems } = finder;
  return {
    shape: { ...shape, partial: problems.length > 0 },
    problems,
    notices: [...mapping.notices.map((notice) => `${file}: ${notice}`), ...finder.notices],
  };
}

/** The prompt with what promptfoo sets before and behind it. */
function setAround(field: CaseField, { around: { prefix, suffix } }: PromptfooSheet): CaseField {
  const { from } = field;
  if (field.name !== "input_prompt" || prefix + suffix === -2 || Array.isArray(from) || "value" in from) return field;
  const read: CellReader = (cells, columns) => {
    const prompt = from.read(cells, columns);
    // A blank prompt stays blank.
    return prompt.trim() === "" ? prompt : `${cells[prefix] ?? ""}${prompt}${cells[suffix] ?? ""}`;
  };
  return { ...field, from: { ...from, read } };
}

/** Looks for the columns of fields that an endpoint's templates use, and that nothing maps: each is a COLUMN_UNKNOWN. */
function findNeeded(mapping: FullMapping, finder: ColumnFinder, { endpoints, constants = [] }: ShapeOptions): void {
  const known = new Set([...constants, ...Object.keys(mapping.input).map((field) => field.split(".")[0])]);
  const needed = new Set(endpoints.flatMap((name) => endpointOf(name).needs));
  for (const field of needed) if (!known.has(field)) finder.column(field, "the endpoint of a target");
}

function nothingToSend(header: readonly string[], file: string): AppError {
  const title = looksLikeTitle(header) ? "If its first line is a title, delete it: the header comes first. " : "";
  return new AppError("COLUMN_UNKNOWN", `${file} has no column that could be sent.`, {
    hint: `${title}Name one input_prompt or question, or map one in a suite (case.input), such as \`tandem init\` writes. It has: ${header.join(", ")}.`,
  });
}

/** Refuses a mapping under which every row would be blank: no field of it is one that an endpoint is asked with. */
function promptUnmapped(
  fields: readonly CaseField[],
  mapping: FullMapping,
  { endpoints, file }: ShapeOptions,
): AppError[] {
  const isMapped = (field: string): boolean => fields.some(({ path }) => path[0] === field);
  const asked = endpoints.find((name) => endpointOf(name).prompt?.fields.some(isMapped) === false);
  if (asked === undefined) return [];
  const wanted = endpointOf(asked).prompt?.fields ?? [];
  const [[field, source] = ["", ""]] = sources(mapping);
  const example = typeof source === "string" ? `: write \`input: { ${wanted[0] ?? ""}: ${source} }\`` : "";
  const message = `${file}: case.input maps ${showText(field)}, but ${asked} is asked with ${wanted.join(", ")}${example}`;
  return [new AppError("PROMPT_NEEDED", `${message}.`, { hint: "Without one of these every row is blank." })];
}

function sources(mapping: FullMapping): [name: string, source: FieldSource][] {
  return Object.entries(mapping.input);
}

async function fieldsOf(
  mapping: FullMapping,
  finder: ColumnFinder,
  asked: readonly EndpointName[],
): Promise<CaseField[]> {
  const fields: CaseField[] = [];
  const names = Object.keys(mapping.input);
  const add = async (name: string, source: FieldSource, usedFor: string, firstTurnOnly: boolean): Promise<void> => {
    const field = { name, kind: Array.isArray(source) ? "text" : fieldKind(name, asked), usedFor };
    const parts = await Promise.all([source].flat().map((part) => partOf(part, field, finder)));
    const found = parts.filter((part) => part !== null);
    const [first] = found;
    if (first === undefined) return;
    fields.push({ name, path: name.split("."), from: Array.isArray(source) ? found : first, firstTurnOnly });
  };
  for (const [name, source] of sources(mapping)) {
    const fault = fieldFault(name, names, mapping);
    if (fault !== null) finder.problems.push(fault);
    else await add(name, source, `case.input.${name}`, false);
  }
  if (mapping.opening !== null) await add("messages", mapping.opening, "case.opening", true);
  return fields;
}

async function partOf(
  part: FieldPart,
  { name, kind: natural, usedFor }: { name: string; kind: FieldKind; usedFor: string },
  finder: ColumnFinder,
): Promise<ShapePart | null> {
  if (typeof part !== "string" && "value" in part) {
    const value: JsonValue = JSON.parse(canonicalJson(part.value));
    return { value };
  }
  const { column, type } = typeof part === "string" ? { column: part, type: null } : part;
  const found = await finder.reader(column, usedFor);
  if (found === null) return null;
  const filesOf = type === "file" ? name : null;
  const source = isTemplate(column) ? `the template of ${name}` : `column ${showText(column)}`;
  return { kind: partKind(type, natural), read: found.read, source, at: found.at, filesOf };
}

/** The kind of a part by what it is told to be, and what its field is by itself: a list stays one. */
function partKind(type: Exclude<FieldPart, string | { value: JsonValue }>["type"], natural: FieldKind): FieldKind {
  if (type === "file") return natural === "list" ? natural : "text";
  return type === "json" && natural !== "text" && natural !== "number" ? natural : (type ?? natural);
}

function isOrdered(part: ShapePart): boolean {
  return "value" in part || (part.filesOf === null && !["messages", "object", "json"].includes(part.kind));
}

function fieldFault(name: string, names: readonly string[], mapping: FullMapping): AppError | null {
  const fault = fieldNameFault(name, names);
  if (fault !== null) return new AppError("SUITE_INVALID", `The mapping cannot be used: ${fault}.`);
  const other = mapping.turn === null ? "opening" : "turn";
  if (name !== "messages" || mapping[other] === null) return null;
  return new AppError("SUITE_INVALID", `messages and ${other} cannot be mapped together.`, {
    hint: "Use opening for what comes before the first turn.",
  });
}

/** Compares by code units, part by part, as canonical JSON orders the members of nested objects. */
function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return a.length - b.length;
}

type OnCell = (message: string, hint: string | null, at: number | null) => void;

interface CheckedRow {
  cells: readonly string[];
  columns: Record<string, string>;
  row: number;
}

/** Reads the checks of a row; null when it has none. Faults of a cell are told. */
type RowChecks = (row: CheckedRow, onCell: OnCell) => CaseChecks | null;

const hint = 'It must be JSON such as {"type": "contains", "value": "Paris"}, or a list of these.';

/** Makes the reader of the checks in a sheet's rows; null when it has none. */
async function rowChecks(
  reader: CheckReader | undefined,
  sheet: PromptfooSheet | null,
  scorers: { read: CellReader; at: number | null } | null,
): Promise<RowChecks | null> {
  if (reader === undefined || (sheet === null && scorers === null)) return null;
  const { scorer } = reader;
  const expectations = sheet === null ? null : { sheet, expectation: await reader.expectations() };
  return (row, onCell) => {
    const promptfoo =
      expectations === null
        ? { scorers: [], threshold: null }
        : expectations.sheet.checks(row, { expectation: expectations.expectation, scorer }, onCell);
    const own = scorers === null ? [] : cellScorers(scorers.read(row.cells, row.columns), reader, scorers.at, onCell);
    const all = [...promptfoo.scorers, ...own];
    return all.length === 0 ? null : { scorers: all, threshold: promptfoo.threshold };
  };
}

/** The scorers in a cell: one, or a list. */
function cellScorers(text: string, reader: CheckReader, at: number | null, onCell: OnCell): JsonObject[] {
  if (text.trim() === "") return [];
  const parsed = parseJsonText(text);
  if (!parsed.ok) {
    onCell(`the column of scorers is not JSON: ${parsed.message}`, hint, at);
    return [];
  }
  const values = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return values.flatMap((value, i) => {
    const read = reader.scorer(value);
    if (read.ok) return [read.scorer];
    onCell(`${values.length > 1 ? `scorer ${i + 1}: ` : ""}${read.fault}`, null, at);
    return [];
  });
}
