import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  CST,
  Lexer,
} from "yaml";
import type { z } from "zod";
import { AppError, type ErrorCode, type FileFault } from "../errors.ts";
import { isLost } from "../lib/lost-digits.ts";
import { faultsOf, type Fault, type FaultPath } from "../lib/fault.ts";

/** A YAML file that was parsed without a fault, with the position of everything in it. */
export interface YamlDocument {
  file: string;
  text: string;
  /** Its content as plain values; map keys are text. */
  value: unknown;
  document: Document;
  lines: LineCounter;
}

/** A fault with its place: line and column count from 1; the path is written with dots. */
export interface YamlFault extends FileFault {
  line: number;
  column: number;
  path: string;
  hint: string | null;
}

/** Aliases of one anchor beyond this many look like an attack ("billion laughs"). */
const maxAliases = 100;

/** Faults beyond this many are counted only. */
const mostListed = 50;

/**
 * Parses one YAML document. Syntax errors, duplicate keys, alias bombs and several documents in one file
 * raise an AppError with `code` that lists all of them with line and column.
 */
export function parseYaml(text: string, file: string, code: ErrorCode = "SUITE_SYNTAX"): YamlDocument {
  const lines = new LineCounter();
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const tooDeep = tooDeepAt(source);
  if (tooDeep !== null) {
    const fault = syntaxFault(file, tooDeep.line, tooDeep.column, "", `nested deeper than ${deepestYaml} levels`);
    throw faultyFile(code, `${file} is not valid YAML`, [fault]);
  }
  const document = parseDocument(source, {
    lineCounter: lines,
    stringKeys: true,
    merge: true,
    prettyErrors: false,
    // It would compare each key with all others of its map.
    uniqueKeys: false,
  });
  const faultAt = (offset: number, error: string, message: string): YamlFault => {
    const { line, col } = lines.linePos(offset);
    return syntaxFault(file, line, col, error, message);
  };
  const faults = [...document.errors, ...document.warnings].map((error) =>
    faultAt(error.pos[0], error.code, error.message),
  );
  // To look for the anchor of each alias anew would take a time that grows with the square of them.
  const anchors = new Map<string, number>();
  const note = ({ anchor }: { anchor?: string }): void => void (anchor !== undefined && anchors.set(anchor, 0));
  visit(document, {
    Seq: (_, list) => note(list),
    Map(_, map) {
      note(map);
      const { items } = map;
      for (const key of repeatedKeys(items))
        faults.push(faultAt(startOf(key) ?? 0, "DUPLICATE_KEY", "Map keys must be unique"));
    },
    Pair(_, { key }) {
      if (isScalar(key) && key.value === "__proto__") {
        faults.push(faultAt(startOf(key) ?? 0, "", 'the key "__proto__" is not allowed'));
      }
    },
    Scalar(_, scalar) {
      note(scalar);
      const { value, source: written, range } = scalar;
      if (typeof value !== "number" || written === undefined) return;
      if (!/^-?\d+$/.test(written) || !isLost(written)) return;
      const message = `the number ${written} would be taken for ${value}: put it in quotes`;
      faults.push(faultAt(range?.[0] ?? 0, "", message));
    },
    Alias(_, alias) {
      const { source: name } = alias;
      const times = anchors.get(name);
      if (times !== undefined) anchors.set(name, times + 1);
      if (times !== undefined && times !== maxAliases) return;
      const [error, message] =
        times === undefined
          ? ["", `the alias *${name} has no anchor &${name} before it`]
          : ["MANY_ALIASES", `more than ${maxAliases} aliases of &${name}`];
      faults.push(faultAt(startOf(alias) ?? 0, error, message));
    },
  });
  if (faults.length > 0) throw faultyFile(code, `${file} is not valid YAML`, faults);
  return { file, text, value: plainValue(document, file, code), document, lines };
}

/** Checks a document against a schema. Gives the parsed value, or every fault with its position in the order of the file. */
export function checkYaml<T>(
  document: YamlDocument,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; faults: YamlFault[] } {
  const faults = faultsOf(schema, document.value)
    .map((fault) => placeFault(document, fault))
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
  return faults.length === 0 ? { ok: true, value: schema.parse(document.value) } : { ok: false, faults };
}

/** An error with a headline and every fault below it. */
export function faultyFile(code: ErrorCode, headline: string, faults: readonly YamlFault[]): AppError {
  const listed = faults.map(({ file, line, column, path, message, hint }) => {
    const what = path === "" ? message : `${path} ${message}`;
    return { file, line, column, message: hint === null ? what : `${what}. ${hint}` };
  });
  return new AppError(code, faultsMessage(headline, faults), { faults: listed });
}

/** A headline and every fault below it as `file:line:column: path message hint`. */
export function faultsMessage(headline: string, faults: readonly YamlFault[]): string {
  const count = faults.length === 1 ? "" : ` (${faults.length} faults)`;
  const list = faults.map(({ file, line, column, path, message, hint }) => {
    const what = path === "" ? message : `${path} ${message}`;
    return `  ${file}:${line}:${column}: ${what}${hint === null ? "" : `. ${hint}`}`;
  });
  const more = list.length > mostListed ? [`  ... and ${list.length - mostListed} more`] : [];
  return [`${headline}${count}:`, ...list.slice(0, mostListed), ...more].join("\n");
}

