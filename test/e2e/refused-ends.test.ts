import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const suite = (deployment: string): string => `name: nightly
dataset: prompts.csv
deployments: { prod: { ${deployment} } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

/** What a suite says of its deployment, and why nothing can be sent to it, which is found after the events are opened. */
const refusals = {
  "a missing key": ["base_url: https://bots.example.test, api_key_env: NOT_SET", "KEY_MISSING", {}],
  "a missing header": ['base_url: "http://127.0.0.1:9", headers: { X-Team: "${TEAM}" }', "ENV_MISSING", {}],
  "a key over plain http": ["base_url: http://bots.example.test", "KEY_INSECURE", { TANDEM_API_KEY: "sk-1234567890" }],
  "a missing certificate": ["base_url: https://127.0.0.1:9, ca: gone.pem", "SUITE_INVALID", {}],
  "a proxy that is no address": [
    'base_url: https://bots.example.test, proxy: "${PROXY}"',
    "ENV_MISSING",
    { TANDEM_API_KEY: "sk-1234567890", PROXY: "http://me:100%@proxy.example.test" },
  ],
  "a bot without a folder": ["base_url: local:./gone", "DEPLOYMENT_INVALID", {}],
} as const;

/** Runs a command in a process of its own; null: it was still there after twenty seconds. */
async function ended(tandem: Tandem, words: readonly string[]): Promise<{ code: number | null; out: string } | null> {
  const { ended: end } = tandem.start(...words, "--json");
  return Promise.race([end, setTimeout(20_000, null, { ref: false })]);
}

describe.each(Object.entries(refusals))("%s, with --events", (_what, [deployment, error, env]) => {
  test.each([
    [["run", "suite.yaml", "--events", "events.jsonl"]],
    [["night", "suite.yaml", "--events", "events.jsonl", "--keep", "3"]],
    [["run", "suite.yaml", "--events"]],
  ])("%s is refused, and ends", async (words) => {
    const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", suite(deployment)).env(env);
    const end = await ended(tandem, words);
    expect(end).not.toBeNull();
    expect([JSON.parse(end?.out ?? "").error.code, end?.code]).toEqual([error, 2]);
  });
});

describe("a command that resumes or grades, with --events", () => {
  test("ends where the key of then is missing now, or the address is another", async () => {
    const service = await startService(() => record("yes"));
    const tandem = new Tandem()
      .file("prompts.csv", prompts(4))
      .file("suite.yaml", suite('base_url: "${BOTS}", api_key_env: BOT_KEY'))
      .env({ BOT_KEY: "sk-1234567890", BOTS: service.url });
    expect((await tandem.run("run", "suite.yaml", "--budget", "1", "--no-preflight")).code).toBe(3);
    const noKey = await ended(tandem.env({ BOTS: service.url }), ["resume", "--events", "events.jsonl"]);
    expect([noKey?.code, JSON.parse(noKey?.out ?? "null")?.error.code]).toEqual([2, "KEY_MISSING"]);
    const moved = await ended(tandem.env({ BOT_KEY: "sk-1234567890", BOTS: "http://127.0.0.1:9" }), [
      "resume",
      "--events",
    ]);
    expect([moved?.code, JSON.parse(moved?.out ?? "null")?.error.code]).toEqual([2, "BATCH_CHANGED"]);
  });

  test("ends where the key of a judge is missing", async () => {
    const service = await startService(() => record("yes"));
    const judge = `judges: { strict: { deployment: prod, endpoint: video-bots, example_id: j } }
scorers: [{ name: good, type: judge, target: strict }]
`;
    const tandem = new Tandem()
      .file("prompts.csv", prompts(4))
      .file("plain.yaml", suite(`base_url: "${service.url}", api_key_env: BOT_KEY`))
      .file("suite.yaml", suite(`base_url: "${service.url}", api_key_env: BOT_KEY`) + judge)
      .env({ BOT_KEY: "sk-1234567890" });
    await tandem.run("run", "plain.yaml", "--no-preflight");
    const words = ["score", "--suite", "suite.yaml", "--events", "events.jsonl"];
    const end = await ended(tandem.env({}), words);
    expect([end?.code, JSON.parse(end?.out ?? "null")?.error.code]).toEqual([2, "KEY_MISSING"]);
  });
});
