import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { grantRoles } from "../../src/worker/postgres/roles.ts";
import { submit } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

test("a worker needs no more rights than its role has", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(prompt));
  const batch = await submit(url, service.url, { jobs: 20 });
  const db = await openTest(url);
  await grantRoles(db);
  const user = `mill_${new URL(url).pathname.slice(3)}`;
  await db.query(`CREATE USER ${user} IN ROLE tandem_worker`);
  const own = new URL(url);
  own.username = user;
  const worker = await startWorker(own.href);
  await batch.finished();
  expect((await batch.books()).attempts).toEqual({ ok: 20 });
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(143);
  expect(worker.err()).not.toMatch(/right|denied/);
  await db.query(`DROP USER ${user}`);
});
