import type pg from "pg";
import type { ClientBase, Pool, PoolClient, PoolConfig, QueryResult } from "pg";
import { AppError } from "../../errors.ts";
import { type PostgresAddress, postgresAddress } from "./address.ts";
import { isCollision, missingPackages, postgresFailure } from "./failure.ts";

/** A pool of connections to one database. Every error that the server or the network is the reason of is an AppError. */
export interface Postgres extends AsyncDisposable {
  /** Host, port and database, for messages; the rest of the connection string is a secret. */
  readonly shown: string;
  /**
   * A statement with a name is read by the server once on each connection: for those that are sent all the time. A text of
   * several statements gives the rows of all.
   */
  query<Row>(sql: string, values?: unknown[], name?: string): Promise<Row[]>;
  /** All of it or nothing, on one connection. */
  transaction<Result>(work: (db: Queries) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

type Queries = Pick<Postgres, "query">;

export interface PostgresOptions {
  /** Connections at the most. */
  most: number;
  applicationName: string;
  /** A statement without an answer after this time counts as lost, as on a cut line; left out: it is waited for. */
  answersWithinMs?: number;
}

/** Times that a statement is sent again which another transaction has made fail. */
const collisions = 5;
const connectTimeoutMs = 10_000;
/** Type of PostgreSQL's integers of eight bytes; ours are all counts, ids and times, which a number holds. */
const bigintType = 20;

type Driver = typeof pg;

/** Connects, and looks who answers: a server that is too old is refused. Its schema is looked at by `checkSchema`. */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Postgres> {
  const address = postgresAddress(url);
  const driver = await driverOf();
  const config = configOf(driver, address, options);
  const pool = new driver.Pool({ ...config, ...newSession, max: options.most, idleTimeoutMillis: 30_000 });
  // A connection that breaks while nobody uses it is replaced by the next statement.
  pool.on("error", () => undefined);
  const close = (): Promise<void> => pool.end();
  const db: Postgres = {
    shown: address.shown,
    query: (text, values, name) => reported(address, () => again(() => rowsOf(pool, { text, values, name }))),
    transaction: (work) => reported(address, () => again(() => inTransaction(pool, work))),
    close,
    [Symbol.asyncDispose]: close,
  };
  try {
    await checkServer(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

async function driverOf(): Promise<Driver> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    throw missingPackages(error);
  }
}

function configOf(driver: Driver, { url, ssl }: PostgresAddress, options: PostgresOptions): PoolConfig {
  const { applicationName, answersWithinMs } = options;
  return {
    connectionString: url,
    ssl,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    ...(answersWithinMs !== undefined && { query_timeout: answersWithinMs }),
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === bigintType ? Number : driver.types.getTypeParser(type, format),
    },
  };
}

/**
 * Settings of every session, by a statement: a pooler may refuse them in the packet that begins a connection. Compiling a
 * statement (JIT) costs hundreds of milliseconds where PostgreSQL's default has it on, and ours take one.
 */
const newSession = {
  /** Is waited for before the connection is used. */
  onConnect: async (client: ClientBase): Promise<void> => {
    await client.query("SET jit = off");
  },
};

async function checkServer(db: Postgres): Promise<void> {
  const [row] = await db.query<{ version: string; encoding: string }>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  );
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major >= 13) return checkEncoding(db, row?.encoding ?? "");
  throw new AppError("WORKERS_SCHEMA", `PostgreSQL at ${db.shown} has version ${major}; workers need 13 or newer.`, {
    hint: "Upgrade the server, or take another one.",
  });
}

/** Throws WORKERS_SCHEMA for a database in which most characters have no place: answers with one could not be entered. */
function checkEncoding({ shown }: Postgres, encoding: string): void {
  // A database without an encoding keeps bytes as they come.
  if (encoding === "UTF8" || encoding === "SQL_ASCII") return;
  throw new AppError("WORKERS_SCHEMA", `The database ${shown} is in ${encoding}; workers need one in UTF8.`, {
    hint: "Make one: createdb --encoding UTF8 --template template0 NAME",
  });
}

async function reported<Result>({ shown }: PostgresAddress, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw postgresFailure(shown, error);
  }
}

async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried >= collisions || !isCollision(error)) throw error;
    }
  }
}

interface Statement {
  text: string;
  values: unknown[] | undefined;
  name: string | undefined;
}

async function rowsOf<Row>(on: Pool | PoolClient, { text, values, name }: Statement): Promise<Row[]> {
  const result: QueryResult<Row & object> | QueryResult<Row & object>[] = await on.query<Row & object>({
    text,
    ...(values !== undefined && { values }),
    ...(name !== undefined && { name }),
  });
  return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
}

async function inTransaction<Result>(pool: Pool, work: (db: Queries) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // Between two statements nobody else hears that the connection has ended, and that would end this process.
  const onError = (error: Error): void => void (broken = error);
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const result = await work({ query: (text, values, name) => rowsOf(client, { text, values, name }) });
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}