/** A fault with the file, line and column of its path; for a missing key those of the map that should have it. */
export function placeFault(document: YamlDocument, fault: Fault): YamlFault {
  const { line, column, source } = positionOf(document, fault.path, fault.atKey);
  const isNumeral = fault.fitsInQuotes === true && source !== null;
  return {
    file: document.file,
    line,
    column,
    path: pathText(fault.atKey ? fault.path.slice(0, -1) : fault.path),
    message: fault.message,
    hint: fault.hint ?? (isNumeral ? `Put it in quotes: "${source}".` : null),
  };
}

/** Line and column (from 1) of the value at a path, or of its key; the nearest ancestor's where there is none. */
export function positionOf(
  { document, lines }: YamlDocument,
  path: FaultPath,
  atKey = false,
): { line: number; column: number; source: string | null } {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  let source: string | null = null;
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    const next = isMap(node) ? pairsOf(node).get(String(part)) : itemOf(node, part);
    if (next === undefined || next === null) break;
    const value = isPair(next) ? next.value : next;
    const wantsKey = isPair(next) && depth < path.length && (depth < path.length - 1 || atKey);
    offset =
      (wantsKey ? startOf(next.key) : startOf(value)) ?? (isPair(next) ? startOf(next.key) : undefined) ?? offset;
    node = value;
    source =
      depth === path.length - 1 && isScalar(value) && typeof value.value !== "string" ? (value.source ?? null) : null;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col, source };
}

function itemOf(node: unknown, part: string | number): unknown {
  return isSeq(node) && typeof part === "number" ? node.items[part] : undefined;
}

/** The pairs of maps that were looked at before, by their keys: a map with many faults is not searched for each. */
const known = new WeakMap<YAMLMap, Map<string, Pair>>();

function pairsOf(map: YAMLMap): Map<string, Pair> {
  const found = known.get(map) ?? new Map(map.items.toReversed().map((pair) => [keyOf(pair) ?? "", pair]));
  known.set(map, found);
  return found;
}

/** Keys that stand in a map already; `<<` may stand there again. */
function repeatedKeys(items: readonly Pair[]): Node[] {
  const seen = new Set<string>();
  return items.flatMap((pair) => {
    const key = keyOf(pair);
    const isRepeated = key !== null && key !== "<<" && seen.has(key);
    if (key !== null) seen.add(key);
    return isRepeated && isNode(pair.key) ? [pair.key] : [];
  });
}

function keyOf(pair: { key: unknown }): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function isNode(node: unknown): node is Node {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
}

/** `targets.prod.example_id`, `gates[0].errors`. */
function pathText(path: FaultPath): string {
  return path.map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${part}`)).join("");
}

function plainValue(document: Document, file: string, code: ErrorCode): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    // An alias inside of its own anchor makes a circle, at which this throws.
    JSON.stringify(value);
    return value;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(code, `${file} is not valid YAML: ${reason}`, { cause, hint: withoutAliases });
  }
}

const withoutAliases = "Write repeated parts out instead of nesting aliases (*name).";

const syntaxHints: Record<string, string> = {
  MANY_ALIASES: withoutAliases,
  TAB_AS_INDENT: "Indent with spaces.",
  DUPLICATE_KEY: "Keep one of them.",
  MULTIPLE_DOCS: "Keep one document: remove the line ---.",
  BAD_INDENT: "Indent the entries of one map or list equally.",
  MISSING_CHAR: "Close the bracket or quote.",
};

function syntaxFault(file: string, line: number, column: number, code: string, text: string): YamlFault {
  const message = text.replace(/\.$/, "");
  return { file, line, column, path: "", message, hint: syntaxHints[code] ?? null };
}

/** Levels of maps and lists in each other; the parser runs out of stack at some hundreds. */
const deepestYaml = 100;

/** The place where a YAML text is nested too deeply, line and column from 1; null where it is not. */
function tooDeepAt(text: string): { line: number; column: number } | null {
  // Brackets that are open, and columns in which lists and maps around this place began.
  let open = 0;
  let columns: number[] = [];
  let line = 1;
  let column = 1;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === "flow-map-start" || type === "flow-seq-start") open++;
    else if (type === "flow-map-end" || type === "flow-seq-end") open = Math.max(0, open - 1);
    else if (open === 0 && (isLineStart || type === "seq-item-ind" || type === "explicit-key-ind") && !isBlank(type)) {
      const at = column;
      columns = [...columns.filter((each) => each < at), at];
    }
    if (open + columns.length > deepestYaml) return { line, column };
    if (type === null || !isMark(type)) isLineStart = isLineStart && isBlank(type);
    const breaks = token.split("\n").length - 1;
    if (breaks > 0) {
      line += breaks;
      column = token.length - token.lastIndexOf("\n");
      isLineStart = true;
    } else if (type === null || !isMark(type)) column += token.length;
  }
  return null;
}

function isBlank(type: CST.TokenType | null): boolean {
  return type === "space" || type === "newline";
}

/** Tokens that the lexer adds, and that are no characters of the text. */
function isMark(type: CST.TokenType): boolean {
  return type === "doc-mode" || type === "flow-error-end" || type === "scalar";
}
