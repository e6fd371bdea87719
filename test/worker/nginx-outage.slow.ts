import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { freePort, hasNginx, startNginx } from "../e2e/nginx.ts";
import { record, type Received, type Service, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
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
  const processes = await Promise.all(
    Array.from({ length: workers }, (_none, at) => startWorker(url, { args: ["--name", `mill-${at}`], env })),
  );
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
  const db = await openTest(url, 2);
  const service = async () =>
    (
      await db.query<{ since: number | null; looks: number; prober: string | null }>(
        `SELECT away_since AS since, looks, (SELECT w.name FROM tandem.sending s JOIN tandem.worker w ON w.id = s.worker
           WHERE s.batch = probe_batch AND s.job = probe_job AND s.doubt_since IS NULL) AS prober FROM tandem.service`,
      )
    )[0];
  return { nginx, start, stop, tandem, service, state, processes };
}

const ends = (tandem: Tandem): Record<string, number> =>
  Object.fromEntries(
    tandem
      .query<{ outcome: string | null; n: number }>("SELECT outcome, count(*) AS n FROM job GROUP BY outcome")
      .map(({ outcome, n }) => [outcome ?? "unfinished", n]),
  );

const reached = async (received: readonly Received[], count: number): Promise<void> => {
  while (received.length < count) await delay(5);
};

describe.skipIf(!hasNginx)("a service behind a real nginx, over three workers", { timeout: 180_000 }, () => {
  test("is stopped and started again in the middle: every row is answered, and one look at a time costs a request", async () => {
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
    // In flight when it went away, one more, and the looks of six seconds: 0.5, 0.5, 1, 2, 4 s at the longest, half at the shortest.
    expect(wasted.length).toBeLessThanOrEqual(concurrency + 1 + 6);
    expect(out).toContain("prod was down");
  });

  test("is away from the start: five requests, exit 3, and a resume sends the rest", async () => {
    const { nginx, start, tandem, state } = await threeWorkers();
    const { code, err, out } = await tandem.run("run", "suite.yaml", "--workers", "--quiet");
    expect(code, err).toBe(3);
    expect(nginx.statuses()).toEqual(Array(5).fill(502));
    expect(`${out}${err}`).toContain("only the first case was sent");
    await start();
    const resumed = await tandem.run("resume", "--workers", "--quiet");
    expect(resumed.code, resumed.err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    expect(state.received).toHaveLength(rows);
  });

  test("is away while the worker that looks for it is killed: another one does", async () => {
    const { start, stop, tandem, service, state, processes, nginx } = await threeWorkers();
    await start();
    const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--quiet", "--on-in-doubt", "resend");
    await reached(state.received, 50);
    await stop();
    while ((await service())?.since === null) await delay(20);
    // From now on nothing answers: a look hangs at nginx, and its worker dies with it.
    const hanging = await startService(() => ({ act: "hang" }), Number(new URL(state.service?.url ?? "").port));
    let prober: string | null = null;
    while (prober === null) {
      prober = (await service())?.prober ?? null;
      await delay(10);
    }
    processes[Number(prober.slice(-1))]?.child.kill("SIGKILL");
    await hanging.close();
    await start();
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    expect(nginx.statuses().filter((status) => status === 200).length).toBeGreaterThanOrEqual(rows);
  });
});
