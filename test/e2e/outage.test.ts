import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

test("a service that is not there yet is waited for as long as --wait-for-service says", async () => {
  const before = await startService(({ prompt }) => record(prompt));
  await before.close();
  const { port } = new URL(before.url);
  const tandem = new Tandem().file("p.csv", prompts(6));
  const { ended } = tandem.begin(...runAt({ prod: before }, "--quiet", "--set", "wait_for_service=2m"));
  // Without the flag it would be given up after some ten seconds.
  await setTimeout(9_000);
  const service = await startService(({ prompt }) => record(prompt), Number(port));
  const { code, err } = await ended;
  expect(code, err).toBe(0);
  expect(service.received).toHaveLength(6);
  expect(tandem.query("SELECT DISTINCT outcome FROM job")).toEqual([{ outcome: "ok" }]);
});

test("a resume waits as long as the suite said, or its own --wait-for-service", async () => {
  const before = await startService(({ prompt }) => record(prompt));
  const tandem = new Tandem().file("p.csv", prompts(6)).file(
    "s.yaml",
    `dataset: p.csv
deployments: { prod: { base_url: "${before.url}", wait_for_service: 1s } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }`,
  );
  expect((await tandem.run("run", "s.yaml", "--budget", "2", "--quiet")).code).toBe(3);
  await before.close();
  expect((await tandem.run("resume", "--quiet")).code).toBe(3);
  // A service that has not answered in this process is else looked for five times: by eight requests of four jobs.
  const [tried] = tandem.query<{ n: number }>("SELECT count(*) AS n FROM attempt WHERE outcome = 'not-sent'");
  expect(tried?.n).toBeLessThan(8);
  const { ended } = tandem.begin("resume", "--quiet", "--wait-for-service", "2m");
  await setTimeout(3_500);
  const service = await startService(({ prompt }) => record(prompt), Number(new URL(before.url).port));
  const { code, err } = await ended;
  expect(code, err).toBe(0);
  expect(service.received).toHaveLength(4);
});

test("a wait that is none is told with the flag's name", async () => {
  const tandem = new Tandem().file("p.csv", prompts(1));
  const { code, err } = await tandem.run(
    ...runAt({ prod: { url: "http://127.0.0.1:9" } }, "--set", "wait_for_service=soon"),
  );
  expect(code).toBe(2);
  expect(err).toContain("--set wait_for_service must be");
  expect(await tandem.run("resume", "--wait-for-service", "soon")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--wait-for-service takes a duration"),
  });
});
