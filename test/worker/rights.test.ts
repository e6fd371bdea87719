import type pg from "pg";
import { describe, expect, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { reap } from "../../src/worker/postgres/workers.ts";
import { loadChunk } from "../../src/worker/postgres/chunk.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { answer, newWorker, runningBatch } from "./books.ts";
import { databaseWithUsers, plainClient, type Users } from "./users.ts";

const people = ["owner", "worker", "submitter", "stranger"] as const;

/** Everything in the database and of the server that an attack could change, as one text for each thing. */
async function picture({ root, nameOf }: Users): Promise<Map<string, string>> {
  const things = new Map<string, string>();
  const tables = await root.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p')
     AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('tandem', 'tandem_engine'))`,
  );
  expect(tables.length).toBeGreaterThan(30);
  for (const { name } of tables) {
    const [rows] = await root.query<{ rows: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows FROM ${name} t`,
    );
    things.set(name, rows?.rows ?? "");
  }
  const shapes = await root.query<{ what: string; shape: string }>(
    `
    SELECT 'function ' || oid::regprocedure AS what, concat(pg_get_functiondef(oid), proacl, proowner) AS shape FROM pg_proc
      WHERE prokind = 'f' AND pronamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname IN ('pg_catalog', 'information_schema'))
    UNION ALL SELECT 'relation ' || oid::regclass, concat(relowner, relacl, relkind, relrowsecurity, reltriggers, relhasrules) FROM
      (SELECT c.*, (SELECT string_agg(tgname, ' ' ORDER BY tgname) FROM pg_trigger WHERE tgrelid = c.oid) AS reltriggers FROM pg_class c) c
      WHERE oid >= 16384 AND relpersistence <> 't' AND relnamespace <> 'pg_toast'::regnamespace
    UNION ALL SELECT 'column ' || attrelid::regclass || '.' || attname, concat(atttypid, attacl, attnotnull, attisdropped) FROM pg_attribute
      WHERE attrelid IN (SELECT oid FROM pg_class WHERE oid >= 16384 AND relpersistence <> 't' AND relkind IN ('r', 'p', 'v')) AND attnum > 0
    UNION ALL SELECT 'schema ' || nspname, concat(nspowner, nspacl) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
    UNION ALL SELECT 'role ' || rolname, concat(rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolcanlogin) FROM pg_roles WHERE rolname = ANY ($1)
    UNION ALL SELECT 'member ' || roleid::regrole || ' ' || member::regrole, admin_option::text FROM pg_auth_members
      WHERE member::regrole::text = ANY ($1)
    UNION ALL SELECT 'database', concat(datdba, datacl) FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 'extension ' || extname, extversion FROM pg_extension
    UNION ALL SELECT 'type ' || oid::regtype, concat(typowner, typacl) FROM pg_type WHERE oid >= 16384 AND typnamespace::regnamespace::text !~ '^pg_'`,
    // Other tests make roles at the same time: the server is theirs, too.
    [["tandem", "tandem_worker", "tandem_submitter", ...people.map(nameOf)]],
  );
  for (const { what, shape } of shapes) things.set(what, shape);
  return things;
}

function expectSame(before: Map<string, string>, after: Map<string, string>): void {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  expect(changed).toEqual([]);
}

/** One attempt to do harm, and the right with which it would be none. */
interface Attempt {
  sql: string;
  /** `table.column INSERT` and the like; null: nobody but the owner has it. */
  right: string | null;
}

