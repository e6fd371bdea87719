import { expect, onTestFinished } from "vitest";
import { slowTest } from "../often.ts";
import { openWorker } from "../../src/worker/serve/open-worker.ts";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { temporaryFolder } from "../store/batch.ts";
import { submit } from "./submitted.ts";

slowTest(
  "A worker has its next slice before the last one is used up, also where that takes less time than between two looks",
  async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 30 }));
    const batch = await submit(url, service.url, { jobs: 160, slice: 20, deployment: { concurrency: 4 } });
    // Notes of each chunk that is opened how many jobs its worker has left in others.
    await batch.db.query(`CREATE TABLE tandem.opened (others bigint);
    CREATE FUNCTION tandem.note_opened() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO tandem.opened SELECT coalesce(sum(jobs - done), 0) FROM tandem.slice WHERE worker = NEW.worker AND id <> NEW.id;
      RETURN NEW;
    END $$;
    CREATE TRIGGER note BEFORE UPDATE OF worker ON tandem.slice FOR EACH ROW EXECUTE FUNCTION tandem.note_opened()`);
    const worker = await openWorker({
      url,
      name: "mill",
      deployments: [],
      addresses: [],
      folder: temporaryFolder(),
      accessOf: async ({ baseUrl }) => ({ baseUrl, key: null, within: "" }),
      tell: () => undefined,
    });
    const running = worker.run();
    onTestFinished(async () => {
      worker.stop("the test has ended");
      await running;
    });
    await batch.finished();
    const [found] = await batch.db.query<{ early: number; all: number }>(
      "SELECT count(*) FILTER (WHERE others > 0) AS early, count(*) AS all FROM tandem.opened",
    );
    expect(found?.all).toBe(8);
    expect(found?.early).toBeGreaterThan(4);
  },
);
