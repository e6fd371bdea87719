import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startGateway } from "../e2e/gateway.ts";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { deskOf, receives, twice } from "./desk.ts";
import { startWorker } from "./worker-process.ts";
import { ends } from "../e2e/tandem.ts";

/** The most of these moments that lie within a second. */
function worstSecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

describe("limits over workers, as the service counts them", () => {
  test("three workers share 50 in flight at the moment of leaving: the service never sees 51", async () => {
    const url = await testDatabase();
    let delayMs = 40;
    const service = await startService(({ prompt }) => ({
      ...record(prompt),
      delayMs: (delayMs = (delayMs % 97) + 13),
    }));
    const tandem = deskOf(url, service, { jobs: 2_000, concurrency: 50 });
    await startWorker(url);
    const run = tandem.run("run", "suite.yaml", "--workers");
    // They come while it goes on: what the first one has is to become less before they get any of it.
    await startWorker(url);
    await startWorker(url);
    const { code, err } = await run;
    expect({ code, err }).toEqual({ code: 0, err });
    expect(service.most).toBeLessThanOrEqual(50);
    expect(twice(service)).toEqual([]);
    expect(ends(tandem)).toEqual({ ok: 2_000 });
  });

  test("two who submit at the same time share one set of limits, and so do two deployments with one key", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 50 }));
    const desks = [1, 2].map(() =>
      deskOf(url, service, { jobs: 120, concurrency: 6 }).file(
        "suite.yaml",
        `name: both
dataset: prompts.csv
case: { key: id }
deployments:
  prod: { base_url: "${service.url}", concurrency: 6 }
  test: { base_url: "${service.url}", concurrency: 6 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: b }
`,
      ),
    );
    await Promise.all([startWorker(url), startWorker(url)]);
    const all = await Promise.all(desks.map((desk) => desk.run("run", "suite.yaml", "--workers", "--no-preflight")));
    for (const { code, err } of all) expect({ code, err }).toEqual({ code: 0, err });
    expect(service.received.length).toBe(480);
    expect(service.most).toBeLessThanOrEqual(6);
  });

  test("two deployments with one key wait for their service each as long as it says, at one worker", async () => {
    const url = await testDatabase();
    const gateway = await startGateway({ answer: ({ prompt }) => ({ ...record(prompt), delayMs: 50 }) });
    const deployment = (wait: string): string =>
      `{ base_url: "${gateway.url}", concurrency: 4, wait_for_service: ${wait} }`;
    const tandem = deskOf(url, gateway, { jobs: 40 }).file(
      "suite.yaml",
      `name: waits
dataset: prompts.csv
case: { key: id }
deployments: { patient: ${deployment("60s")}, quick: ${deployment("1s")} }
targets:
  patient: { deployment: patient, endpoint: video-bots, example_id: a }
  quick: { deployment: quick, endpoint: video-bots, example_id: b }
`,
    );
    await startWorker(url);
    const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--no-preflight");
    await receives(gateway, 20);
    gateway.isDown = true;
    await delay(5_000);
    gateway.isDown = false;
    const { code, err } = await ended;
    expect(code, err).toBe(3);
    const answered = `SELECT target.name, count(*) AS n FROM job JOIN target ON target.id = job.target_id WHERE job.outcome = 'ok' GROUP BY 1 ORDER BY 1`;
    const [patient, quick] = tandem.query<{ n: number }>(answered);
    expect(patient?.n, err).toBe(40);
    expect(quick?.n ?? 0).toBeLessThan(40);
    expect(err).toMatch(/stopped.*quick.*: a gateway answered 502/);
  });

  test("a rate of 20 a second lets at most 22 through in the worst second", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 30 }));
    const tandem = deskOf(url, service, { jobs: 160, concurrency: 20, deployment: ", rate: 20/s" });
    await Promise.all([startWorker(url), startWorker(url), startWorker(url)]);
    const { code, err } = await tandem.run("run", "suite.yaml", "--workers", "--no-preflight");
    expect({ code, err }).toEqual({ code: 0, err });
    expect(worstSecond(service.received.map(({ at }) => at))).toBeLessThanOrEqual(22);
    expect(twice(service)).toEqual([]);
  });
});
