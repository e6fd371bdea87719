import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { freePort, hasNginx, startNginx } from "../e2e/nginx.ts";
import { record, type Received, type Service, startService } from "../e2e/service.ts";
import { ends, prompts, Tandem } from "../e2e/tandem.ts";
import { testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const rows = 180;
const concurrency = 6;
const workers = 3;

/** A service behind a real nginx, three workers, and a suite that they send. */
async function threeWorkers() {
  const url = await testDatabase();
  const port = await freePort();
  const nginx = await startNginx(port);
  const state: { service: Service | null; received: Received[] } = { service: null, received: [] };
  const start = async (): Promise<void> => {
    state.service = await startService((received) => {
      state.received.push(received);
      return { ...record(received.prompt), delayMs: 60 };
    }, port);
  };
  const stop = async (): Promise<void> => state.service?.close();
  const env = { TANDEM_API_KEY: "sk-test-0123456789", TANDEM_WORKERS: url };
  await Promise.all(Array.from({ length: workers }, (_none, at) => startWorker(url, { name: `mill-${at}`, env })));
  const tandem = new Tandem()
    .env(env)
    .file("p.csv", prompts(rows))
    .file(
      "suite.yaml",
      `name: desk
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${nginx.url}", api_key_env: TANDEM_API_KEY, concurrency: ${concurrency} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
    );
  return { nginx, start, stop, tandem, state };
}

const reached = async (received: readonly Received[], count: number): Promise<void> => {
  while (received.length < count) await delay(5);
};

describe.skipIf(!hasNginx)("a service behind a real nginx, over three workers", { timeout: 180_000 }, () => {
  test("is stopped and started again in the middle: every row is answered, and each worker wastes no more than one machine would", async () => {
    const { nginx, start, stop, tandem, state } = await threeWorkers();
    await start();
    const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--quiet");
    await reached(state.received, 50);
    await stop();
    await delay(6_000);
    await start();
    const { code, err, out } = await ended;
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    const statuses = nginx.statuses();
    expect(statuses.filter((status) => status === 200)).toHaveLength(rows);
    const wasted = statuses.filter((status) => status !== 200);
    // Each worker finds out for itself. In flight when it went away, one more, and the looks of six seconds: 0.5, 0.5, 1, 2, 4 s
    // at the longest, half at the shortest.
    expect(wasted.length).toBeLessThanOrEqual(concurrency + workers * (1 + 6));
    expect(out).toContain("prod was down");
  });

  test("is away from the start: a few requests, exit 3, and a resume sends the rest", async () => {
    const { nginx, start, tandem, state } = await threeWorkers();
    const { code, err, out } = await tandem.run("run", "suite.yaml", "--workers", "--quiet");
    expect(code, err).toBe(3);
    expect(nginx.statuses().length).toBeLessThanOrEqual(5 * workers);
    expect(`${out}${err}`).toContain("topped after one row");
    await start();
    const resumed = await tandem.run("resume", "--workers", "--quiet");
    expect(resumed.code, resumed.err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    expect(state.received).toHaveLength(rows);
  });
});
