import { AppError } from "../../errors.ts";
import type { Postgres } from "./connection.ts";
import { bodyHash, collapsed, knownBodies, schemaTexts } from "./schema.ts";

/** Schema of the database that is the engine's own. */
export const engineSchema = "tandem_engine";

/** Throws WORKERS_REFUSED where the tables belong to another user: functions act with the rights of whoever made them. */
export async function checkOwner(db: Postgres): Promise<void> {
  const owners = await db.query<{ schema: string; owner: string }>(
    `SELECT nspname AS schema, pg_get_userbyid(nspowner) AS owner FROM pg_namespace
     WHERE nspname = ANY ($1) AND nspowner <> current_user::regrole ORDER BY 1`,
    [["tandem", engineSchema]],
  );
  for (const { schema, owner } of owners) {
    throw new AppError(
      "WORKERS_REFUSED",
      `The schema ${schema} of ${db.shown} belongs to ${owner}, and not to this user.`,
      {
        hint: `Let ${owner} run \`tandem workers setup\`.`,
      },
    );
  }
}

/**
 * Looks whether the schemas of tandem and of its engine hold anything that `setup` has not put there. Whoever could write it
 * before may have meant it for the owner, who runs it: functions are compared with the texts of ours. `texts`: everything
 * that the engine writes. Throws WORKERS_TAMPERED with what is found.
 */
export async function refuseStrangers(db: Postgres, texts: readonly string[]): Promise<void> {
  const found = [
    ...(await strangeFunctions(db, [...schemaTexts(), ...texts])),
    ...(await strangeObjects(db)),
    ...(await strangeRows(db)),
  ];
  if (found.length === 0) return;
  const list = found.slice(0, 10).map((what) => `  ${what}`);
  const more = found.length > list.length ? [`  and ${found.length - list.length} more`] : [];
  throw new AppError(
    "WORKERS_TAMPERED",
    [`${db.shown} holds what tandem did not write there:`, ...list, ...more].join("\n"),
    {
      hint: "Find out who wrote it: it may have been run with the owner's rights before. Then take it away, or better set up a new database.",
    },
  );
}

async function strangeFunctions(db: Postgres, texts: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string; body: string; owned: boolean; language: string; definer: boolean }>(
    `SELECT p.oid::regprocedure::text AS name, p.prosrc AS body, p.proowner = current_user::regrole AS owned, l.lanname AS language,
       p.prosecdef AND n.nspname = $1 AS definer
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
     WHERE n.nspname IN ('tandem', $1) ORDER BY 1`,
    [engineSchema],
  );
  const ours = texts.map(collapsed);
  const earlier = knownBodies();
  return rows.flatMap(({ name, body, owned, language, definer }) => {
    const isOurs = ours.some((text) => text.includes(collapsed(body))) || earlier.has(bodyHash(body));
    const isKnown = isOurs && /^(?:sql|plpgsql)$/.test(language);
    if (!isKnown) return [`the function ${name}, of another text`];
    if (!owned) return [`the function ${name}, of another owner`];
    return definer ? [`the function ${name}, which acts for its owner`] : [];
  });
}

/** Tables of others, whatever runs by itself when one of ours is written or read, and members of our roles who are the owner as well. */
const objectsSql = `
WITH own AS (SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('tandem', $1))
SELECT format('%s, of another owner', oid::regclass) AS what FROM own WHERE relowner <> current_user::regrole
UNION ALL SELECT format('%s, which is no table', oid::regclass) FROM own WHERE relkind NOT IN ('r', 'p', 'i', 'I', 'S', 't')
UNION ALL SELECT format('a trigger on %s: %s', tgrelid::regclass, tgname) FROM pg_trigger
  WHERE tgrelid IN (SELECT oid FROM own) AND NOT tgisinternal AND (tgrelid::regclass::text, tgname) <> ('tandem.batch', 'empty_batch')
UNION ALL SELECT format('a rule on %s: %s', ev_class::regclass, rulename) FROM pg_rewrite WHERE ev_class IN (SELECT oid FROM own) AND rulename <> '_RETURN'
UNION ALL SELECT format('a policy on %s: %s', polrelid::regclass, polname) FROM pg_policy WHERE polrelid IN (SELECT oid FROM own)
UNION ALL SELECT format('%s, which calls %s', pg_describe_object(d.classid, d.objid, d.objsubid), p.oid::regprocedure)
  FROM pg_depend d JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid
  WHERE p.pronamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname IN ('pg_catalog', 'tandem', $1)) AND (
    d.classid = 'pg_class'::regclass AND d.objid IN (SELECT oid FROM own)
    OR d.classid = 'pg_attrdef'::regclass AND d.objid IN (SELECT oid FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM own))
    OR d.classid = 'pg_constraint'::regclass AND d.objid IN (SELECT oid FROM pg_constraint WHERE conrelid IN (SELECT oid FROM own)))
UNION ALL SELECT format('the role %s, which may do more than its rights (superuser, createrole, createdb, replication, bypassrls)', rolname)
  FROM pg_roles WHERE rolname IN ('tandem_worker', 'tandem_submitter')
    AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
UNION ALL SELECT format('the user %s, who has the owner''s rights beside those of %s', m.rolname, r.rolname)
  FROM pg_roles m JOIN pg_roles r ON r.rolname IN ('tandem_worker', 'tandem_submitter')
  WHERE pg_has_role(m.oid, r.oid, 'MEMBER') AND pg_has_role(m.oid, current_user, 'MEMBER') AND NOT m.rolsuper AND m.rolname <> current_user
ORDER BY 1`;

async function strangeObjects(db: Postgres): Promise<string[]> {
  return (await db.query<{ what: string }>(objectsSql, [engineSchema])).map(({ what }) => what);
}

/** Rows by which the engine would run a text, or write to another table. */
const rowsSql = `
SELECT format('a command in ${engineSchema}.bam (%s): %s', status, left(command, 80)) AS what FROM ${engineSchema}.bam WHERE status <> 'completed'
UNION ALL SELECT format('a queue in ${engineSchema}.queue: %s', left(name, 80)) FROM ${engineSchema}.queue
  WHERE partition OR table_name <> 'job_common' OR dead_letter IS NOT NULL OR policy <> 'standard'
UNION ALL SELECT format('a schedule in ${engineSchema}.schedule: %s', left(name, 80)) FROM ${engineSchema}.schedule
UNION ALL SELECT format('a subscription in ${engineSchema}.subscription: %s', left(name, 80)) FROM ${engineSchema}.subscription
ORDER BY 1`;

async function strangeRows(db: Postgres): Promise<string[]> {
  const [engine] = await db.query("SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'bam'", [engineSchema]);
  return engine === undefined ? [] : (await db.query<{ what: string }>(rowsSql)).map(({ what }) => what);
}

/** The version of the engine's tables; null: there are none. */
export async function engineVersion(db: Postgres): Promise<number | null> {
  const [there] = await db.query("SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'version'", [
    engineSchema,
  ]);
  if (there === undefined) return null;
  const [row] = await db.query<{ version: number }>(`SELECT version FROM ${engineSchema}.version`);
  return row?.version ?? null;
}
