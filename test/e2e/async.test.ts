import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { jobs, known, slow, suite } from "./async-suite.ts";
import { type Reply, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

test("runs are submitted and asked for, hold no slot meanwhile, and are as long as the service says", async () => {
  const deployment = await slow(1_000);
  const tandem = new Tandem()
    .file("p.csv", prompts(12))
    .file("suite.yaml", suite(deployment.baseUrl, "concurrency: 2"));
  const { code, err, out } = await tandem.run("run", "suite.yaml");
  expect(code, err + out).toBe(0);
  expect(deployment.journal.runs).toBe(12);
  expect(jobs(tandem)).toEqual(
    Array.from({ length: 12 }, () =>
      expect.objectContaining({ outcome: "ok", attempts: 1, reattached: 0, runMs: expect.any(Number) }),
    ),
  );
  // A second in standby is no time of the run; three go by until the first question.
  for (const { runMs } of jobs(tandem)) expect(runMs).toBeLessThan(1_000);
  const [line] = tandem.query<{ body: string }>("SELECT body FROM run_record LIMIT 1");
  expect(JSON.parse(line?.body ?? "")).toMatchObject({
    status: "completed",
    output: { output_text: expect.any(Array) },
  });
});

test("a killed process leaves its runs to the next, which asks for them and sends nothing again", async () => {
  const deployment = await slow(2_500);
  const tandem = new Tandem().file("p.csv", prompts(5)).file("suite.yaml", suite(deployment.baseUrl));
  const { child, ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  await known(deployment, tandem, 5);
  child.kill("SIGKILL");
  await ended;
  const { code, err } = await tandem.run("resume");
  expect(code, err).toBe(0);
  expect(err).toContain("5 runs are still at the service: they are asked for, and not sent again");
  expect(deployment.journal.runs).toBe(5);
  expect(
    jobs(tandem).every(({ outcome, attempts, reattached }) => outcome === "ok" && attempts === 1 && reattached === 1),
  ).toBe(true);
  const { out } = await tandem.run("compare", "--json");
  expect(JSON.parse(out)).toMatchObject({ inDoubt: { open: 0, atService: 0, reattached: 5 }, possiblyPaidTwice: 0 });
});

test("a run that the service has forgotten is the only one that is sent again, and is counted", async () => {
  const deployment = await slow(0);
  deployment.faults.set([{ kind: "forgotten", nth: 2 }]);
  const tandem = new Tandem().file("p.csv", prompts(3)).file("suite.yaml", suite(deployment.baseUrl));
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--json");
  expect(code, err).toBe(0);
  expect(deployment.journal.runs).toBe(4);
  expect(JSON.parse(out)).toMatchObject({ possiblyPaidTwice: 1 });
  expect(jobs(tandem).reduce((sum, { attempts }) => sum + attempts, 0)).toBe(4);
});

test("what is open at a kill is the service's whole answer to a submission: at most `concurrency` runs, in doubt, and held where the suite says so", async () => {
  let isHanging = true;
  const service = await startService(({ path }): Reply => {
    if (path.startsWith("/v3/video-bots/status/"))
      return { body: JSON.stringify({ status: "completed", output: { output_text: ["hi"] }, run_time_sec: 1 }) };
    // The run is made; whoever submitted it does not hear of that.
    if (isHanging) return { act: "hang" };
    return { status: 202, body: JSON.stringify({ run_id: `run${service.received.length}`, status_url: "" }) };
  });
  const submitted = (): number => service.received.filter(({ path }) => path.startsWith("/v3/video-bots/async")).length;
  const tandem = new Tandem().file("p.csv", prompts(8)).file("suite.yaml", suite(service.url, "concurrency: 3"));
  const { child, ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  while (submitted() < 3) await sleep(20);
  // However long the answers take, no more leave.
  await sleep(1_000);
  child.kill("SIGKILL");
  await ended;
  expect(submitted()).toBe(3);
  isHanging = false;
  const held = await tandem.run("resume", "--on-in-doubt", "hold");
  expect(held.err).toContain("3 requests in doubt");
  expect(submitted()).toBe(8);
  const sent = await tandem.run("resume", "latest", "--on-in-doubt", "resend");
  expect(sent.code, sent.err).toBe(0);
  expect(submitted()).toBe(11);
  expect(sent.out).toContain("Possibly paid twice: 3 requests");
});

test.each([
  ["retry", 3, 1],
  ["fail", 2, 0],
])(
  "a submission whose answer is lost on its way is sent again and counted, or not, with on_ambiguous: %s",
  async (policy, submissions, twice) => {
    const service = await startService(({ path, prompt, time }): Reply => {
      if (path.startsWith("/v3/video-bots/status/"))
        return { body: JSON.stringify({ status: "completed", output: { output_text: ["hi"] }, run_time_sec: 1 }) };
      if (prompt === "prompt 2" && time === 1) return { act: "reset" };
      return { status: 202, body: JSON.stringify({ run_id: `run${service.received.length}`, status_url: "" }) };
    });
    const tandem = new Tandem()
      .file("p.csv", prompts(2))
      .file("suite.yaml", `${suite(service.url)}on_ambiguous: ${policy}\n`);
    const { out } = await tandem.run("run", "suite.yaml", "--no-preflight", "--json");
    expect(service.received.filter(({ path }) => path.startsWith("/v3/video-bots/async"))).toHaveLength(submissions);
    expect(JSON.parse(out)).toMatchObject({ possiblyPaidTwice: twice });
  },
);
