import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const env = { TANDEM_API_KEY: "sk-test-0123456789" };

/** A database that its owner, no superuser, has set up by the command, and users made by the statements that it prints. */
async function setUp() {
  const url = await testDatabase({ isEmpty: true });
  const root = await openTest(url);
  const mark = randomUUID().slice(0, 8);
  await root.query(`CREATE USER ada_${mark}`);
  await root.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ada_${mark}`);
  const as = (user: string): string => {
    const own = new URL(url);
    own.username = `${user}_${mark}`;
    return own.href;
  };
  const { code, out, err } = await new Tandem().env({ TANDEM_WORKERS: as("ada") }).run("workers", "setup");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(out).not.toContain("superuser");
  const made = [...out.matchAll(/CREATE USER (\w+) LOGIN PASSWORD '...' IN ROLE (tandem_\w+);/g)];
  expect(made.map(([, , role]) => role)).toEqual(["tandem_worker", "tandem_submitter"]);
  const users = [
    ...made.map(([statement, user]) => ({ statement, user })),
    { statement: "CREATE USER nobody LOGIN;", user: "nobody" },
  ];
  for (const { statement, user } of users) {
    await root.query(statement.replace(`USER ${user}`, `USER ${user}_${mark}`));
    onTestFinished(async () => void (await root.query(`DROP USER ${user}_${mark}`)));
  }
  return { mill: as("mill"), desk: as("desk"), nobody: as("nobody") };
}

test("a whole run and all that is asked of workers need no more rights than the two roles have", async () => {
  const { mill, desk } = await setUp();
  const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 20 }));
  const judge = await startService(() => record('{"score": 1, "verdict": "C", "reason": "fine"}'));
  const suite = `name: rights
dataset: p.csv
case: { key: id }
deployments:
  prod: { base_url: "${service.url}", concurrency: 4 }
  bench: { base_url: "${judge.url}" }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict }]
`;
  const tandem = new Tandem().env({ TANDEM_WORKERS: desk }).file("suite.yaml", suite).file("p.csv", prompts(40));
  const worker = await startWorker(mill, { env });
  const ran = async (...args: string[]): Promise<string> => {
    const { code, err, out } = await tandem.run(...args);
    expect({ args, code, err }).toEqual({ args, code: 0, err });
    return out;
  };
  const budget = await tandem.run("run", "suite.yaml", "--workers", "--budget", "12");
  expect({ code: budget.code, err: budget.err }).toEqual({ code: 3, err: budget.err });
  await ran("resume", "--workers");
  expect([service.received.length, judge.received.length]).toEqual([40, 40]);
  expect(tandem.query("SELECT kind, outcome, count(*) AS jobs FROM job GROUP BY 1, 2 ORDER BY 1")).toEqual([
    { kind: "case", outcome: "ok", jobs: 40 },
    { kind: "judge", outcome: "ok", jobs: 40 },
  ]);
  await ran("workers", "pause");
  await ran("workers", "resume");
  const name = tandem.query<{ name: string }>("SELECT name FROM batch")[0]?.name ?? "";
  // Another machine brings it, and then it goes.
  const other = new Tandem().env({ TANDEM_WORKERS: desk });
  expect((await other.run("resume", name, "--workers")).code).toBe(0);
  expect(await ran("workers")).toContain(name);
  await ran("workers", "resolve", name, "--resend");
  expect(await ran("workers", "remove", name)).toContain("removed");
  expect(worker.err()).not.toMatch(/right|denied/);
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(143);
});

test("whoever has not the role for something is told so, and by whom it is given", async () => {
  const { mill, desk, nobody } = await setUp();
  const tandem = new Tandem()
    .alone()
    .file(
      "suite.yaml",
      "dataset: p.csv\ncase: { key: id }\ndeployments: { prod: { base_url: https://nobody.example } }\ntargets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }\n",
    )
    .file("p.csv", prompts(3));
  for (const [who, ...args] of [
    [nobody, "run", "suite.yaml", "--workers"],
    [nobody, "worker", "--address", "https://nobody.example"],
    [nobody, "workers"],
    [nobody, "workers", "setup"],
    [mill, "run", "suite.yaml", "--workers"],
    [mill, "workers"],
    [desk, "workers", "setup"],
  ] as const) {
    const { code, err } = await tandem.env({ TANDEM_WORKERS: who, ...env }).run(...args);
    expect({ args, code, err }).toEqual({
      args,
      code: 2,
      err: expect.stringMatching(
        /has no right to (?:do this|submit batches) in|may not make|belongs to ada_\w+, and not to this user/,
      ),
    });
    expect(err).toContain("tandem workers setup");
    expect(err).not.toMatch(/fault in tandem|at \S+:\d+/);
  }
  expect(tandem.has("results/tandem.db")).toBe(false);
});
