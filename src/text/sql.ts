import { createRequire } from "node:module";
import { createContext, Script } from "node:vm";
import type * as grammar from "node-sql-parser";
import type { SqlDialect } from "./sql-dialects.ts";
import { isTimeout } from "./pattern.ts";

/** The tables and columns of statements, as `select::DATABASE::TABLE` and `select::TABLE::COLUMN`. */
export interface ReadSql {
  tables: string[];
  columns: string[];
}

/** Longer statements are not read: the time of the parser grows faster than their length. */
const longestSql = 10_000;
const limitMs = 5_000;

const kept = new Map<SqlDialect, grammar.Parser>();

/** The parser of a dialect, each of which is a file of a quarter of a megabyte in a package that only those install who need it. */
function sqlParser(dialect: SqlDialect): grammar.Parser {
  const known = kept.get(dialect);
  if (known !== undefined) return known;
  const { Parser }: typeof grammar = createRequire(import.meta.url)(`node-sql-parser/build/${dialect}.js`);
  const parser = new Parser();
  kept.set(dialect, parser);
  return parser;
}

/** Reads a text as SQL statements; or says why it is none, or why it was not read. */
export function readSql(text: string, dialect: SqlDialect): ReadSql | { fault: string } | { unread: string } {
  const sql = text.trim();
  const none = { fault: `it is not SQL of ${dialect}` };
  if (sql === "" || lacksComma(sql)) return none;
  if (sql.length > longestSql)
    return { unread: `SQL of more than ${longestSql.toLocaleString("en")} characters is not read` };
  const parser = sqlParser(dialect);
  try {
    const read = withinTime(limitMs, () => parser.parse(sql));
    if (read.late) return { unread: `the SQL was not read within ${limitMs / 1_000} s` };
    return { tables: read.value.tableList, columns: read.value.columnList };
  } catch (cause) {
    // The parser calls itself for each level of nesting.
    if (cause instanceof RangeError) return { unread: "the SQL is nested too deeply" };
    return none;
  }
}

/** The contents of the code fences of a text that are SQL or say nothing of their language, in their order. */
export function sqlBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: { mark: string; lines: string[] | null } | null = null;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, mark = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === null) {
      const language = rest.trim().toLowerCase();
      if (mark !== "") open = { mark, lines: language === "" || language === "sql" ? [] : null };
    } else if (mark.startsWith(open.mark) && rest.trim() === "") {
      if (open.lines !== null) blocks.push(open.lines.join("\n"));
      open = null;
    } else open.lines?.push(line);
  }
  return blocks;
}

const aside = /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"|`[^`]*`|--[^\r\n]*|#[^\r\n]*|\/\*[^]*?\*\//g;
const twoNames =
  /\bselect\s+(?:(?:all|distinct|distinctrow)\s+)?(?!(?:all|distinct|distinctrow)\b)[a-z_]\w*\s+[a-z_]\w*\s+from\b/i;

/** `select a b from t` is rather two columns without their comma than one with another name, as promptfoo has it. */
function lacksComma(sql: string): boolean {
  return sql.length <= longestSql && twoNames.test(sql.replaceAll(aside, " ? "));
}

const holder: { work: () => void } = { work: () => undefined };
let script: Script | null = null;

/**
 * Does work that waits for nothing, and stops it where it takes too long; `late` is then true. A call costs about
 * 0.1 ms.
 */
function withinTime<T>(timeout: number, work: () => T): { late: false; value: T } | { late: true } {
  let done: { late: false; value: T } | null = null;
  holder.work = () => (done = { late: false, value: work() });
  if (script === null) {
    createContext(holder);
    script = new Script("work()");
  }
  try {
    script.runInContext(holder, { timeout });
  } catch (cause) {
    if (isTimeout(cause)) return { late: true };
    throw cause;
  } finally {
    holder.work = () => undefined;
  }
  return done ?? { late: true };
}
