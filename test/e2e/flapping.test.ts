import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record, type Reply } from "./service.ts";
import { ends, prompts, runAt, Tandem } from "./tandem.ts";

const json = { "content-type": "application/json" };

/** Takes a service away after each of so many answers of its own, for so long. */
function flaps(after: readonly number[], ms: number): (gateway: Gateway) => void {
  const left = [...after];
  return (gateway) => {
    if (gateway.isDown || left[0] === undefined || gateway.sound.length < left[0]) return;
    left.shift();
    gateway.isDown = true;
    void setTimeout(ms).then(() => (gateway.isDown = false));
  };
}

test.each<[string, readonly number[], number, () => Reply]>([
  ["four times, 502", [10, 20, 30, 40], 400, () => badGateway()],
  ["four times, closed", [10, 20, 30, 40], 400, () => ({ act: "reset" })],
  ["six times within a few answers, 502", [10, 14, 18, 22, 26, 30], 250, () => badGateway()],
])("a service that goes and comes loses no row: %s", async (_, after, ms, down) => {
  const gateway = await startGateway({
    during: flaps(after, ms),
    down,
    answer: ({ prompt }) => ({ ...record(prompt), delayMs: 3 }),
  });
  const tandem = new Tandem().file("p.csv", prompts(60));
  const { code, err } = await tandem.run(...runAt({ prod: gateway }));
  expect(code, err).toBe(0);
  expect(ends(tandem)).toEqual({ ok: 60 });
  expect(gateway.received).toHaveLength(60 + gateway.refused.length);
});

describe("where nothing that may be paid is sent again", () => {
  test.each<[string, () => Reply]>([
    ["closed", () => ({ act: "reset" })],
    ["empty", () => ({ headers: json, body: "" })],
    ["cut", () => ({ headers: json, body: '{"id":"abcdefabcdef","output":{"outp' })],
  ])("only what was in flight when it began is lost, and nothing that looks for it: %s", async (_, down) => {
    const gateway = await startGateway({
      during: flaps([20], 4_000),
      down,
      answer: ({ prompt }) => ({ ...record(prompt), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(60)).file(
      "suite.yaml",
      `dataset: p.csv
deployments: { prod: { base_url: "${gateway.url}", api_key_env: TANDEM_API_KEY, concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
on_ambiguous: fail
`,
    );
    await tandem.run("run", "suite.yaml");
    const { ok = 0, ambiguous = 0 } = ends(tandem);
    expect(ok + ambiguous).toBe(60);
    expect(ambiguous).toBeLessThanOrEqual(5);
    expect(gateway.refused.length).toBeGreaterThan(ambiguous);
  });
});
