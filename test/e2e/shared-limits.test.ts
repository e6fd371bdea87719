import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

test.each([
  ["concurrency: 6", "concurrency: 2"],
  ["concurrency: 1", "concurrency: 5"],
  ["concurrency: 4, rate: 600/m", "concurrency: 3"],
])("the smaller limit holds for two deployments with one address and key, and is said once: %s, %s", async (a, b) => {
  const service = await startService(() => ({ ...record("yes"), delayMs: 30 }));
  const tandem = new Tandem().file("prompts.csv", prompts(12)).file(
    "suite.yaml",
    `dataset: prompts.csv
deployments:
  prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, ${a} }
  test: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, ${b} }
targets:
  a: { deployment: prod, endpoint: video-bots, example_id: a }
  b: { deployment: test, endpoint: video-bots, example_id: b }
`,
  );
  const { err } = await tandem.run("run", "suite.yaml");
  const least = Math.min(...[a, b].map((each) => Number(/concurrency: (\d)/.exec(each)?.[1])));
  expect(service.received).toHaveLength(24);
  expect(service.most).toBe(least);
  expect(err.match(/prod and test have the same address and key/g)).toHaveLength(1);
});
