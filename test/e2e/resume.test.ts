import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { record, type Service, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const suite = (url: string, more = ""): string => `name: nightly
dataset: prompts.csv
deployments: { prod: { base_url: "${url}", concurrency: 2 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
${more}`;

/** A batch of ten jobs of which four are done. */
async function stoppedBatch(): Promise<{ tandem: Tandem; service: Service }> {
  const service = await startService(({ prompt }) => record(`says ${prompt}`));
  const tandem = new Tandem().file("prompts.csv", prompts(10)).file("suite.yaml", suite(service.url));
  const { code } = await tandem.run("run", "suite.yaml", "--budget", "4");
  expect(code).toBe(3);
  expect(service.received).toHaveLength(4);
  return { tandem, service };
}

const sentPrompts = (service: Service): string[] => service.received.map(({ prompt }) => prompt).toSorted();

describe("resume --suite", () => {
  test("resumes the suite's unfinished batch and sends nothing twice", async () => {
    const { tandem, service } = await stoppedBatch();
    const { code, err } = await tandem.run("resume", "--suite", "suite.yaml");
    expect(err).toContain("resuming");
    expect(code).toBe(0);
    expect(new Set(sentPrompts(service)).size).toBe(10);
    expect(service.received).toHaveLength(10);
    expect(tandem.query("SELECT state, count(*) AS n FROM batch")).toEqual([{ state: "finished", n: 1 }]);
  });

  test("says so where there is nothing to resume, and sends nothing", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", suite(service.url));
    const { code, err } = await tandem.run("resume", "--suite", "suite.yaml");
    expect([code, err]).toEqual([2, expect.stringContaining("There is no database")]);
    await tandem.run("run", "suite.yaml");
    const again = await tandem.run("resume", "--suite", "suite.yaml");
    expect([again.code, again.err]).toEqual([
      2,
      expect.stringContaining("nightly has no unfinished batch in results."),
    ]);
    expect(again.err).toContain("`tandem run suite.yaml` starts a new one.");
    expect(service.received).toHaveLength(2);
  });

  test("refuses a changed dataset and says exactly what changed", async () => {
    const { tandem, service } = await stoppedBatch();
    const rows = ["id,input_prompt", "k1,prompt 1", "k2,another question", "new-नया,prompt 2"];
    tandem.file("prompts.csv", `${rows.join("\n")}\n`);
    const { code, err, out } = await tandem.run("resume", "--suite", "suite.yaml", "--json");
    expect(code).toBe(2);
    expect(err).toContain('1 row new: "new-नया"');
    expect(err).toContain('8 rows gone: "k3", "k4", "k5", "k6", "k7", ...');
    expect(err).toContain('1 row changed: "k2"');
    expect(JSON.parse(out)).toMatchObject({ error: { code: "BATCH_CHANGED" } });
    expect(service.received).toHaveLength(4);
  });

  test("refuses another mapping with what was there and what is now", async () => {
    const { tandem, service } = await stoppedBatch();
    tandem.file("suite.yaml", suite(service.url, "case: { key: id, tags: [id] }"));
    const { code, err } = await tandem.run("resume", "--suite", "suite.yaml");
    expect(code).toBe(2);
    expect(err).toContain("case.tags was");
    expect(service.received).toHaveLength(4);
  });

  test("with --accept-changes runs only what is still the same and marks the rest as skipped", async () => {
    const { tandem, service } = await stoppedBatch();
    const done = new Set(sentPrompts(service));
    const open = Array.from({ length: 10 }, (_, i) => i + 1).filter((i) => !done.has(`prompt ${i}`));
    const [gone, changed] = open;
    const rows = Array.from({ length: 10 }, (_, i) => i + 1)
      .filter((i) => i !== gone)
      .map((i) => `k${i},${i === changed ? "something else" : `prompt ${i}`}`);
    tandem.file("prompts.csv", `id,input_prompt\n${rows.join("\n")}\nk11,prompt 11\n`);
    const { code, err } = await tandem.run("resume", "--suite", "suite.yaml", "--accept-changes");
    expect(err).toContain("2 jobs skipped; what is new is not run.");
    expect(code).toBe(0);
    expect(service.received).toHaveLength(8);
    expect(tandem.query("SELECT error FROM job WHERE outcome = 'skipped' ORDER BY error")).toEqual([
      { error: "the case has changed since the batch was planned" },
      { error: "the case is no longer in the dataset" },
    ]);
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "finished" }]);
  });

  test("does not ask a later turn when an earlier one is another question now", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const talk = (first: string): string =>
      `id,conv,turn,input_prompt\na1,a,1,${first}\na2,a,2,and then?\nb1,b,1,hello\n`;
    const mapping = "case: { key: id, cluster: conv, turn: turn, input: { input_prompt: input_prompt } }";
    const tandem = new Tandem().file("prompts.csv", talk("hi")).file("suite.yaml", suite(service.url, mapping));
    await tandem.run("run", "suite.yaml", "--budget", "1", "-j", "1");
    tandem.file("prompts.csv", talk("good day"));
    const { err } = await tandem.run("resume", "--suite", "suite.yaml", "--accept-changes");
    expect(err).toContain("1 row changed");
    expect(service.received.some(({ prompt }) => prompt === "and then?")).toBe(false);
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "finished" }]);
  });

  test("--accept-changes alone is a usage error", async () => {
    const { code, err } = await new Tandem().run("resume", "--accept-changes");
    expect([code, err]).toEqual([2, expect.stringContaining("--accept-changes needs --suite.")]);
  });

  test("a suite file in the place of a batch, and `run --resume`, are answered with the command", async () => {
    const file = await new Tandem().run("resume", "suite.yaml");
    expect([file.code, file.err]).toEqual([2, expect.stringContaining("tandem resume --suite suite.yaml")]);
    const flag = await new Tandem().run("run", "suite.yaml", "--resume");
    expect([flag.code, flag.err]).toEqual([2, expect.stringContaining("Type: tandem resume --suite SUITE.yaml")]);
  });

  test("a batch of another suite is refused", async () => {
    const { tandem, service } = await stoppedBatch();
    tandem.file("other.yaml", suite(service.url).replace("name: nightly", "name: other"));
    const { code, err } = await tandem.run("resume", "nightly", "--suite", "other.yaml");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("is a batch of nightly, and the file is the suite other."),
    ]);
  });
});

