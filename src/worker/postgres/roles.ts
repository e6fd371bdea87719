import { AppError } from "../../errors.ts";
import type { Postgres } from "./connection.ts";
import { engineSchema } from "./strangers.ts";

/** Functions by which a worker does all of its work; each acts with the rights of the owner. */
const ofWorkers: readonly string[] = [
  "apply_policies",
  "beat",
  "complete_slice",
  "end_slice",
  "enter_worker",
  "fail_batch",
  "fetch_slices",
  "give_back",
  "give_slice_back",
  "hold",
  "learn",
  "leave_batch",
  "leave_runs",
  "leave_worker",
  "mark_taken",
  "note_asked",
  "open_slice",
  "open_work",
  "reap",
  "return_lost_slices",
  "settle",
  "settle_and_take",
  "skip_jobs",
  "slice_jobs",
  "slice_turns",
  "stop_target",
  "stop_unserved",
  "suite_of",
  "take",
  "tell",
  "touch_slices",
];

/** Functions that a submitter calls. `reap` and `apply_policies`: it looks after workers that have died while no other is there. */
const ofSubmitters: readonly string[] = [
  "apply_policies",
  "decide_doubts",
  "fail_batch",
  "now_ms",
  "put_slices",
  "reap",
];

/** Columns that a submitter enters and changes; no row of a result is among them. It reads all tables. */
const submitterRights: Readonly<Record<string, { insert?: string; update?: string; delete?: true }>> = {
  batch: {
    insert: `id, namespace, name, suite_name, version, suite, seed, on_ambiguous, in_doubt, conversations, submitter, most_requests, most_failures,
      most_cost, most_duration_ms, state, submitter_seen_at, created_at`,
    update: `version, suite, on_ambiguous, in_doubt, submitter, most_requests, most_failures, most_cost, most_duration_ms, ends_at, planned, state,
      reason, submitter_seen_at`,
    delete: true,
  },
  batch_file: { insert: "batch, part, bytes", delete: true },
  batch_limit: {
    insert: "batch, service, concurrency, rate_count, rate_window_ms, patience_ms, proven",
    update: "concurrency, rate_count, rate_window_ms, patience_ms, proven, waits_since",
  },
  earlier: { insert: "batch, job, record" },
  input: { insert: "batch, id, input" },
  job: {
    insert: "batch, id, slice, target, case_id, input, repeat, turn, waits_for, attempts, failures, outcome",
    delete: true,
  },
  service: {
    insert: "name",
    update: "learned_concurrency, learned_ceiling, learned_rate_count, learned_rate_window_ms, reason",
  },
  skipped: { update: "pulled" },
  slice: { insert: "batch, id, deployment, service, jobs", update: "state, jobs, done" },
  spending: { insert: "batch", update: "requests, failures, cost, cost_unknown" },
  target: { insert: "batch, id, name, deployment, endpoint, service, data", update: "service, data, stopped" },
  unpulled: { insert: "batch, job, number, bytes", delete: true },
  worker: { update: "state", delete: true },
};

const entries = Object.entries(submitterRights);

const roles = "tandem_worker, tandem_submitter";

/** Takes all rights in a schema away from everybody but its owner. */
const nothingIn = (schema: string): string =>
  ["SCHEMA", "ALL TABLES IN SCHEMA", "ALL SEQUENCES IN SCHEMA", "ALL ROUTINES IN SCHEMA"]
    .map((what) => `REVOKE ALL ON ${what} ${schema} FROM PUBLIC, ${roles};`)
    .join("\n  ");

const rightsOn = ([table, { insert, update, delete: removes }]: (typeof entries)[number]): string =>
  [
    ...(insert === undefined ? [] : [`INSERT (${insert})`]),
    ...(update === undefined ? [] : [`UPDATE (${update})`]),
    ...(removes === undefined ? [] : ["DELETE"]),
  ]
    .map((right) => `GRANT ${right} ON tandem.${table} TO tandem_submitter;`)
    .join("\n  ");

/**
 * The rights of two roles, which users are put into by the owner (`GRANT tandem_worker TO anna`). A worker calls functions, and
 * reads no table; a submitter reads all tables of tandem and changes what is its part. Neither has any right in the schema
 * of the engine, or makes, changes or drops anything. It can be run again, after each migration too: what was given before goes.
 */
