import { expect, test } from "vitest";
import { jobs, known, slow, suite } from "./async-suite.ts";
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
