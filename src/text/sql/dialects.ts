import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Parser } from "node-sql-parser";

/** The languages of databases that are known, as a suite names them. */
export const sqlDialects = [
  "mysql",
  "mariadb",
  "postgresql",
  "sqlite",
  "transactsql",
  "bigquery",
  "snowflake",
] as const;

export type SqlDialect = (typeof sqlDialects)[number];

const made = new Map<SqlDialect, Parser>();

/**
 * The parser of a dialect. Each is a file of a quarter of a megabyte, which is read when the first text needs it; in a
 * build they lie beside the command.
 */
export function sqlParser(dialect: SqlDialect): Parser {
  const known = made.get(dialect);
  if (known !== undefined) return known;
  const load = createRequire(import.meta.url);
  const beside = fileURLToPath(new URL(`./sql/${dialect}.cjs`, import.meta.url));
  const module: { Parser: typeof Parser } = load(existsSync(beside) ? beside : `node-sql-parser/build/${dialect}.js`);
  const parser = new module.Parser();
  made.set(dialect, parser);
  return parser;
}