const rolesSql = `
DO $$ DECLARE f record; BEGIN
  ${nothingIn("tandem")}
  GRANT USAGE ON SCHEMA tandem TO ${roles};
  GRANT SELECT ON tandem.meta TO tandem_worker;
  GRANT SELECT ON ALL TABLES IN SCHEMA tandem TO tandem_submitter;
  ${entries.map(rightsOn).join("\n  ")}
  FOR f IN SELECT p.oid::regprocedure AS name, given.role FROM (VALUES
      ('tandem_worker', '{${ofWorkers.join(",")}}'::text[]), ('tandem_submitter', '{${ofSubmitters.join(",")}}'::text[])) AS given (role, functions)
    JOIN pg_proc p ON p.proname = ANY (given.functions) AND p.pronamespace = 'tandem'::regnamespace
  LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f.name, f.role); END LOOP;
END $$;`;

/** Statements by which the owner makes users of the two roles, for a message. */
export const exampleUsers: readonly string[] = [
  "CREATE USER mill LOGIN PASSWORD '...' IN ROLE tandem_worker;",
  "CREATE USER desk LOGIN PASSWORD '...' IN ROLE tandem_submitter;",
];

/** Makes the roles where the server has none yet. Throws WORKERS_REFUSED with the statements where this user may not. */
export async function makeRoles(db: Postgres): Promise<void> {
  const missing = await db.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)`,
    [roles.split(", ")],
  );
  const statements = missing.map(({ name }) => `CREATE ROLE ${name} NOLOGIN;`);
  try {
    for (const statement of statements)
      await db.query(`DO $$ BEGIN ${statement} EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "WORKERS_REFUSED")) throw error;
    throw new AppError(
      "WORKERS_REFUSED",
      `The server of ${db.shown} has no roles for workers yet, and this user may not make them.`,
      {
        hint: `Let an administrator of the server do it once: ${statements.join(" ")}`,
      },
    );
  }
}

/** Takes away whatever rights an earlier version of tandem gave in the schema of the engine. */
export async function takeEngineRights(db: Postgres): Promise<void> {
  await db.query(`
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_namespace WHERE nspname = '${engineSchema}') THEN
  ${nothingIn(engineSchema)}
  END IF;
END $$;`);
}

/** Gives the two roles their rights in a migrated database. */
export async function grantRoles(db: Postgres): Promise<void> {
  await db.query(rolesSql);
  await takeEngineRights(db);
}

/** The users of a database, for whoever has just set it up. */
export interface Users {
  /** Those who are let into it by name, and have a role. */
  workers: string[];
  submitters: string[];
  /** The owner may do everything on the server, and so may every function that a worker calls. */
  isSuperuser: boolean;
}

export async function usersOf(db: Postgres): Promise<Users> {
  const members = await db.query<{ name: string; role: string }>(
    `SELECT m.rolname AS name, r.rolname AS role FROM pg_auth_members a JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member
     WHERE r.rolname = ANY ($1) AND m.rolcanlogin AND m.oid IN (SELECT given.grantee FROM pg_database, aclexplode(datacl) AS given
       WHERE datname = current_database() AND given.privilege_type = 'CONNECT') ORDER BY 1`,
    [roles.split(", ")],
  );
  const superuser = await db.query("SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper");
  const of = (role: string): string[] => members.flatMap((member) => (member.role === role ? [member.name] : []));
  return { workers: of("tandem_worker"), submitters: of("tandem_submitter"), isSuperuser: superuser.length > 0 };
}

/** Throws WORKERS_REFUSED for a user who may not submit batches, before anything is planned. */
export async function checkMaySubmit(db: Postgres): Promise<void> {
  const [row] = await db.query<{ may: boolean }>(
    "SELECT has_column_privilege('tandem.batch', 'name', 'INSERT') AS may",
  );
  if (row?.may === true) return;
  throw new AppError("WORKERS_REFUSED", `The user has no right to submit batches in ${db.shown}.`, {
    hint: "It needs the role tandem_submitter; `tandem workers setup`, run by the database's owner, prints how users get roles.",
  });
}