test("a batch that a process runs is refused to every other one with 2, and that one goes on", async () => {
  const gate = Promise.withResolvers<void>();
  const service = await startService(({ prompt }) => ({ ...record(prompt), when: gate.promise }));
  const tandem = new Tandem().file("prompts.csv", prompts(4)).file("suite.yaml", suite(service.url));
  const { ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  while (service.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const line of [["resume"], ["resume", "--suite", "suite.yaml"]]) {
    const { code, err } = await tandem.run(...line);
    expect([code, err]).toEqual([2, expect.stringMatching(/Process \d+ on \S+ is running batch nightly-/)]);
  }
  gate.resolve();
  expect((await ended).code).toBe(0);
  expect(service.received).toHaveLength(4);
});

test("jobs held back after a kill are listed, and sent when a later resume of the finished batch says so", async () => {
  let isSlow = true;
  const service = await startService(({ prompt }) =>
    isSlow && prompt === "prompt 3" ? { act: "hang" } : record(prompt),
  );
  const tandem = new Tandem().file("prompts.csv", prompts(4)).file("suite.yaml", suite(service.url));
  const open = "SELECT count(*) AS n FROM job WHERE outcome IS NULL";
  const isOneLeft = (): boolean => service.received.length >= 4 && tandem.query<{ n: number }>(open)[0]?.n === 1;
  await tandem.killWhen(isOneLeft, "run", "suite.yaml");
  isSlow = false;
  const held = await tandem.run("resume", "--on-in-doubt", "hold");
  expect(held.err).toContain("1 request in doubt");
  expect(held.err).toContain("case k3 for prod, attempt 1");
  expect(held.out).toContain("In doubt: 1 job (1 held back): k3");
  expect(held.out).toMatch(/Next: send again what is in doubt:\s+tandem resume nightly-\S+ --on-in-doubt resend/);
  expect(service.received).toHaveLength(4);
  const sent = await tandem.run("resume", "latest", "--on-in-doubt", "resend");
  expect(sent.code).toBe(0);
  expect(service.received).toHaveLength(5);
  expect(sent.out).toContain("Possibly paid twice: 1 request");
  expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1")).toEqual([{ outcome: "ok", n: 4 }]);
});

test("a batch whose process died while it wrote the reports is gone on with, and nothing is sent", async () => {
  const service = await startService(({ prompt }) => record(prompt));
  const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", suite(service.url));
  expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
  const report = join(tandem.folder, "results", batch?.name ?? "", "report.html");
  rmSync(report);
  expect(await tandem.run("resume")).toMatchObject({ code: 0 });
  expect(existsSync(report)).toBe(true);
  rmSync(report);
  expect(await tandem.run("resume", "--suite", "suite.yaml")).toMatchObject({ code: 0 });
  expect(existsSync(report)).toBe(true);
  expect(service.received).toHaveLength(2);
  expect(await tandem.run("resume")).toMatchObject({ code: 2, err: expect.stringContaining("is finished") });
});
