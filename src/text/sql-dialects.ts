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