/** What can be tried on every table, column and function of both schemas, as the catalog has them now. */
async function attempts({ root }: Users, me: string): Promise<Attempt[]> {
  const columns = await root.query<{ table: string; name: string; column: string }>(
    `SELECT c.oid::regclass::text AS table, c.relname AS name, quote_ident(a.attname) AS column
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = ''
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('tandem', 'tandem_engine'))
     ORDER BY 1, a.attnum`,
  );
  const functions = await root.query<{ name: string; proname: string; text: string; call: string }>(
    `SELECT oid::regprocedure::text AS name, proname, pg_get_functiondef(oid) AS text, format('%s.%I(%s)', pronamespace::regnamespace, proname,
       (SELECT string_agg('NULL::' || type::regtype, ', ') FROM unnest(proargtypes) AS type)) AS call
     FROM pg_proc WHERE pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('tandem', 'tandem_engine'))
       AND prorettype <> 'trigger'::regtype`,
  );
  expect(columns.length).toBeGreaterThan(300);
  expect(functions.length).toBeGreaterThan(40);
  const only = (sql: string): Attempt => ({ sql, right: null });
  const onColumns = columns.map(({ table, column }) => ({
    sql: `UPDATE ${table} SET ${column} = ${column}`,
    right: `${table}.${column} UPDATE`,
  }));
  const onTables = [...new Set(columns.map(({ table }) => table))].flatMap((table) => [
    { sql: `INSERT INTO ${table} DEFAULT VALUES`, right: `${table} INSERT` },
    { sql: `DELETE FROM ${table}`, right: `${table} DELETE` },
    { sql: `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM ${table}`, right: `${table} INSERT` },
    only(`TRUNCATE ${table} CASCADE`),
    only(`ALTER TABLE ${table} ADD COLUMN more integer`),
    only(`ALTER TABLE ${table} DISABLE TRIGGER ALL`),
    only(`ALTER TABLE ${table} OWNER TO ${me}`),
    only(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`),
    only(`DROP TABLE ${table} CASCADE`),
    only(
      `CREATE TRIGGER mine BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
    ),
    only(`CREATE RULE mine AS ON INSERT TO ${table} DO INSTEAD NOTHING`),
    only(`CREATE INDEX ON ${table} ((1))`),
    only(`CREATE POLICY mine ON ${table}`),
    only(`COMMENT ON TABLE ${table} IS 'mine'`),
    only(`COPY ${table} FROM PROGRAM 'true'`),
    only(`REINDEX TABLE ${table}`),
  ]);
  const onFunctions = functions.flatMap(({ name, proname, text, call }) => [
    { sql: `SELECT ${call}`, right: `${proname} EXECUTE` },
    only(text),
    only(`ALTER FUNCTION ${name} SECURITY DEFINER`),
    only(`ALTER FUNCTION ${name} RESET ALL`),
    only(`ALTER FUNCTION ${name} OWNER TO ${me}`),
    only(`DROP FUNCTION ${name} CASCADE`),
  ]);
  return [...onTables, ...onColumns, ...onFunctions];
}

