import { describe, expect, test } from "vitest";
import { type Received, record, type Reply, startService } from "./service.ts";
import { bePatient, prompts, runAt, Tandem } from "./tandem.ts";

const answer = ({ prompt }: Received): Reply => record(prompt);

describe("deployments side by side", () => {
  test("a hanging, a throttling and a dead one slow nobody down", async () => {
    const hanging = await startService(() => ({ act: "hang" }));
    const throttling = await startService(() => ({ status: 429, headers: { "retry-after": "600" }, body: "{}" }));
    const dead = await startService(answer);
    await dead.close();
    const well = await startService(answer);
    const tandem = new Tandem().inGroupOfItsOwn().file("p.csv", prompts(200));
    const services = { hanging, throttling, dead, well };
    const { child, ended } = tandem.begin(...runAt(services, "-j", "4", "--quiet", "--no-preflight"));
    await expect.poll(() => well.received.length, { timeout: 40_000 }).toBe(200);
    expect(hanging.received).toHaveLength(4);
    expect(throttling.received.length).toBeLessThanOrEqual(8);
    child.kill("SIGINT");
    await expect
      .poll(
        () =>
          tandem.query("SELECT * FROM job JOIN target ON target.id = target_id WHERE name = 'well' AND outcome = 'ok'")
            .length,
      )
      .toBe(200);
    await bePatient();
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  });

  test("the endpoints of one deployment have queues of their own", async () => {
    const isFunction = ({ path }: Received): boolean => path.startsWith("/v2/functions");
    let most = 0;
    let bots = 0;
    let functions = 0;
    const service = await startService((received) => {
      if (isFunction(received))
        return functions++ < 3
          ? { status: 429, headers: { "retry-after": "5" }, body: "{}" }
          : { body: JSON.stringify({ id: "abcdefabcdef", output: { return_value: 7, error: null, logs: [] } }) };
      bots += 1;
      most = Math.max(most, bots);
      setTimeout(() => (bots -= 1), 10);
      return { ...record(received.prompt), delayMs: 10 };
    });
    const tandem = new Tandem().file("p.csv", prompts(40)).file(
      "suite.yaml",
      `dataset: p.csv
case: { key: id, input: { input_prompt: input_prompt } }
deployments: { prod: { base_url: ${service.url}, api_key_env: TANDEM_API_KEY, concurrency: 3 } }
targets:
  bot: { deployment: prod, endpoint: video-bots, example_id: a }
  tool: { deployment: prod, endpoint: functions, example_id: b }
`,
    );
    const { code, err } = await tandem.run("run", "suite.yaml", "--quiet", "--no-preflight");
    expect([0, 4], err).toContain(code);
    expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1")).toEqual([{ outcome: "ok", n: 80 }]);
    expect(most).toBeLessThanOrEqual(3);
    // The bot had finished before a function was asked again.
    const last = service.received.findLastIndex((received) => !isFunction(received));
    expect(service.received.slice(0, last).filter(isFunction)).toHaveLength(3);
  });

  test("interleaved, no side leads by more than a few cases, and a side that stops is let go of", async () => {
    const locked = { status: 403, body: '{"detail":{"error":"Invalid API Key."}}' };
    const slow = await startService(({ prompt }) =>
      slow.received.length > 15 ? locked : { ...record(prompt), delayMs: 30 },
    );
    const leads: number[] = [];
    const fast = await startService(({ prompt }) => {
      if (slow.received.length <= 15) leads.push(fast.received.length - (slow.received.length - slow.running));
      return record(prompt);
    });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { code } = await tandem.run(
      ...runAt({ prod: slow, test: fast }, "-j", "2", "--set", "interleave=strict", "-q"),
    );
    expect(code).toBe(3);
    expect(leads.length).toBeGreaterThan(8);
    expect(Math.max(...leads)).toBeLessThanOrEqual(2);
    expect(fast.received).toHaveLength(60);
  });

  test("interleaved sides that are throttled at the same time do not wait for each other for ever", async () => {
    const busy = ({ prompt, time }: Received): Reply =>
      time === 1 ? { status: 429, headers: { "retry-after": "0.05" }, body: "{}" } : record(prompt);
    const [prod, other] = [await startService(busy), await startService(busy)];
    const tandem = new Tandem().file("p.csv", prompts(12));
    const { code, err } = await tandem.run(...runAt({ prod, test: other }, "--set", "interleave=strict", "-q"));
    expect(code, err).toBe(0);
    expect(prod.received.length + other.received.length).toBe(48);
  });
});
