import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

test("two deployments and two example ids say that they make four targets", async () => {
  const service = await startService(() => record("yes"));
  const tandem = new Tandem().file("p.csv", prompts(2));
  const deployments = ["--deployment", `prod=${service.url}`, "--deployment", `test=${service.url}/test`];
  const { code, err } = await tandem.run("run", "p.csv", ...deployments, "--example-id", "a", "--example-id", "b");
  expect(code).toBe(0);
  expect(err).toContain('2 deployments and 2 example ids make 4 targets: "prod:a", "prod:b", "test:a", "test:b".');
  expect(service.received).toHaveLength(8);
  const one = await tandem.run("run", "p.csv", ...deployments, "--example-id", "a");
  expect(one.err).not.toContain("make");
  await service.close();
});

test("`batches` shows the verdict of each batch, in its list too", async () => {
  const service = await startService(() => record("yes"));
  const text = [
    "name: gated",
    "dataset: p.csv",
    `deployments: { prod: { base_url: "${service.url}" }, test: { base_url: "${service.url}/test" } }`,
    "targets:",
    "  prod: { deployment: prod, endpoint: video-bots, example_id: a }",
    "  test: { deployment: test, endpoint: video-bots, example_id: a }",
    "scorers: [{ name: correct, type: contains, value: yes }]",
    "gates: [{ metric: correct, margin: 0.3 }]",
    "",
  ].join("\n");
  const tandem = new Tandem().file("p.csv", prompts(40)).file("tandem.yaml", text);
  const { code, err } = await tandem.run("run");
  expect(code, err).toBe(0);
  await tandem.run("run", "p.csv", "--limit", "1", "--deployment", `prod=${service.url}`, "--example-id", "a");
  const { out } = await tandem.run("batches");
  expect(out).toMatch(/^gated-\S+ +finished {2}pass {2}80\/80 jobs$/m);
  expect(out).toMatch(/^p-\S+ +finished {2}- {5}1\/1 jobs$/m);
  const listed: unknown = JSON.parse((await tandem.run("batches", "--json")).out);
  expect(listed).toMatchObject({ batches: [{ verdict: "pass" }, { verdict: null }] });
  await service.close();
});
