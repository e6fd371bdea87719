import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

/** Requests beyond one for each row: what an outage may cost with so many in flight and so many probes. */
const wasted = (concurrency: number, probes: number): number => concurrency + 1 + probes;

/** Takes a service away after so many answers of its own, once, and brings it back after a while. */
function downAfter(answers: number, forMs: number): (gateway: Gateway) => void {
  let isOver = false;
  return (gateway) => {
    if (isOver || gateway.sound.length < answers) return;
    isOver = true;
    gateway.isDown = true;
    void setTimeout(forMs).then(() => (gateway.isDown = false));
  };
}

const ends = (tandem: Tandem): Record<string, number> =>
  Object.fromEntries(
    tandem
      .query<{ outcome: string | null; n: number }>("SELECT outcome, count(*) AS n FROM job GROUP BY outcome")
      .map(({ outcome, n }) => [outcome ?? "unfinished", n]),
  );

const eventsOf = (tandem: Tandem, type: string): Record<string, unknown>[] =>
  tandem
    .text("e.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((event) => event["type"] === type);

describe("a service that goes away behind a gateway", () => {
  test.each([
    [1, 60],
    [4, 60],
    [64, 400],
  ])("is waited for in the middle of a run with %i in flight: no row is lost", async (concurrency, rows) => {
    const gateway = await startGateway({ during: downAfter(20, 2_000) });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err, out } = await tandem.run(
      ...runAt({ prod: gateway }, "--concurrency", String(concurrency), "--events", "e.jsonl"),
    );
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    // Looked for after 0.5, 1, 2 s at the most, half of which is jitter.
    const refused = gateway.refused.length;
    expect(refused).toBeLessThanOrEqual(wasted(concurrency, 4));
    expect(gateway.received).toHaveLength(rows + refused);
    expect(eventsOf(tandem, "away")).toMatchObject([{ lane: "prod/video-bots", status: 502 }]);
    expect(eventsOf(tandem, "back")).toHaveLength(1);
    expect(err).toContain("prod answers 502 (bad gateway): nothing is lost");
    expect(err).toContain("prod is back after");
    const told = new RegExp(`prod was down \\d\\d:\\d\\d.* to .*; ${refused} requests were answered 502 \\(bad`);
    expect(out).toMatch(told);
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
    expect(tandem.text(`results/${batch?.name}/report.md`)).toContain(`${refused} requests were answered 502`);
    expect(tandem.query("SELECT count(*) AS n FROM outage WHERE until IS NOT NULL")).toEqual([{ n: 1 }]);
  });

  test("loses nothing where nothing is tried again, but what was in flight where that is to fail", async () => {
    const once = new Tandem().file("p.csv", prompts(60));
    const first = await startGateway({ during: downAfter(20, 1_500) });
    expect((await once.run(...runAt({ prod: first }, "--retries", "0"))).code).toBe(0);
    // The first answer of the gateway was not known to be of an outage.
    expect(ends(once)["ok"]).toBeGreaterThanOrEqual(59);

    const suite = (url: string): string => `dataset: p.csv
on_ambiguous: fail
deployments: { prod: { base_url: "${url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }`;
    const second = await startGateway({ during: downAfter(20, 1_500) });
    const never = new Tandem().file("p.csv", prompts(60)).file("s.yaml", suite(second.url));
    await never.run("run", "s.yaml");
    const { ok = 0, ambiguous = 0 } = ends(never);
    expect(ok + ambiguous).toBe(60);
    // Four in flight, and the one in the place of the first.
    expect(ambiguous).toBeLessThanOrEqual(5);
    expect(second.refused.length).toBeGreaterThanOrEqual(ambiguous);
  });

  test("is asked five times where it is down from the start, and only the first case was sent", async () => {
    const [prod, other] = [await startGateway(), await startGateway()];
    prod.isDown = true;
    const tandem = new Tandem().file("p.csv", prompts(40));
    const { code, err, out } = await tandem.run(...runAt({ prod, other }));
    expect(code).toBe(3);
    expect(`${out}${err}`).toContain("only the first case was sent: prod");
    expect(`${out}${err}`).toContain("502");
    expect(prod.received).toHaveLength(5);
    expect(other.received).toHaveLength(1);
    expect(ends(tandem)["unfinished"]).toBe(79);
    prod.isDown = false;
    expect((await tandem.run("resume")).code).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 80 });
  });

  test("is given up when nobody waits any longer, and a resume asks for what is left", async () => {
    const gateway = await startGateway({ during: (own) => (own.isDown ||= own.sound.length >= 20) });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--wait-for-service", "2s"));
    expect(code).toBe(3);
    expect(err).toContain("stopped prod/video-bots: a gateway answered 502 (bad gateway) in the place of the service");
    expect(ends(tandem)).toEqual({ ok: 20, unfinished: 40 });
    await gateway.close();
    const again = await startGateway({ port: Number(new URL(gateway.url).port) });
    expect((await tandem.run("resume")).code).toBe(0);
    expect(again.received).toHaveLength(40);
    expect(ends(tandem)).toEqual({ ok: 60 });
  });

  test("is waited for by a resume as by the run that was killed meanwhile", { timeout: 60_000 }, async () => {
    const gateway = await startGateway({ during: downAfter(20, 60_000) });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { child, ended } = tandem.start(...runAt({ prod: gateway }));
    while (gateway.refused.length < 6) await setTimeout(20);
    child.kill("SIGKILL");
    await ended;
    const { ended: resumed } = tandem.begin("resume");
    // Longer than five looks.
    await setTimeout(14_000);
    gateway.isDown = false;
    expect((await resumed).code).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 60 });
  });
});

