import { expect, test } from "vitest";
import { settle } from "../../src/worker/postgres/settle.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { fileDatabase } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase(1);

test("Leave and results are statements that the server has read before, also when their functions are made anew", async () => {
  const db = database();
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { jobs: 2 });
  const both = async (job: number): Promise<void> => {
    const reported = await take(db, { worker, token: `${job}`, batch, service, jobs: [{ job, number: 1 }] });
    expect(reported.granted).toEqual([job]);
    expect(await settle(db, worker, [answer(batch, job)])).toEqual(["landed"]);
  };
  await both(1);
  expect(await db.query("SELECT name FROM pg_prepared_statements ORDER BY name")).toEqual([
    { name: "settle" },
    { name: "take" },
  ]);
  const made = await db.query<{ name: string; text: string }>(
    `SELECT oid::regprocedure::text AS name, pg_get_functiondef(oid) AS text FROM pg_proc
     WHERE pronamespace = 'tandem'::regnamespace AND proname IN ('settle', 'take')`,
  );
  for (const { name, text } of made) {
    await db.query(`DROP FUNCTION ${name}`);
    await db.query(text);
  }
  await both(2);
});
