import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { take } from "../../src/worker/postgres/take.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { answer, newWorker, runningBatch } from "../worker/books.ts";
import { databaseWithUsers, plainClient } from "../worker/users.ts";
import { openTally } from "./tally.ts";

const tally = openTally("functions of PostgreSQL", 300);

/** Values of each type that an argument of a function may have, as somebody who works against us would give them. */
const values: Readonly<Record<string, readonly string[]>> = {
  integer: ["NULL", "-1", "0", "2147483647", "-2147483648", "1"],
  bigint: ["NULL", "-1", "9223372036854775807", "-9223372036854775808", "0"],
  uuid: ["NULL", "'00000000-0000-0000-0000-000000000000'", "gen_random_uuid()"],
  text: [
    "NULL",
    "''",
    "'''; DROP TABLE tandem.batch; --'",
    "repeat('x', 1000000)",
    "'tandem_b1'",
    "E'\\u202e\\x1b[31m'",
  ],
  boolean: ["NULL", "true"],
  "double precision": ["NULL", "'NaN'", "'Infinity'", "-1e308"],
  jsonb: ["NULL", "'null'", "'[]'", "'{\"a\":{}}'", "(repeat('[', 5000) || repeat(']', 5000))::jsonb"],
  bytea: ["NULL", "''", "'\\x00'", "convert_to(repeat('x', 1000000), 'UTF8')"],
  "integer[]": ["NULL", "'{}'", "'{NULL}'", "'{-1,-1}'", "'{{1,2},{3,4}}'", "array_fill(1, ARRAY[100000])"],
  "bigint[]": [
    "NULL",
    "'{}'",
    "'{NULL}'",
    "'{1,1,1}'",
    "'{9223372036854775807}'",
    "array_fill(1::bigint, ARRAY[100000])",
  ],
  "text[]": ["NULL", "'{}'", "'{NULL}'", "'{ok,ok}'", "array_fill('x'::text, ARRAY[10000])"],
  "uuid[]": ["NULL", "'{}'", "'{NULL}'"],
  "double precision[]": ["NULL", "'{}'", "'{NaN,Infinity}'", "'{NULL}'"],
};

/** Errors that say that somebody asked wrongly; others are a fault of ours, or the end of the server. */
const isRefusal = (code: string): boolean => /^(?:22|23|42501|42704|P0|08|40|02|21|54|2B|0A)/.test(code);

test("whatever a worker or a submitter gives to a function, nothing ends, and no result, batch or worker of others changes", async () => {
  const users = await databaseWithUsers();
  const { batch, service } = await runningBatch(users.submitter, { jobs: 6 });
  const other = await newWorker(users.worker, "other");
  await take(users.worker, {
    worker: other,
    token: "t",
    batch,
    service,
    jobs: [1, 2, 3].map((job) => ({ job, number: 1 })),
  });
  await settle(users.worker, other, [answer(batch, 1)]);
  /** All that belongs to somebody else: results, what another worker has in flight, that worker, the plan. */
  const picture = async (): Promise<string> =>
    JSON.stringify(
      await users.root.query(
        `SELECT (SELECT jsonb_agg(to_jsonb(a) ORDER BY job, number) FROM tandem.attempt a) AS results,
           (SELECT jsonb_agg(to_jsonb(s) - 'doubt_since' ORDER BY job) FROM tandem.sending s WHERE worker = $1) AS flying,
           (SELECT count(*) FROM tandem.worker WHERE id = $1 AND name = 'other') AS worker,
           (SELECT jsonb_agg(jsonb_build_array(id, input, waits_for, target) ORDER BY id) FROM tandem.job) AS jobs,
           (SELECT jsonb_agg(jsonb_build_array(no, suite, seed, name) ORDER BY no) FROM tandem.batch) AS batches,
           (SELECT jsonb_agg(jsonb_build_array(id, data, service) ORDER BY id) FROM tandem.target) AS targets`,
        [other],
      ),
    );
  const before = await picture();
  const functions = await users.root.query<{
    name: string;
    types: string[];
    kind: string;
    workers: boolean;
    submitters: boolean;
  }>(
    `SELECT oid::regproc::text AS name, (SELECT coalesce(array_agg(format_type(t, NULL) ORDER BY at), '{}') FROM unnest(proargtypes) WITH ORDINALITY AS a (t, at)) AS types,
       prokind AS kind, has_function_privilege('tandem_worker', oid, 'EXECUTE') AS workers, has_function_privilege('tandem_submitter', oid, 'EXECUTE') AS submitters
     FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND prorettype <> 'trigger'::regtype ORDER BY 1`,
  );
  for (const [who, may] of [
    ["worker", "workers"],
    ["submitter", "submitters"],
  ] as const) {
    const client = await plainClient(users.urlOf(who));
    await client.query("SET statement_timeout = '20s'");
    const own = who === "worker" ? await newWorker(users.worker, "stranger") : randomUUID();
    for (const { name, types, ...rights } of functions.filter((each) => each[may])) {
      expect(rights[may]).toBe(true);
      // What lets the call get far: a worker of its own, a batch and a service that are there.
      const sound = types.map((type, at) => {
        const isFirst = types.indexOf(type) === at;
        if (type === "uuid") return `'${own}'`;
        if (type === "integer") return isFirst ? String(batch) : String(service);
        return values[type]?.[1] ?? "NULL";
      });
      const calls = [
        sound,
        types.map(() => "NULL"),
        ...types.flatMap((type, at) => (values[type] ?? []).map((value) => sound.with(at, value))),
      ];
      for (const call of calls) {
        const sql = `SELECT ${name}(${call.map((value, at) => `${value}::${types[at]}`).join(", ")})`;
        await client.query("BEGIN");
        const error: unknown = await client.query(sql).then(
          () => null,
          (reason: unknown) => reason,
        );
        await client.query(error === null ? "COMMIT" : "ROLLBACK");
        const code =
          error instanceof Error && "code" in error ? String(error.code) : error === null ? "00000" : "no code";
        // A batch may be stopped by whoever may work for it: that is no harm, and the next call needs it.
        await users.root.query("UPDATE tandem.batch SET state = 'running', reason = NULL WHERE state <> 'running'");
        await users.root.query("UPDATE tandem.target SET stopped = NULL WHERE stopped IS NOT NULL");
        tally.tried(sql.slice(0, 150), who, [
          ...(error === null || isRefusal(code) ? [] : [`${code}: ${error instanceof Error ? error.message : ""}`]),
          ...((await picture()) === before ? [] : ["what is of others has changed"]),
        ]);
      }
    }
  }
  expect(tally.through()).toEqual([]);
});