describe("answers of a gateway that are no outage", () => {
  test("one row that always gets one ends, and the others have their answers", async () => {
    const gateway = await startGateway({
      answer: ({ prompt }) => (prompt === "prompt 7" ? badGateway() : { ...record(prompt), delayMs: 5 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { err } = await tandem.run(...runAt({ prod: gateway }));
    expect(ends(tandem), err).toEqual({ ok: 59, ambiguous: 1 });
    expect(gateway.received.filter(({ prompt }) => prompt === "prompt 7")).toHaveLength(3);
    expect(err).not.toContain("nothing is lost");
  });

  test("every other answer: each row has its tries, and no slot rests", async () => {
    let count = 0;
    const gateway = await startGateway({
      answer: ({ prompt }) => ((count += 1) % 2 === 0 ? badGateway(504) : record(prompt)),
    });
    const tandem = new Tandem().file("p.csv", prompts(40));
    const { err } = await tandem.run(...runAt({ prod: gateway }, "--concurrency", "1"));
    expect(err).not.toContain("nothing is lost");
    expect(ends(tandem)["ok"]).toBeGreaterThan(30);
  });

  test("a service that asks to come back later, and one whose own errors are JSON, are as before", async () => {
    const tandem = new Tandem().file("p.csv", prompts(20));
    const slow = await startGateway({
      answer: ({ prompt, time }) =>
        time === 1 ? { ...badGateway(503), headers: { "retry-after": "0.1" } } : record(prompt),
    });
    const broken = await startGateway({ answer: () => ({ status: 500, body: '{"detail":"KeyError: answer"}' }) });
    const { err } = await tandem.run(...runAt({ slow, broken }, "--retries", "1", "--no-preflight"));
    expect(err).not.toContain("nothing is lost");
    expect(slow.received).toHaveLength(40);
    expect(broken.received).toHaveLength(40);
    expect(tandem.query("SELECT count(*) AS n FROM outage")).toEqual([{ n: 0 }]);
  });

  test("a page with the status 500, and a gateway's time-out, are an outage", async () => {
    for (const status of [500, 503, 504]) {
      const tandem = new Tandem().file("p.csv", prompts(30));
      const gateway = await startGateway({ during: downAfter(10, 400), down: () => badGateway(status) });
      expect((await tandem.run(...runAt({ prod: gateway }, "--quiet"))).code).toBe(0);
      expect(ends(tandem)).toEqual({ ok: 30 });
      expect(tandem.query("SELECT status FROM outage")).toEqual([{ status }]);
    }
  });
});
