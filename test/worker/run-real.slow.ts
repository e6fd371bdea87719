import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

test("run --workers and two workers give what one machine would: answers, grades, comparison, exit code", async () => {
  const url = await testDatabase();
  const key = "sk-test-0123456789";
  const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 20 }));
  const suite = `name: both
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, concurrency: 6 } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  new: { deployment: prod, endpoint: video-bots, example_id: b }
scorers: [{ type: contains, value: answer }]
compare: { baseline: prod, candidates: [new] }
`;
  const tandem = new Tandem().file("p.csv", prompts(60)).file("tandem.yaml", suite);
  await Promise.all([
    startWorker(url, { env: { TANDEM_API_KEY: key } }),
    startWorker(url, { env: { TANDEM_API_KEY: key } }),
  ]);
  const { code, err } = await tandem.run("run", "--workers", url);
  expect(code, err).toBe(0);
  expect(service.received.length).toBe(120);
  expect(service.most).toBeLessThanOrEqual(6);
  const kinds = tandem.query<{ outcome: string; count: number }>(
    "SELECT outcome, count(*) AS count FROM job GROUP BY outcome",
  );
  expect(kinds).toEqual([{ outcome: "ok", count: 120 }]);
}, 120_000);
