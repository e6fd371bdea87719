import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

/** Suite with two deployments at a service, and what is asked of it. */
async function asked(own: (url: string) => [string, string], env: Record<string, string>) {
  const service = await startService(() => ({ ...record("yes"), delayMs: 30 }));
  const [a, b] = own(service.url);
  const tandem = new Tandem()
    .env(env)
    .file("prompts.csv", prompts(12))
    .file(
      "suite.yaml",
      `dataset: prompts.csv
deployments:
  prod: { ${a}, concurrency: 6 }
  test: { ${b}, concurrency: 2 }
targets:
  a: { deployment: prod, endpoint: video-bots, example_id: a }
  b: { deployment: test, endpoint: video-bots, example_id: b }
`,
    );
  const { err } = await tandem.run("run", "suite.yaml");
  expect(service.received).toHaveLength(24);
  return { most: service.most, told: err.match(/prod and test have the same address and key/g)?.length ?? 0 };
}

const header = (name: string, more = ""): string => `headers: { ${name}: "Bearer \${KEY_A}"${more} }`;

describe("an address and a key are the same", () => {
  test.each<[string, (url: string) => [string, string]]>([
    [
      "by another name of this machine",
      (url) => [`base_url: "${url}"`, `base_url: "${url.replace("127.0.0.1", "LocalHost")}/"`],
    ],
    ["by two variables", (url) => [`base_url: "${url}", api_key_env: KEY_A`, `base_url: "${url}", api_key_env: KEY_B`]],
    [
      "beside a header that names a version",
      (url) => [`base_url: "${url}"`, `base_url: "${url}", headers: { X-Version: "2" }`],
    ],
    [
      "in a header of another spelling",
      (url) => [
        `base_url: "${url}", ${header("authorization")}`,
        `base_url: "${url}", ${header("Authorization", ", X-Version: b")}`,
      ],
    ],
  ])("%s", async (_, own) => {
    const key = "sk-same-0123456";
    expect(await asked(own, { TANDEM_API_KEY: key, KEY_A: key, KEY_B: key })).toEqual({ most: 2, told: 1 });
  });

  test.each<[string, (url: string) => [string, string]]>([
    ["of two keys", (url) => [`base_url: "${url}", api_key_env: KEY_A`, `base_url: "${url}", api_key_env: KEY_B`]],
    [
      "of two keys in headers",
      (url) => [
        `base_url: "${url}", headers: { x-api-key: "\${KEY_A}" }`,
        `base_url: "${url}", headers: { x-api-key: "\${KEY_B}" }`,
      ],
    ],
  ])("and are not %s", async (_, own) => {
    const env = { TANDEM_API_KEY: "sk-third-01234", KEY_A: "sk-one-0123456", KEY_B: "sk-two-0123456" };
    const { most, told } = await asked(own, env);
    expect([most > 2, told]).toEqual([true, 0]);
  });
});

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
