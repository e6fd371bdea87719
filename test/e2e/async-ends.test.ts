import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { jobs, known, slow, suite } from "./async-suite.ts";
import { startService } from "./service.ts";
import { flat, prompts, Tandem } from "./tandem.ts";

test("a run that does not end in time is left at the service, told, and asked for by a resume", async () => {
  const deployment = await slow(0);
  deployment.faults.set([{ kind: "standby", prompt: "prompt 2" }]);
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(deployment.baseUrl, "timeout: 4s"));
  const first = await tandem.run("run", "suite.yaml");
  expect(first.code).toBe(3);
  expect(flat(first.out)).toContain("1 run is still going on at the service, longer than the timeout of 4 s");
  expect(first.out).toContain("tandem resume");
  const again = await tandem.run("resume");
  expect(again.err).toContain("1 run is still at the service");
  expect(deployment.journal.runs).toBe(2);
  expect(new Set(jobs(tandem).map(({ outcome }) => outcome))).toEqual(new Set(["ok", null]));

  const shown = await tandem.run("batches", "show");
  expect(shown.out).toContain("1 run was submitted and not fetched: `tandem resume later-");
  expect(shown.out).toContain("/v3/video-bots/async  example_id a");
  const name = JSON.parse((await tandem.run("batches", "show", "--json")).out) as { name: string; atService: number };
  expect(name.atService).toBe(1);
  const refused = await tandem.run("batches", "remove", name.name, "--yes");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining("cannot be removed: 1 run of it was submitted and not fetched"),
  ]);
  const pruned = await tandem.run("batches", "prune", "--keep", "0", "--yes");
  expect([pruned.code, pruned.out]).toEqual([0, expect.stringContaining("Nothing is to be removed.")]);
  expect((await tandem.run("batches", "remove", name.name, "--yes", "--lose-runs")).code).toBe(0);
  expect(tandem.query("SELECT 1 FROM batch")).toEqual([]);
});

test("a run that has not ended within the time of its job is given up as an error, and may have been paid", async () => {
  const deployment = await slow(0);
  deployment.faults.set([{ kind: "standby", prompt: "prompt 1" }]);
  const times = "timeout: 4s, job_timeout: 5s, retries: 2";
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(deployment.baseUrl, times));
  expect((await tandem.run("run", "suite.yaml", "--no-preflight")).code).toBe(3);
  const again = await tandem.run("resume");
  expect(tandem.query("SELECT case_key AS key, outcome, possibly_paid AS paid FROM attempts ORDER BY 1")).toEqual([
    { key: "k1", outcome: "ambiguous", paid: 1 },
    { key: "k2", outcome: "ok", paid: 0 },
  ]);
  expect(flat(again.out)).toContain("has not ended within the time of its job (job_timeout)");
  expect(deployment.journal.runs).toBe(2);
  expect((await tandem.run("resume")).err).toContain("is finished");
});

slowTest("no more than 2,000 runs are open at a time", async () => {
  const deployment = await slow(60_000);
  const tandem = new Tandem()
    .file("p.csv", prompts(2_100))
    .file("suite.yaml", suite(deployment.baseUrl, "concurrency: 50"));
  const { child, ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  await known(deployment, tandem, 2_000);
  await sleep(1_500);
  child.kill("SIGKILL");
  await ended;
  // Those whose submissions were on their way when the last of them was taken are open too.
  expect(deployment.journal.runs).toBeLessThan(2_050);
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
  const { ended } = tandem.begin("run", "suite.yaml", "--no-preflight");
  await known(deployment, tandem, 3);
  tandem.remove("results");
  const { code, err } = await ended;
  expect(code).toBe(3);
  expect(err).toContain("was deleted or moved away");
  expect(deployment.asyncRuns.polls).toBeLessThan(12);
});
