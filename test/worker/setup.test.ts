import { getRollbackPlans } from "pg-boss";
import { describe, expect, test } from "vitest";
import { checkSchema } from "../../src/worker/postgres/schema.ts";
import { setUp } from "../../src/worker/watch/setup.ts";
import { openTest, ownServer, testDatabase } from "../postgres.ts";
import { databaseWithUsers, type Users } from "./users.ts";

const mayWrite = async ({ worker }: Pick<Users, "worker">): Promise<boolean> => {
  const [row] = await worker.query<{ may: boolean }>(
    `SELECT has_schema_privilege('tandem_engine', 'USAGE') OR bool_or(has_table_privilege(oid, 'INSERT,UPDATE,DELETE')) AS may
     FROM pg_class WHERE relnamespace = 'tandem_engine'::regnamespace AND relkind IN ('r', 'p')`,
  );
  return row?.may ?? true;
};

/** Columns of a service that came with 013 and 014. */
const ofOutages =
  "streak latest streak_since sound_sent away_since away_status looks looked_at next_look_at back_at asked_at".split(
    " ",
  );

/** The database as an earlier tandem has set it up, which gave both roles all rights on the tables of the engine. */
async function ofVersion9(users: Users): Promise<void> {
  for (const sql of [
    "DROP FUNCTION tandem.put_slices, tandem.fetch_slices, tandem.touch_slices, tandem.complete_slice, tandem.give_slice_back, tandem.return_lost_slices",
    "DROP TABLE tandem.fallen, tandem.outage",
    "DROP INDEX tandem.sending_at_service",
    "DROP FUNCTION tandem.look_wait, tandem.note_answers, tandem.note_asked, tandem.waits_for, tandem.outage_of, tandem.is_asked, tandem.are_asked, tandem.leave_runs",
    `ALTER TABLE tandem.service ${[...ofOutages, "probe_batch", "probe_job", "probe_number"].map((name) => `DROP COLUMN ${name}`).join(", ")}`,
    "ALTER TABLE tandem.batch_limit DROP COLUMN patience_ms, DROP COLUMN proven, DROP COLUMN waits_since, DROP COLUMN waits_looks",
    "ALTER TABLE tandem.job DROP COLUMN given_back",
    "UPDATE tandem.meta SET version = 9",
    "GRANT USAGE ON SCHEMA tandem_engine TO tandem_worker, tandem_submitter",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tandem_engine TO tandem_worker, tandem_submitter",
  ])
    await users.owner.query(sql);
}

