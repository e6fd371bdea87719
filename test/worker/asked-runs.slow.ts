import { expect, test } from "vitest";
import { type Received, type Reply, startService } from "../e2e/service.ts";
import { suite } from "../e2e/async-suite.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const concurrency = 4;

/** A service that takes runs, and a gateway before it that answers in its place while it is away. */
async function takingRuns() {
  const first = "run000000001";
  const state = { isDown: false, isHeld: true, submitted: 0, refused: 0, asked: 0, askedInVain: 0 };
  const submit = (): Reply => {
    state.submitted += 1;
    if (state.isDown) {
      state.refused += 1;
      return { status: 502 };
    }
    const id = `run${String(state.submitted - state.refused).padStart(9, "0")}`;
    return {
      body: JSON.stringify({ run_id: id, created_at: "2026-11-20T19:30:12+00:00", web_url: "https://x.test/" }),
    };
  };
  const tell = (path: string): Reply => {
    state.asked += 1;
    if (state.isDown) {
      state.askedInVain += 1;
      return { status: 502 };
    }
    const id = new URL(path, "http://x").searchParams.get("run_id") ?? "";
    // All others wait for the first one.
    const isOver = !state.isHeld || id === first;
    return {
      body: JSON.stringify({
        run_id: id,
        status: isOver ? "completed" : "running",
        ...(isOver && { output: { output_text: ["hi"], raw_output_text: ["hi"], finish_reason: ["stop"] } }),
      }),
    };
  };
  const service = await startService(({ path, body }: Received) => (body === "" ? tell(path) : submit()));
  return { service, state };
}

async function overWorkers(more: string) {
  const url = await testDatabase();
  const { service, state } = await takingRuns();
  const env = { TANDEM_API_KEY: "sk-test-0123456789", TANDEM_WORKERS: url };
  await startWorker(url, { env });
  await startWorker(url, { env });
  const tandem = new Tandem()
    .env(env)
    .file("p.csv", prompts(40))
    .file("suite.yaml", suite(service.url, `concurrency: ${concurrency}, ${more}`));
  const db = await openTest(url, 1);
  const away = async () =>
    (await db.query<{ since: number | null }>("SELECT away_since AS since FROM tandem.service"))[0]?.since ?? null;
  const open = async () =>
    (await db.query<{ n: number }>("SELECT count(*)::integer AS n FROM tandem.sending WHERE run_id IS NOT NULL"))[0]?.n;
  return { tandem, state, away, open };
}

const within = { timeout: 60_000, interval: 20 };

test("the questions for runs tell all workers that a service is away, look for it in the place of a paid request, and find it again", async () => {
  const { tandem, state, away, open } = await overWorkers("");
  const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--quiet");
  await expect.poll(() => state.submitted, within).toBe(40);
  await expect.poll(open, within).toBe(39);
  state.isDown = true;
  // Nothing is submitted any more: only questions can tell.
  await expect.poll(away, within).not.toBe(null);
  const asked = state.askedInVain;
  await expect.poll(() => state.askedInVain, within).toBeGreaterThan(asked + 3);
  state.isHeld = false;
  state.isDown = false;
  await expect.poll(away, within).toBe(null);
  const { code, err, out } = await ended;
  expect(code, err).toBe(0);
  expect(out).toContain("prod was down");
  expect([state.submitted, state.refused]).toEqual([40, 0]);
});

test("a service that goes away while jobs wait gets no paid request before a question has found it", async () => {
  const { tandem, state, away } = await overWorkers("rate: 120/m");
  const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--quiet");
  await expect.poll(() => state.submitted, within).toBeGreaterThan(10);
  state.isDown = true;
  await expect.poll(away, within).not.toBe(null);
  const { submitted, askedInVain } = state;
  await expect.poll(() => state.askedInVain, within).toBeGreaterThan(askedInVain + 8);
  // What had leave by then; no request looks for it.
  expect(state.submitted - submitted).toBeLessThanOrEqual(1);
  state.isHeld = false;
  state.isDown = false;
  const { code, err } = await ended;
  expect(code, err).toBe(0);
  expect(state.refused).toBeLessThanOrEqual(concurrency + 1);
  expect(state.submitted).toBe(40 + state.refused);
});

test("a service that does not come back is given up by what only asks: exit 3, and a resume asks again and sends nothing twice", async () => {
  const { tandem, state, open } = await overWorkers("wait_for_service: 8s");
  const { ended } = tandem.begin("run", "suite.yaml", "--workers");
  await expect.poll(() => state.submitted, within).toBe(40);
  await expect.poll(open, within).toBe(39);
  state.isDown = true;
  const { code, err } = await ended;
  expect(code, err).toBe(3);
  expect(err).toContain("a gateway answered 502");
  state.isDown = false;
  state.isHeld = false;
  const resumed = await tandem.run("resume", "--workers", "--quiet");
  expect(resumed.code, `${resumed.out}${resumed.err}`).toBe(0);
  expect(state.submitted).toBe(40);
});
