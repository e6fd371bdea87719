import type { Parser } from "node-sql-parser";
import { sqlModule } from "./markup/parsers.ts";

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

const kept = new Map<SqlDialect, Parser>();

/** The parser of a dialect, each of which is a file of a quarter of a megabyte. */
export function sqlParser(dialect: SqlDialect): Parser {
  const known = kept.get(dialect);
  if (known !== undefined) return known;
  const parser = new (sqlModule(dialect).Parser)();
  kept.set(dialect, parser);
  return parser;
}