describe("setup", () => {
  test("needs no superuser, changes nothing when it is run again, and takes away what an earlier version gave", async () => {
    const users = await databaseWithUsers();
    await ofVersion9(users);
    expect(await mayWrite(users)).toBe(true);
    await expect(checkSchema(users.worker)).rejects.toMatchObject({ code: "WORKERS_SCHEMA" });
    for (let times = 0; times < 2; times += 1) {
      await setUp(users.owner);
      expect(await mayWrite(users)).toBe(false);
      await checkSchema(users.worker);
    }
    await users.root.query(`GRANT CONNECT ON DATABASE ${users.database} TO ${users.nameOf("worker")}`);
    const { workers, submitters, isSuperuser } = await setUp(users.owner);
    expect([workers, submitters, isSuperuser]).toEqual([[users.nameOf("worker")], [], false]);
    const [{ superusers } = { superusers: -1 }] = await users.owner.query<{ superusers: number }>(
      `SELECT count(*)::integer AS superusers FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
       WHERE pronamespace IN ('tandem'::regnamespace, 'tandem_engine'::regnamespace) AND r.rolsuper`,
    );
    expect(superusers).toBe(0);
  });

  test("runs no command that somebody has written among those of the engine", async () => {
    const users = await databaseWithUsers();
    await ofVersion9(users);
    await users.worker.query(
      `INSERT INTO tandem_engine.bam (name, version, status, table_name, command)
       VALUES ('mine', 46, 'pending', 'job_common', $1)`,
      [`GRANT ${users.nameOf("owner")} TO ${users.nameOf("worker")}`],
    );
    await expect(setUp(users.owner)).rejects.toMatchObject({
      code: "WORKERS_TAMPERED",
      message: expect.stringMatching(
        /what tandem did not write there:\n {2}a command in tandem_engine\.bam \(pending\): GRANT owner_/,
      ),
    });
    expect(await mayWrite(users)).toBe(false);
    expect(
      await users.root.query("SELECT FROM pg_auth_members WHERE member = $1::regrole", [users.nameOf("worker")]),
    ).toHaveLength(1);
    await users.owner.query("DELETE FROM tandem_engine.bam");
    await setUp(users.owner);
    await checkSchema(users.worker);
  });

  /** Things that nobody but the owner could put there, with what takes them away, and the words by which they are named. */
  const strange: [sql: string, undo: string, words: string][] = [
    [
      "CREATE OR REPLACE FUNCTION tandem.refuse_late(p_now bigint, p_until bigint) RETURNS void LANGUAGE plpgsql AS 'BEGIN RETURN; END'",
      "",
      "the function tandem.refuse_late(bigint,bigint), of another text",
    ],
    [
      "ALTER FUNCTION tandem_engine.job_table_run(text, text, text) SECURITY DEFINER",
      "ALTER FUNCTION tandem_engine.job_table_run(text, text, text) SECURITY INVOKER",
      "the function tandem_engine.job_table_run(text,text,text), which acts for its owner",
    ],
    [
      "CREATE TRIGGER mine BEFORE UPDATE ON tandem.meta FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
      "DROP TRIGGER mine ON tandem.meta",
      "a trigger on tandem.meta: mine",
    ],
    [
      "CREATE RULE mine AS ON UPDATE TO tandem.meta DO INSTEAD NOTHING",
      "DROP RULE mine ON tandem.meta",
      "a rule on tandem.meta: mine",
    ],
    [
      "CREATE POLICY mine ON tandem_engine.job USING (true)",
      "DROP POLICY mine ON tandem_engine.job",
      "a policy on tandem_engine.job: mine",
    ],
    ["CREATE VIEW tandem.mine AS SELECT 1 AS one", "DROP VIEW tandem.mine", "tandem.mine, which is no table"],
    [
      "CREATE FUNCTION public.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'; ALTER TABLE tandem.meta ADD COLUMN more integer DEFAULT public.mine()",
      "ALTER TABLE tandem.meta DROP COLUMN more",
      "which calls public.mine()",
    ],
    [
      `INSERT INTO tandem_engine.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, deletion_seconds,
         partition, table_name) VALUES ('mine', 'standard', 1, 1, false, 1, 1, 1, false, 'job_common; DROP TABLE tandem.batch')`,
      "DELETE FROM tandem_engine.queue",
      "a queue in tandem_engine.queue: mine",
    ],
  ];

  test("refuses functions, triggers, rules, policies, views, defaults and queues that it has not written", async () => {
    const users = await databaseWithUsers();
    for (const [sql, undo, words] of strange.toReversed()) {
      await users.owner.query(sql);
      await expect(setUp(users.owner), sql).rejects.toMatchObject({
        code: "WORKERS_TAMPERED",
        message: expect.stringMatching(/what tandem did not write there:\n {2}[^\n]+$/),
      });
      await expect(setUp(users.owner), sql).rejects.toThrow(words);
      if (undo !== "") await users.owner.query(undo);
    }
  });

  test("refuses a user of a role who has the owner's rights as well", async () => {
    const users = await databaseWithUsers();
    await users.root.query(`GRANT ${users.nameOf("owner")} TO ${users.nameOf("worker")}`);
    await expect(setUp(users.owner)).rejects.toMatchObject({
      code: "WORKERS_TAMPERED",
      message: expect.stringContaining(`the user ${users.nameOf("worker")}, who has the owner's rights`),
    });
  });

  test("is for the owner of the tables, also where another has more rights: functions act with those of their owner", async () => {
    const users = await databaseWithUsers();
    for (const db of [users.root, users.submitter])
      await expect(setUp(await openTest(urlOf(users, db), 2))).rejects.toMatchObject({
        code: "WORKERS_REFUSED",
        message: expect.stringMatching(/belongs to owner_\w+, and not to this user/),
      });
    await setUp(users.owner);
  });

  test("brings the tables of an earlier engine up to date", async () => {
    const users = await databaseWithUsers();
    await users.owner.query(getRollbackPlans("tandem_engine", 46));
    expect(await users.owner.query("SELECT version FROM tandem_engine.version")).toEqual([{ version: 45 }]);
    await setUp(users.owner);
    await setUp(users.owner);
    expect(await users.owner.query("SELECT version FROM tandem_engine.version")).toEqual([{ version: 46 }]);
  });

  test("says which roles an administrator has to make where the owner may not", async () => {
    const server = await ownServer();
    const root = await openTest(server.url("tandem"), 2);
    for (const role of ["tandem_worker", "tandem_submitter"]) {
      await root.query(`DROP OWNED BY ${role}`);
      await root.query(`DROP ROLE ${role}`);
    }
    await root.query("CREATE ROLE ada LOGIN");
    await root.query("CREATE DATABASE bots OWNER ada");
    const ada = await openTest(server.url("bots").replace("//tandem@", "//ada@"), 2);
    await expect(setUp(ada)).rejects.toMatchObject({
      code: "WORKERS_REFUSED",
      message: expect.stringContaining("has no roles for workers yet, and this user may not make them"),
      hint: expect.stringContaining("CREATE ROLE tandem_worker NOLOGIN; CREATE ROLE tandem_submitter NOLOGIN;"),
    });
    expect(await ada.query("SELECT FROM pg_namespace WHERE nspname LIKE 'tandem%'")).toEqual([]);
    await root.query("CREATE ROLE tandem_worker NOLOGIN; CREATE ROLE tandem_submitter NOLOGIN");
    await setUp(ada);
    await checkSchema(ada);
  });

  test("of two at a time waits for the other", async () => {
    const url = await testDatabase({ isEmpty: true });
    await Promise.all([0, 1, 2].map(async () => setUp(await openTest(url, 2))));
    await expect(checkSchema(await openTest(url, 1))).resolves.toBeUndefined();
  });
});

const urlOf = (users: Users, db: unknown): string =>
  db === users.root ? users.urlOf("owner").replace(/\/\/[^@]*@/, "//tandem@") : users.urlOf("submitter");
