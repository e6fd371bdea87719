import { AppError } from "../../errors.ts";
import type { Postgres } from "./connection.ts";

/** Schema of the database that is the engine's own. */
const engine = "tandem_engine";

/**
 * The rights of two roles, which users are put into by the owner (`GRANT tandem_worker TO anna`). A worker calls the
 * functions that are made for it, and reads no table; a submitter reads all tables of tandem and changes what is its part.
 * Neither makes, changes or drops a table, and neither sees another schema. It can be run again, after each migration too.
 */
const rolesSql = `
DO $$ DECLARE f record; BEGIN
  BEGIN CREATE ROLE tandem_worker NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
  BEGIN CREATE ROLE tandem_submitter NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END;
  GRANT USAGE ON SCHEMA tandem TO tandem_worker, tandem_submitter;
  GRANT SELECT ON tandem.meta TO tandem_worker;
  -- A function that acts with its owner's rights is made for workers, but for the decision on what is in doubt.
  FOR f IN SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = 'tandem'::regnamespace AND prosecdef AND proname <> 'decide_doubts'
  LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tandem_worker', f.name); END LOOP;
  GRANT SELECT ON ALL TABLES IN SCHEMA tandem TO tandem_submitter;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA tandem TO tandem_submitter;
  -- A trigger's function acts for whoever puts it on a table of his own, on rows of his own making.
  FOR f IN SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = 'tandem'::regnamespace AND prorettype = 'trigger'::regtype
  LOOP EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, tandem_worker, tandem_submitter', f.name); END LOOP;
  GRANT INSERT ON tandem.batch, tandem.spending, tandem.service, tandem.batch_limit, tandem.batch_file, tandem.target,
    tandem.slice, tandem.input, tandem.job, tandem.earlier TO tandem_submitter;
  GRANT UPDATE ON tandem.batch, tandem.batch_limit, tandem.spending, tandem.target, tandem.service TO tandem_submitter;
  GRANT UPDATE (state, jobs, done) ON tandem.slice TO tandem_submitter;
  GRANT INSERT ON tandem.unpulled TO tandem_submitter;
  GRANT UPDATE (pulled) ON tandem.skipped TO tandem_submitter;
  GRANT UPDATE (state) ON tandem.worker TO tandem_submitter;
  GRANT DELETE ON tandem.batch, tandem.worker, tandem.batch_file, tandem.job, tandem.unpulled TO tandem_submitter;
  GRANT INSERT, UPDATE, DELETE ON tandem.schedule, tandem.schedule_file, tandem.night_home, tandem.night TO tandem_submitter;
  IF EXISTS (SELECT FROM pg_namespace WHERE nspname = '${engine}') THEN
    GRANT USAGE ON SCHEMA ${engine} TO tandem_worker, tandem_submitter;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${engine} TO tandem_worker, tandem_submitter;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${engine} TO tandem_worker, tandem_submitter;
  END IF;
END $$;`;

/** Statements by which the owner makes users of the two roles, for a message. */
export const exampleUsers: readonly string[] = [
  "CREATE USER mill LOGIN PASSWORD '...' IN ROLE tandem_worker;",
  "CREATE USER desk LOGIN PASSWORD '...' IN ROLE tandem_submitter;",
];

/** Makes the roles of workers and submitters in a migrated database, and gives them their rights. */
export async function grantRoles(db: Postgres): Promise<void> {
  await db.query(rolesSql);
}

/** Throws WORKERS_REFUSED for a user who may not submit batches, before anything is planned. */
export async function checkMaySubmit(db: Postgres): Promise<void> {
  const [row] = await db.query<{ may: boolean }>("SELECT has_table_privilege('tandem.batch', 'INSERT') AS may");
  if (row?.may === true) return;
  throw new AppError("WORKERS_REFUSED", `The user has no right to submit batches in ${db.shown}.`, {
    hint: "It needs the role tandem_submitter; `tandem workers setup`, run by the database's owner, prints how users get roles.",
  });
}
