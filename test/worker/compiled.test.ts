import { expect, test } from "vitest";
import { openPostgres } from "../../src/worker/postgres/connection.ts";
import { remoteProgress, workersNow } from "../../src/worker/postgres/watch.ts";
import { fetchChunks, putChunks, chunkQueue } from "../../src/worker/postgres/queues.ts";
import { loadChunk } from "../../src/worker/postgres/chunk.ts";
import { openWork } from "../../src/worker/postgres/open-work.ts";
import { settle, settleAndTake } from "../../src/worker/postgres/settle.ts";
import { giveBack, take } from "../../src/worker/postgres/take.ts";
import { beat, reap } from "../../src/worker/postgres/workers.ts";
import { openTest, ownServer } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";
import { plainClient } from "./users.ts";

/** The package has no compiler: only a PostgreSQL of the machine shows what is compiled (`installed` in `vitest.config.ts`). */
const hasCompiler = process.env["TANDEM_TEST_SERVER"] === "installed";

test.skipIf(!hasCompiler)("no statement of workers is compiled (JIT), whatever session it comes from", async () => {
  const server = await ownServer([
    "shared_preload_libraries='pg_stat_statements'",
    "pg_stat_statements.track=all",
    // Everything is worth compiling here: by default what seems to be long, as all does that is kept from a scan.
    "jit=on",
    "jit_above_cost=0",
  ]);
  const looker = await openPostgres(server.url("tandem"), { most: 1, applicationName: "looker" });
  await looker.query("CREATE EXTENSION pg_stat_statements SCHEMA public");
  const compiled = async (): Promise<string[]> => {
    const rows = await looker.query<{ query: string }>(
      "SELECT query FROM public.pg_stat_statements WHERE jit_functions > 0 ORDER BY 1",
    );
    return rows.map(({ query }) => query.slice(0, 60));
  };
  const db = await openTest(server.url("tandem"));
  const { batch, service } = await runningBatch(db, {
    jobs: 40,
    rate: { count: 1_000, windowMs: 1_000 },
    concurrency: 40,
  });
  const queue = chunkQueue({ service, deployment: "prod", version: "0.0.0" });
  await putChunks(db, queue, batch, [1]);
  const worker = await newWorker(db);
  await fetchChunks(db, queue, 1);
  expect((await loadChunk(db, { batch, slice: 1, worker }))?.jobs).toHaveLength(40);
  const asked = (first: number, count: number): { job: number; number: number }[] =>
    Array.from({ length: count }, (_none, at) => ({ job: first + at, number: 1 }));
  for (let call = 0; call < 8; call += 1) {
    const mine = { worker, token: `${call}`, batch, service };
    await take(db, { ...mine, jobs: asked(1 + call * 4, 2) });
    await settle(db, worker, [answer(batch, 1 + call * 4)]);
    await settleAndTake(db, [answer(batch, 2 + call * 4)], {
      ...mine,
      token: `${call}+`,
      jobs: asked(3 + call * 4, 1),
    });
    await giveBack(db, { ...mine, jobs: asked(3 + call * 4, 1) });
  }
  await beat(db, worker);
  await reap(db, { deadAfterMs: 15_000 });
  await openWork(db);
  await workersNow(db);
  await remoteProgress(db, batch);
  expect(await compiled()).toEqual([]);

  // As behind a pooler that gives each statement another session: the call is compiled, and nothing within.
  const strange = await plainClient(server.url("tandem"));
  await strange.query(`SELECT tandem.take('${worker}', 'strange', ${batch}, ${service}, '{36}', '{1}')`);
  expect(await compiled()).toEqual([expect.stringMatching(/^SELECT tandem\.take\(\$1/)]);
  await looker.close();
});
