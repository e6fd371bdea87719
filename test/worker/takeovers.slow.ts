import { expect, test } from "vitest";
import { jobs, slow, suite as asyncSuite, taken } from "../e2e/async-suite.ts";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const env = { TANDEM_API_KEY: "sk-test-0123456789" };

const outcomes = (tandem: Tandem) =>
  tandem.query("SELECT kind, outcome, count(*) AS jobs FROM job GROUP BY 1, 2 ORDER BY 1, 2");

test("runs that a service has taken are asked for by another worker when theirs is killed, and not sent again", async () => {
  const url = await testDatabase();
  const deployment = await slow(4_000);
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file("p.csv", prompts(6))
    .file("suite.yaml", asyncSuite(deployment.baseUrl));
  const mortal = await startWorker(url, { env });
  const { ended } = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
  await taken(deployment, 6);
  mortal.child.kill("SIGKILL");
  await startWorker(url, { env });
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err });
  expect(deployment.journal.runs).toBe(6);
  expect(jobs(tandem)).toEqual(
    Array.from({ length: 6 }, () => expect.objectContaining({ outcome: "ok", attempts: 1, reattached: 1 })),
  );
});

test("a worker that is killed in the middle of conversations leaves them to another, which goes on with what was said", async () => {
  const url = await testDatabase();
  const service = await startService(({ body }) => ({ ...record(`reply to ${body.length}`), delayMs: 150 }));
  const rows = Array.from(
    { length: 10 },
    (_none, index) => `talk-${index},"[""one ${index}"",""two"",""three"",""four""]"`,
  );
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file(
      "suite.yaml",
      `name: talks
dataset: talks.csv
case: { key: id, turns: script }
deployments: { prod: { base_url: "${service.url}", concurrency: 3 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
    )
    .file("talks.csv", `id,script\n${rows.join("\n")}\n`);
  const mortal = await startWorker(url, { env });
  const { ended } = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
  await expect.poll(() => service.received.length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(14);
  mortal.child.kill("SIGKILL");
  await startWorker(url, { env });
  const { code, err } = await ended;
  const lost = tandem.query<{ key: string }>(
    `SELECT "case".key FROM job JOIN "case" ON "case".id = case_id WHERE outcome = 'held'`,
  );
  expect({ code, err }).toEqual({ code: 4, err });
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThanOrEqual(3);
  const sent = service.received.length;
  const { code: later, err: reported } = await tandem.run("resume", "latest", "--workers", "--on-in-doubt", "resend");
  expect({ code: later, err: reported }).toEqual({ code: 0, err: reported });
  expect(outcomes(tandem)).toEqual([{ kind: "case", outcome: "ok", jobs: 40 }]);
  expect(service.received.length).toBe(40 + lost.length);
  expect(sent).toBeLessThan(40);
  const turns = service.received.map(
    ({ body }) => (JSON.parse(body) as { messages?: unknown[] }).messages?.length ?? 0,
  );
  for (const turn of [0, 2, 4, 6]) expect(turns.filter((count) => count === turn).length).toBeGreaterThanOrEqual(10);
});

test("a worker that is killed while it asks a judge leaves its questions in doubt, named, until a resume decides", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(`answer to ${prompt}`));
  const judge = await startService(() => ({
    ...record('{"score": 1, "verdict": "C", "reason": "fine"}'),
    delayMs: 300,
  }));
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file(
      "suite.yaml",
      `name: judged
dataset: p.csv
case: { key: id }
deployments:
  prod: { base_url: "${service.url}", concurrency: 4 }
  bench: { base_url: "${judge.url}", concurrency: 3 }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict }]
`,
    )
    .file("p.csv", prompts(24));
  const mortal = await startWorker(url, { env });
  const { ended } = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
  await expect.poll(() => judge.received.length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(6);
  mortal.child.kill("SIGKILL");
  await startWorker(url, { env });
  const { code, err, out } = await ended;
  expect({ code, err }).toEqual({ code: 0, err });
  const held = tandem.query("SELECT 1 FROM job WHERE outcome = 'held'").length;
  expect(out.replaceAll(/\s+/g, " ")).toMatch(/tandem resume judged-\S+ --workers --on-in-doubt resend/);
  expect(out).toMatch(new RegExp(`In doubt: ${held} jobs? \\(${held} held back\\)`));
  const { code: later, err: reported } = await tandem.run("resume", "latest", "--workers", "--on-in-doubt", "resend");
  expect({ code: later, err: reported }).toEqual({ code: 0, err: reported });
  expect(outcomes(tandem)).toEqual([
    { kind: "case", outcome: "ok", jobs: 24 },
    { kind: "judge", outcome: "ok", jobs: 24 },
  ]);
  // What was marked and had not left when the worker was killed has not arrived twice.
  expect(judge.received.length).toBeGreaterThanOrEqual(24);
  expect(judge.received.length).toBeLessThanOrEqual(24 + held);
  expect(service.received.length).toBe(24);
});

test.each([
  { what: "the suite", line: "on_in_doubt: resend", flags: [] },
  { what: "the command", line: "repeats: 1", flags: ["--on-in-doubt", "resend"] },
])("what a killed worker had in flight is sent again, once, where $what says so", async ({ line, flags }) => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 300 }));
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file(
      "suite.yaml",
      `name: again
dataset: p.csv
case: { key: id }
${line}
deployments: { prod: { base_url: "${service.url}", concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
    )
    .file("p.csv", prompts(30));
  const mortal = await startWorker(url, { env });
  const { ended } = tandem.start("run", "suite.yaml", "--workers", ...flags);
  await expect.poll(() => service.received.length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(6);
  mortal.child.kill("SIGKILL");
  await startWorker(url, { env });
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err });
  expect(outcomes(tandem)).toEqual([{ kind: "case", outcome: "ok", jobs: 30 }]);
  const [{ doubts } = { doubts: -1 }] = tandem.query<{ doubts: number }>(
    "SELECT count(*) AS doubts FROM attempt WHERE outcome = 'in-doubt' AND possibly_paid = 1",
  );
  expect(doubts).toBeGreaterThan(0);
  expect(service.received.length).toBeLessThanOrEqual(30 + doubts);
});
