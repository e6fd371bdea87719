import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../postgres.ts";
import { startWorker } from "../workers/worker-process.ts";
import { record, type Service, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

type Ended = Awaited<ReturnType<Tandem["run"]>>;

const onGithub = { TANDEM_API_KEY: "sk-test-0123456789", GITHUB_ACTIONS: "true" };
const atOnce = 64;
const quick = 60;
const rows = 300;
/** Longer than GitHub gives a job that is cancelled. */
const slowMs = 30_000;

/** Cancels as GitHub does: SIGINT, 7.5 s later SIGTERM, and 2.5 s later the process is killed. Returns the seconds that its end took. */
async function cancel(child: ChildProcess, ended: Promise<Ended>): Promise<Ended & { seconds: string }> {
  const began = performance.now();
  let isOver = false;
  const over = ended.then((end) => {
    isOver = true;
    return { ...end, seconds: ((performance.now() - began) / 1_000).toFixed(1) };
  });
  child.kill("SIGINT");
  await Promise.race([over, delay(7_500)]);
  if (!isOver) child.kill("SIGTERM");
  await Promise.race([over, delay(2_500)]);
  if (!isOver) child.kill("SIGKILL");
  return over;
}

const suite = (url: string, judge: string | null): string => `name: cancelled
dataset: prompts.csv
case: { key: id }
deployments:
  prod: { base_url: "${url}", concurrency: ${atOnce} }
${judge === null ? "" : `  bench: { base_url: "${judge}", concurrency: ${atOnce} }\n`}targets: { one: { deployment: prod, endpoint: video-bots, example_id: a } }
${judge === null ? "" : "judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }\nscorers: [{ name: helpful, type: judge, target: strict }]\n"}`;

/** Prompts that were sent more than once. */
const twice = ({ received }: Service): string[] => {
  const times = Map.groupBy(received, ({ prompt }) => prompt);
  return [...times].flatMap(([prompt, all]) => (all.length > 1 ? [prompt] : []));
};

const finished = (tandem: Tandem): number => tandem.query("SELECT 1 FROM job WHERE outcome = 'ok'").length;

/** The end of a command that was cancelled: not killed, with the report of what there is, which says how it goes on. */
function expectKept(
  tandem: Tandem,
  { code, signal, out, err, seconds }: Ended & { seconds: string },
  what: string,
): void {
  expect(signal, `${what}: ${seconds} s\n${out}${err}`).toBe(null);
  expect([130, 143]).toContain(code);
  expect(`${out}${err}`).toContain("tandem resume");
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
  for (const file of ["report.html", "report.md", "report.json", "junit.xml"])
    expect(tandem.has(`results/${batch?.name}/${file}`), file).toBe(true);
}

/** A bot that answers some at once, and the others after longer than a cancelled job lives. */
async function bot(more: { quick?: number } = {}) {
  const state = { isSlow: true };
  const service: Service = await startService(({ prompt }) => ({
    ...record(`said ${prompt}`),
    delayMs: state.isSlow && service.received.length > (more.quick ?? quick) ? slowMs : 5,
  }));
  return { service, state };
}

const inFlight = async (service: Service): Promise<void> => {
  while (service.running < atOnce) await delay(20);
  // What had come before is entered by then.
  await delay(500);
};

describe("a job that is cancelled with 64 requests in flight", () => {
  test("keeps what was answered, and sends none of it again", async () => {
    const { service, state } = await bot();
    const tandem = new Tandem()
      .env(onGithub)
      .alone()
      .file("prompts.csv", prompts(rows))
      .file("suite.yaml", suite(service.url, null));
    const { child, ended } = tandem.start("run", "suite.yaml");
    await inFlight(service);
    expectKept(tandem, await cancel(child, ended), "a bot");
    const kept = finished(tandem);
    expect(kept).toBeGreaterThanOrEqual(quick - 1);
    state.isSlow = false;
    const before = service.received.length;
    const resumed = await tandem.run("resume");
    expect(resumed.code, resumed.err).toBe(0);
    expect(finished(tandem)).toBe(rows);
    // Only what was in flight may be sent twice, and nothing that had ended.
    expect(twice(service).length).toBeLessThanOrEqual(atOnce);
    expect(service.received.length - before).toBe(rows - kept);
  });

  test("keeps answers and grades where judges are asked", async () => {
    const { service } = await bot({ quick: rows + 1 });
    const grade = record('{"score": 1, "verdict": "C", "reason": "fine"}').body ?? "";
    const judging = { isSlow: true };
    const judge: Service = await startService(() => ({
      body: grade.replace(/"id":"\w+"/, () => `"id":"${String(judge.received.length).padStart(12, "j")}"`),
      delayMs: judging.isSlow && judge.received.length > quick ? slowMs : 5,
    }));
    const tandem = new Tandem()
      .env(onGithub)
      .alone()
      .file("prompts.csv", prompts(rows))
      .file("suite.yaml", suite(service.url, judge.url));
    const { child, ended } = tandem.start("run", "suite.yaml");
    await inFlight(judge);
    expectKept(tandem, await cancel(child, ended), "judges");
    judging.isSlow = false;
    const before = judge.received.length;
    const resumed = await tandem.run("resume");
    expect([0, 1, 4], resumed.err).toContain(resumed.code);
    expect(service.received).toHaveLength(rows);
    expect(twice(judge).length).toBeLessThanOrEqual(atOnce);
    expect(judge.received.length - before).toBeLessThanOrEqual(rows - quick + 2);
  });

  test("leaves the rest to the workers where they send, and a resume brings it", async () => {
    const url = await testDatabase();
    const { service, state } = await bot();
    const env = { ...onGithub, TANDEM_WORKERS: url };
    await startWorker(url, { env });
    await startWorker(url, { env });
    const tandem = new Tandem()
      .env(env)
      .alone()
      .file("prompts.csv", prompts(rows))
      .file("suite.yaml", suite(service.url, null));
    const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
    await inFlight(service);
    expectKept(tandem, await cancel(child, ended), "workers");
    state.isSlow = false;
    const resumed = await tandem.run("resume", "--workers");
    expect(resumed.code, resumed.err).toBe(0);
    expect(finished(tandem)).toBe(rows);
    expect(twice(service)).toEqual([]);
    expect(service.received).toHaveLength(rows);
  });
});
