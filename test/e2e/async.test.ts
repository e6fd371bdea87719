import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";
import { serve } from "../deployment/served.ts";
import { startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const bots = { "bots/a.yaml": "greeting: Good day.\n" };

const suite = (url: string, more = ""): string => `name: later
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY, ${more} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a, mode: async } }
`;

interface Booked {
  key: string;
  outcome: string | null;
  attempts: number;
  reattached: number;
  runMs: number | null;
}

const jobs = (tandem: Tandem): Booked[] =>
  tandem.query(`SELECT "case".key, job.outcome, (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS attempts,
    coalesce(attempt.reattached, 0) AS reattached, attempt.run_ms AS runMs
    FROM job JOIN "case" ON "case".id = job.case_id
    LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt ORDER BY job.id`);

/** A deployment whose runs wait for so long. */
const slow = (standbyMs: number): Promise<RunningDeployment> =>
  serve({ ...bots, "deployment.yaml": `async: { standby_ms: ${standbyMs} }\njournal: true\n` });

/** Waits until so many runs have been taken. */
async function taken(deployment: RunningDeployment, runs: number): Promise<void> {
  while (deployment.journal.runs < runs) await sleep(10);
  await sleep(100);
}

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
  await taken(deployment, 5);
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

test("a run that does not end in time is left at the service, told, and asked for by a resume", async () => {
  const deployment = await slow(0);
  deployment.faults.set([{ kind: "standby", prompt: "prompt 2" }]);
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(deployment.baseUrl, "timeout: 4s"));
  const first = await tandem.run("run", "suite.yaml");
  expect(first.code).toBe(3);
  expect(first.out).toContain("1 run is still going on at the service, longer than the timeout of 4 s");
  expect(first.out).toContain("tandem resume");
  const again = await tandem.run("resume");
  expect(again.err).toContain("1 run is still at the service");
  expect(deployment.journal.runs).toBe(2);
  expect(new Set(jobs(tandem).map(({ outcome }) => outcome))).toEqual(new Set(["ok", null]));
});

test("runs that fail, with a code and without, have the same outcomes as those that are waited for", async () => {
  const deployment = await slow(0);
  deployment.faults.set([{ kind: "500-run", prompt: "prompt 1", text: "model is down" }]);
  const tandem = new Tandem().file("p.csv", prompts(1)).file("suite.yaml", suite(deployment.baseUrl, "retries: 0"));
  await tandem.run("run", "suite.yaml", "--no-preflight");
  expect(tandem.query("SELECT outcome, error, id FROM attempts")).toEqual([
    { outcome: "run-failed", error: "model is down", id: expect.stringMatching(/^[a-z0-9]{12}$/) },
  ]);
  deployment.faults.set([{ kind: "402-run" }]);
  const broke = new Tandem().file("p.csv", prompts(1)).file("suite.yaml", suite(deployment.baseUrl));
  expect((await broke.run("run", "suite.yaml", "--no-preflight")).code).toBe(3);
  expect(broke.query("SELECT outcome FROM attempts")).toEqual([{ outcome: "credits" }]);
});

test("a reply without a run id is not taken for a run", async () => {
  const service = await startService(() => ({ status: 202, body: '{"status_url":"https://elsewhere.example/"}' }));
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(service.url));
  const { code, out } = await tandem.run("run", "suite.yaml");
  expect(code).toBe(3);
  expect(out).toContain('without a "run_id"');
  expect(service.received).toHaveLength(1);
});

test("an output that is told once is committed before anything else", async () => {
  const deployment = await slow(0);
  const tandem = new Tandem()
    .file("p.csv", prompts(2))
    .file(
      "suite.yaml",
      suite(deployment.baseUrl).replace("mode: async", "mode: async, body: { settings: { retention_policy: delete } }"),
    );
  expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
  const said = tandem.query<{ text: string }>("SELECT body ->> '$.output.output_text[0]' AS text FROM run_record");
  expect(said.every(({ text }) => text.length > 0)).toBe(true);
});

test("a database that is taken away while runs are going on ends the command, and asks no more", async () => {
  const deployment = await slow(60_000);
  const tandem = new Tandem().file("p.csv", prompts(3)).file("suite.yaml", suite(deployment.baseUrl));
  const { ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  await taken(deployment, 3);
  tandem.remove("results");
  const { code, err } = await ended;
  expect(code).toBe(3);
  expect(err).toContain("was deleted or moved away");
  expect(deployment.asyncRuns.polls).toBeLessThan(12);
});