/** What can be tried on the database and the server. */
const onTheServer = (me: string, { database, nameOf }: Users): string[] => [
  "CREATE SCHEMA mine",
  "CREATE TABLE public.mine (id integer)",
  "CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT clock_timestamp()'",
  "CREATE EXTENSION file_fdw",
  "CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION event_trigger()",
  "CREATE PUBLICATION mine",
  "CREATE ROLE mine SUPERUSER",
  "CREATE DATABASE mine",
  ...["tandem", "tandem_engine"].flatMap((schema) => [
    `CREATE TABLE ${schema}.mine (id integer)`,
    `CREATE VIEW ${schema}.mine AS SELECT 1`,
    `CREATE TYPE ${schema}.mine AS ENUM ('a')`,
    `CREATE FUNCTION ${schema}.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT clock_timestamp()'`,
    `ALTER SCHEMA ${schema} RENAME TO gone`,
    `ALTER SCHEMA ${schema} OWNER TO ${me}`,
    `DROP SCHEMA ${schema} CASCADE`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${nameOf("owner")} IN SCHEMA ${schema} GRANT ALL ON TABLES TO ${me}`,
  ]),
  ...["owner", "stranger"].map((who) => `SET ROLE ${nameOf(who as "owner")}`),
  `SET SESSION AUTHORIZATION ${nameOf("owner")}`,
  "SET ROLE tandem",
  `ALTER ROLE ${me} SUPERUSER`,
  `ALTER ROLE ${me} CREATEROLE`,
  `ALTER ROLE ${me} BYPASSRLS`,
  `ALTER ROLE ${me} SET session_preload_libraries = 'mine'`,
  `ALTER ROLE ${nameOf("owner")} PASSWORD 'mine'`,
  `ALTER ROLE ${nameOf("owner")} SET search_path = mine`,
  "ALTER ROLE tandem_worker LOGIN",
  "ALTER ROLE tandem_worker SET search_path = mine",
  `GRANT ${nameOf("owner")} TO ${me}`,
  `GRANT pg_execute_server_program TO ${me}`,
  `GRANT tandem_submitter TO tandem_worker`,
  `ALTER DATABASE ${database} OWNER TO ${me}`,
  `ALTER DATABASE ${database} SET search_path = mine`,
  "ALTER SYSTEM SET jit = off",
  "SET session_replication_role = replica",
  "SET log_statement = 'none'",
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "COPY (SELECT 1) TO '/tmp/mine'",
  "SELECT pg_read_file('postgresql.conf')",
  "SELECT pg_ls_dir('.')",
  "SELECT lo_import('/etc/hostname')",
  "SELECT pg_reload_conf()",
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'test-%' AND usename <> current_user",
  "SELECT rolpassword FROM pg_authid",
];

/** Tries each for itself, takes back what it did, and gives those that were let through. */
async function through(client: pg.Client, all: readonly Attempt[], has: (right: string) => boolean): Promise<string[]> {
  const passed: string[] = [];
  for (const { sql, right } of all) {
    if (right !== null && has(right)) continue;
    // These two are for no transaction, which would be the reason why they are refused.
    if (!/^(?:CREATE DATABASE|ALTER SYSTEM)/.test(sql)) await client.query("BEGIN");
    const error: unknown = await client.query(sql).then(
      () => null,
      (reason: unknown) => reason,
    );
    await client.query("ROLLBACK");
    const code = error instanceof Error && "code" in error ? String(error.code) : "none";
    if (code !== "42501") passed.push(`${sql}: ${code}`);
  }
  return passed;
}

/** Rights that a role has, by what the catalog says of each table, column and function. */
async function rightsOf({ root }: Users, me: string): Promise<string[]> {
  const rows = await root.query<{ has: string }>(
    `WITH tables AS (SELECT c.* FROM pg_class c WHERE relkind IN ('r', 'p', 'S', 'v', 'm', 'f')
       AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('tandem', 'tandem_engine', 'public')))
     SELECT format('%s %s', oid::regclass, what) AS has FROM tables, unnest('{DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS what
       WHERE relkind <> 'S' AND has_table_privilege($1, oid, what)
     UNION ALL SELECT format('%s %s', oid::regclass, what) FROM tables, unnest('{SELECT,INSERT,REFERENCES}'::text[]) AS what
       WHERE relkind <> 'S' AND has_any_column_privilege($1, oid, what)
     UNION ALL SELECT format('%s USAGE', oid::regclass) FROM tables
       WHERE CASE WHEN relkind = 'S' THEN has_sequence_privilege($1, oid, 'USAGE,UPDATE') END
     UNION ALL SELECT format('%s.%I UPDATE', attrelid::regclass, attname) FROM pg_attribute
       WHERE attrelid IN (SELECT oid FROM tables WHERE relkind <> 'S') AND attnum > 0 AND NOT attisdropped AND has_column_privilege($1, attrelid, attnum, 'UPDATE')
     UNION ALL SELECT format('%s EXECUTE', proname) FROM pg_proc
       WHERE pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('tandem', 'tandem_engine', 'public')) AND has_function_privilege($1, oid, 'EXECUTE')
     UNION ALL SELECT format('schema %s %s', nspname, what) FROM pg_namespace, unnest('{CREATE,USAGE}'::text[]) AS what
       WHERE nspname IN ('tandem', 'tandem_engine', 'public') AND has_schema_privilege($1, oid, what)
     UNION ALL SELECT format('database %s', what) FROM unnest('{CREATE}'::text[]) AS what WHERE has_database_privilege($1, current_database(), what)`,
    [me],
  );
  return [...new Set(rows.map(({ has }) => has))].toSorted();
}

/** Something of everything: batches, answers in flight and entered, queues. */
async function filled({ submitter, worker }: Users): Promise<void> {
  const { batch, service } = await runningBatch(submitter, { jobs: 4, turns: 2 });
  const id = await newWorker(worker);
  await take(worker, { worker: id, token: "t", batch, service, jobs: [1, 3].map((job) => ({ job, number: 1 })) });
  await settle(worker, id, [answer(batch, 1)]);
  await submitter.query("SELECT tandem.put_slices($1, $2, '{1}')", [`slices-${service}-0123456789abcdef`, batch]);
}

/** Tables that a submitter enters rows into and takes them from, and the columns that it changes; none is of a result or of the engine. */
const submitterWrites = {
  INSERT: "batch batch_file batch_limit earlier input job service slice spending target unpulled",
  DELETE: "batch batch_file job unpulled worker",
  UPDATE: "batch batch_limit service skipped slice spending target worker",
};

describe("a worker", () => {
  test("changes nothing but by its functions: nothing else that the catalog knows lets it", async () => {
    const users = await databaseWithUsers();
    await filled(users);
    const me = users.nameOf("worker");
    const rights = await rightsOf(users, me);
    const functions = rights.filter((right) => right.endsWith(" EXECUTE"));
    expect(rights.filter((right) => !right.endsWith(" EXECUTE"))).toEqual([
      "schema public USAGE",
      "schema tandem USAGE",
      "tandem.meta SELECT",
    ]);
    for (const kept of ["decide_doubts", "put_slices", "end_batch", "empty_batch", "create_queue", "job_table_run"])
      expect(functions).not.toContain(`${kept} EXECUTE`);
    const before = await picture(users);
    const client = await plainClient(users.urlOf("worker"));
    const all = [...(await attempts(users, me)), ...onTheServer(me, users).map((sql) => ({ sql, right: null }))];
    expect(all.length).toBeGreaterThan(1_000);
    expect(await through(client, all, (right) => functions.includes(right))).toEqual([]);
    expectSame(before, await picture(users));
  });

  test("gains nothing by tables, functions and settings of its own session", async () => {
    const users = await databaseWithUsers();
    const { batch, service } = await runningBatch(users.submitter, { jobs: 2 });
    const client = await plainClient(users.urlOf("worker"));
    const me = users.nameOf("worker");
    // Whatever a function of the owner would meet first, if it looked where its caller tells it to.
    for (const sql of [
      "CREATE TEMP TABLE batch (no integer, id uuid, state text)",
      "CREATE TEMP TABLE job (id bigint)",
      "CREATE TEMP TABLE pg_class (oid oid)",
      "CREATE TEMP TABLE said (who text)",
      "CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql AS 'INSERT INTO pg_temp.said SELECT current_user; SELECT clock_timestamp()'",
      "CREATE FUNCTION pg_temp.now_ms() RETURNS bigint LANGUAGE sql AS 'INSERT INTO pg_temp.said SELECT current_user; SELECT 0::bigint'",
      "CREATE FUNCTION pg_temp.jsonb_build_object(text, jsonb) RETURNS jsonb LANGUAGE sql AS 'INSERT INTO pg_temp.said SELECT current_user; SELECT $2'",
      "CREATE FUNCTION pg_temp.same(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'INSERT INTO pg_temp.said SELECT current_user; SELECT true'",
      "CREATE OPERATOR pg_temp.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = pg_temp.same)",
      "SET search_path = pg_temp, pg_catalog",
      `ALTER ROLE ${me} SET search_path = pg_temp, tandem, pg_catalog`,
      "SET default_transaction_isolation = 'serializable'",
      "SET jit = on",
      "SET jit_above_cost = 0",
    ])
      await client.query(sql);
    const text = (sql: string): Promise<string> =>
      client.query(sql).then(({ rows }: { rows: unknown[] }) => JSON.stringify(rows));
    const id = "6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b";
    await text(`SELECT tandem.enter_worker('${id}', 'mine', 'here', '0.0.0', '{}', '{}')`);
    expect(await text(`SELECT tandem.take('${id}', 't', ${batch}, ${service}, '{1}', '{1}')`)).toContain(
      '"granted":[1]',
    );
    await text(`SELECT tandem.fetch_slices('slices-${service}-0123456789abcdef', 1)`);
    await text("SELECT tandem.reap(15000)");
    await text(`SELECT tandem.end_slice(${batch}, 1)`);
    await text("SELECT * FROM tandem.open_work()");
    expect(await text("SELECT who FROM pg_temp.said")).toBe("[]");
  });

  test("learns the id of no other worker, without which it has no part in what that one does", async () => {
    const users = await databaseWithUsers();
    const { worker, submitter, owner } = users;
    const { batch, service } = await runningBatch(submitter, { jobs: 4, turns: 2 });
    const [other, mine] = [await newWorker(worker, "other"), await newWorker(worker, "mine")];
    const call = { worker: other, token: "t", batch, service, jobs: [{ job: 1, number: 1 }] };
    expect((await take(worker, call)).granted).toEqual([1]);
    const client = await plainClient(users.urlOf("worker"));
    const open = await owner.query<{ name: string; call: string }>(
      `SELECT p.proname AS name, format('SELECT to_jsonb(r) FROM tandem.%I(%s) AS r', p.proname, (SELECT string_agg(CASE
           WHEN a.name = 'p_worker' THEN quote_literal($1) WHEN a.name = 'p_batch' THEN $2 WHEN a.name = 'p_service' THEN $3
           WHEN a.name = 'p_slice' THEN '1' WHEN a.name = 'p_job' THEN '1' WHEN a.name IN ('p_jobs', 'p_next_jobs') THEN quote_literal('{1,2,3,4}')
           WHEN a.name IN ('p_numbers', 'p_next_numbers') THEN quote_literal('{1,1,1,1}') WHEN a.name LIKE '%_ms' THEN '15000'
           ELSE 'NULL' END || '::' || a.type::regtype, ', ' ORDER BY a.place)
         FROM unnest(p.proargtypes::oid[], p.proargnames[1:p.pronargs]) WITH ORDINALITY AS a (type, name, place))) AS call
       FROM pg_proc p WHERE pronamespace = 'tandem'::regnamespace AND has_function_privilege($4, oid, 'EXECUTE')
         AND proname NOT IN ('leave_worker', 'stop_target', 'fail_batch')`,
      [mine, String(batch), String(service), users.nameOf("worker")],
    );
    expect(open.length).toBeGreaterThan(20);
    let answers = "";
    for (const { call: sql } of open) {
      const rows = await client.query(sql).then(
        (result: { rows: unknown[] }) => result.rows,
        (error: unknown) => [String(error)],
      );
      answers += JSON.stringify(rows);
    }
    expect(answers).toContain(`"prod"`);
    expect(answers).not.toContain(other);
    // With an id of its own it enters no result for what the other has in flight, and gives none of it back.
    expect(await settle(worker, mine, [answer(batch, 1)])).toEqual(["stray"]);
    expect((await loadChunk(worker, { batch, slice: 1, worker: mine }))?.busy).toEqual([1]);
    // Nobody takes a worker for dead that gives signs, however short the time is that is asked for.
    expect(await reap(worker, { deadAfterMs: 0 })).toBe(0);
    expect(await settle(worker, other, [answer(batch, 1)])).toEqual(["landed"]);
  });
});

describe("a submitter", () => {
  test("changes no result, no queue and nothing else that is not its part", async () => {
    const users = await databaseWithUsers();
    await filled(users);
    const me = users.nameOf("submitter");
    const rights = await rightsOf(users, me);
    const on = (right: string): string =>
      [
        ...new Set(
          rights.filter((has) => has.endsWith(` ${right}`)).map((has) => /^tandem\.(\w+)/.exec(has)?.[1] ?? has),
        ),
      ].join(" ");
    for (const [right, tables] of Object.entries(submitterWrites)) expect(on(right), right).toBe(tables);
    expect(rights.filter((right) => /^schema|^database|tandem_engine|TRUNCATE|REFERENCES|TRIGGER/.test(right))).toEqual(
      ["schema public USAGE", "schema tandem USAGE"],
    );
    expect(rights.filter((right) => right.endsWith(" EXECUTE"))).toEqual(
      ["apply_policies", "decide_doubts", "fail_batch", "now_ms", "put_slices", "reap"].map(
        (name) => `${name} EXECUTE`,
      ),
    );
    const before = await picture(users);
    const client = await plainClient(users.urlOf("submitter"));
    const all = [...(await attempts(users, me)), ...onTheServer(me, users).map((sql) => ({ sql, right: null }))];
    expect(await through(client, all, (right) => rights.includes(right))).toEqual([]);
    expectSame(before, await picture(users));
  });
});

test("somebody without a role may do nothing at all", async () => {
  const users = await databaseWithUsers();
  await filled(users);
  const me = users.nameOf("stranger");
  expect(await rightsOf(users, me)).toEqual(["schema public USAGE"]);
  const before = await picture(users);
  const all = await attempts(users, me);
  expect(await through(await plainClient(users.urlOf("stranger")), all, () => false)).toEqual([]);
  expectSame(before, await picture(users));
});

test("a table or function that a later migration adds is nobody's until it is given", async () => {
  const users = await databaseWithUsers();
  await users.owner.query("CREATE TABLE tandem.later (id integer)");
  await users.owner.query(
    "CREATE FUNCTION tandem.later() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tandem FROM PUBLIC",
  );
  for (const who of ["worker", "submitter"] as const) {
    const has = (await rightsOf(users, users.nameOf(who))).filter((right) => right.includes("later"));
    expect(has).toEqual([]);
  }
});

test("functions that act with their owner's rights look nowhere else, and compile nothing", async () => {
  const { owner } = await databaseWithUsers();
  const loose = async (setting: string): Promise<unknown> => looseFunctions(owner, setting);
  for (const setting of ["search_path=pg_catalog, pg_temp", "jit=off"])
    expect(await loose(setting), setting).toEqual([]);
});

async function looseFunctions(owner: Postgres, setting: string): Promise<unknown> {
  return owner.query(
    `SELECT proname FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND prosecdef AND NOT coalesce(proconfig, '{}') @> ARRAY[$1]`,
    [setting],
  );
}
