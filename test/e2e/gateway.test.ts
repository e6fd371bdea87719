import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { badGateway, type Gateway, startGateway } from "./gateway.ts";
import { record, type Reply } from "./service.ts";
import { ends, flat, prompts, runAt, Tandem } from "./tandem.ts";

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

const plain500 = { status: 500, headers: { "content-type": "text/plain" }, body: "Internal Server Error" };

const eventsOf = (tandem: Tandem, type: string): Record<string, unknown>[] =>
  tandem
    .text("e.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((event) => event["type"] === type);

const unhurried = (prompt: string): Reply => ({ ...record(prompt), delayMs: 50 });

/** Two deployments with one address and key, of which each waits for it as long as it says. */
const twoWaits = (url: string): string => `dataset: p.csv
deployments:
  quick: { base_url: "${url}", concurrency: 4, wait_for_service: 1s }
  patient: { base_url: "${url}", concurrency: 4, wait_for_service: 60s }
targets:
  quick: { deployment: quick, endpoint: video-bots, example_id: a }
  patient: { deployment: patient, endpoint: video-bots, example_id: b }
`;

describe("a service that goes away behind a gateway", () => {
  test.each([
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
    expect(eventsOf(tandem, "away")).toMatchObject([{ queue: "prod/video-bots", status: 502 }]);
    expect(eventsOf(tandem, "back")).toHaveLength(1);
    expect(err).toContain("prod answers 502 (bad gateway): nothing is lost");
    expect(err).toContain("prod is back after");
    const reported = new RegExp(`prod was down \\d\\d:\\d\\d.* to .*; ${refused} requests were answered 502 \\(bad`);
    expect(flat(out)).toMatch(reported);
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
    expect(tandem.text(`results/${batch?.name}/report.md`)).toContain(`${refused} requests were answered 502`);
    expect(tandem.query("SELECT count(*) AS n FROM outage WHERE until IS NOT NULL")).toEqual([{ n: 1 }]);
  });

  test("is waited for by each of two deployments with one key as long as that says, whoever looks for it", async () => {
    const gateway = await startGateway({ during: downAfter(20, 4_000), answer: ({ prompt }) => unhurried(prompt) });
    const tandem = new Tandem().file("p.csv", prompts(30)).file("suite.yaml", twoWaits(gateway.url));
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code, err).toBe(3);
    expect(err).toMatch(/stopped.*quick.*: a gateway answered 502/);
    expect(err).not.toMatch(/stopped.*patient/);
    const answered = `SELECT target.name, count(*) AS n FROM job JOIN target ON target.id = job.target_id WHERE job.outcome = 'ok' GROUP BY 1 ORDER BY 1`;
    const [patient, quick] = tandem.query<{ n: number }>(answered);
    expect(patient?.n).toBe(30);
    expect(quick?.n).toBeLessThan(30);
    // The service is there by now: nothing else was lost.
    expect((await tandem.run("resume")).code).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 60 });
  });

  test("loses nothing where nothing is tried again, but what was in flight where that is to fail", async () => {
    const once = new Tandem().file("p.csv", prompts(60));
    const first = await startGateway({ during: downAfter(20, 1_500) });
    expect((await once.run(...runAt({ prod: first }, "--set", "retries=0"))).code).toBe(0);
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
    expect(`${out}${err}`).toContain("Stopped after one row: prod");
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
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--set", "wait_for_service=2s"));
    expect(code).toBe(3);
    expect(err).toContain("stopped prod/video-bots: a gateway answered 502 (bad gateway) in the place of the service");
    expect(ends(tandem)).toEqual({ ok: 20, unfinished: 40 });
    await gateway.close();
    const again = await startGateway({ port: Number(new URL(gateway.url).port) });
    expect((await tandem.run("resume")).code).toBe(0);
    expect(again.received).toHaveLength(40);
    expect(ends(tandem)).toEqual({ ok: 60 });
  });

  slowTest("is waited for by a resume as by the run that was killed meanwhile", async () => {
    const gateway = await startGateway({ during: downAfter(20, 60_000) });
    const tandem = new Tandem().file("p.csv", prompts(60));
    await tandem.killWhen(() => gateway.refused.length >= 6, ...runAt({ prod: gateway }));
    const { ended: resumed } = tandem.begin("resume");
    // Longer than five looks.
    await setTimeout(14_000);
    gateway.isDown = false;
    expect((await resumed).code).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 60 });
  });
});

describe("an outage", () => {
  test("holds a conversation, of which no turn is skipped", async () => {
    const gateway = await startGateway({ during: downAfter(9, 1_500) });
    const turns = Array.from({ length: 24 }, (_, i) => `c${i % 8},${1 + Math.floor(i / 8)},say ${i}`);
    const tandem = new Tandem().file("p.csv", `conversation,turn,input_prompt\n${turns.join("\n")}\n`).file(
      "s.yaml",
      `dataset: p.csv
case: { cluster: conversation, turn: turn }
deployments: { prod: { base_url: "${gateway.url}", retries: 0 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }`,
    );
    const { code, err } = await tandem.run("run", "s.yaml");
    expect(code, err).toBe(0);
    const { ok = 0, skipped = 0 } = ends(tandem);
    // Nothing is tried again here: one answer that was not known to be of an outage may end one conversation.
    expect(ok).toBeGreaterThanOrEqual(21);
    expect(ok + skipped).toBeGreaterThanOrEqual(23);
    const histories = gateway.sound.map(({ body }) => (JSON.parse(body) as { messages: unknown[] }).messages.length);
    expect(Math.max(...histories)).toBe(4);
  });

  slowTest("is looked for by the questions for open runs, which cost nothing", async () => {
    const states = new Map<string, number>();
    const gateway = await startGateway({
      during: downAfter(20, 6_000),
      answer: ({ path, prompt }) => {
        if (prompt !== "") {
          const id = `r${String(states.size).padStart(11, "0")}`;
          states.set(id, 0);
          const urls = {
            web_url: `http://x/?run_id=${id}`,
            status_url: `${gateway.url}/v3/video-bots/status/?run_id=${id}`,
          };
          return {
            status: 202,
            body: JSON.stringify({ run_id: id, created_at: "2026-11-20T19:30:12+00:00", ...urls }),
          };
        }
        const id = /run_id=(\w+)/.exec(path)?.[1] ?? "";
        const asked = (states.get(id) ?? 0) + 1;
        states.set(id, asked);
        const reported = {
          run_id: id,
          web_url: "http://x",
          created_at: "2026-11-20T19:30:12+00:00",
          run_time_sec: 1,
          detail: "",
        };
        const ended = asked > 1;
        const output = ended ? { output_text: ["fine"] } : null;
        return { body: JSON.stringify({ ...reported, status: ended ? "completed" : "running", output }) };
      },
    });
    const tandem = new Tandem().file("p.csv", prompts(24)).file(
      "s.yaml",
      `dataset: p.csv
deployments: { prod: { base_url: "${gateway.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a, mode: async } }`,
    );
    const { code, err } = await tandem.run("run", "s.yaml", "--no-preflight");
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 24 });
    expect(states.size).toBe(24);
    const submitted = gateway.refused.filter(({ prompt }) => prompt !== "");
    // No submission looks for it while there is a run to be asked for.
    expect(submitted.length).toBeLessThanOrEqual(wasted(4, 0));
  });

  slowTest("of one side does not hold up the other, in lockstep neither", async () => {
    const prod = await startGateway({ during: downAfter(10, 3_000) });
    const other = await startGateway();
    const tandem = new Tandem().file("p.csv", prompts(40));
    const { code, err } = await tandem.run(...runAt({ prod, other }, "--set", "interleave=strict"));
    expect(code, err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 80 });
    const lastOther = Math.max(...other.sound.map(({ at }) => at));
    const back = Math.max(...prod.refused.map(({ at }) => at));
    expect(lastOther).toBeLessThan(back);
  });

  test("counts for --budget by what was sent, and not for --max-failures", async () => {
    const gateway = await startGateway({ during: downAfter(20, 1_500) });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--max-failures", "1", "--budget", "40"));
    expect(code).toBe(3);
    expect(err).toContain("40 requests are spent (--budget)");
    expect(gateway.received).toHaveLength(40);
    expect(ends(tandem)).toEqual({ ok: 40 - gateway.refused.length, unfinished: 20 + gateway.refused.length });
  });

  test("of a judge is waited for, too", async () => {
    const bot = await startGateway();
    const judge = await startGateway({
      during: downAfter(10, 1_500),
      answer: () => record('{"reason": "it says so", "score": 1}'),
    });
    const tandem = new Tandem().file("p.csv", prompts(30)).file(
      "s.yaml",
      `dataset: p.csv
deployments: { prod: { base_url: "${bot.url}" }, judges: { base_url: "${judge.url}", retries: 0 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: { deployment: judges, endpoint: video-bots, example_id: j } }
scorers: [{ name: good, type: judge, target: strict }]`,
    );
    const { code, err } = await tandem.run("run", "s.yaml");
    expect(code, err).toBe(0);
    const [graded] = tandem.query<{ n: number }>("SELECT count(*) AS n FROM score WHERE value IS NOT NULL");
    expect(graded?.n).toBeGreaterThanOrEqual(29);
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

  test("some rows that always get one end, and the first row of all may be among them", async () => {
    const isBad = (prompt: string): boolean => Number(prompt.split(" ")[1]) % 4 === 0;
    const gateway = await startGateway({
      answer: ({ prompt }) => (isBad(prompt) ? badGateway() : { ...record(prompt), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(60));
    const { ended } = tandem.begin(...runAt({ prod: gateway }, "--set", "wait_for_service=3s"));
    const { err } = await ended;
    expect(ends(tandem)["ok"], err).toBe(45);
    // Each is asked at most three times, and again for each of two outages that they were taken for.
    for (const bad of gateway.received.filter(({ prompt }) => isBad(prompt))) expect(bad.time).toBeLessThanOrEqual(12);
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

  test.each([
    ["JSON", '{"detail":"KeyError: answer"}'],
    ["XML", "<?xml version='1.0'?><fault>KeyError: answer</fault>"],
    ["a line of text", "Internal Server Error"],
  ])("a service that asks to come back later, and one whose own errors are %s, are none", async (_, body) => {
    const tandem = new Tandem().file("p.csv", prompts(20));
    const slow = await startGateway({
      answer: ({ prompt, time }) =>
        time === 1 ? { ...badGateway(503), headers: { "retry-after": "0.1" } } : record(prompt),
    });
    const broken = await startGateway({ answer: () => ({ status: 500, body }) });
    const { err } = await tandem.run(...runAt({ slow, broken }, "--set", "retries=1", "--no-preflight"));
    expect(err).not.toContain("nothing is lost");
    expect(slow.received).toHaveLength(40);
    expect(broken.received).toHaveLength(40);
    expect(tandem.query("SELECT count(*) AS n FROM outage")).toEqual([{ n: 0 }]);
  });

  test.each([
    ["a page with the status 500", badGateway(500)],
    ["nothing but the status 500", { status: 500, body: "" }],
    ["a bad gateway", badGateway(502)],
    ["a gateway's time-out", badGateway(504)],
  ])("%s, again and again, is one", async (_, reply) => {
    const tandem = new Tandem().file("p.csv", prompts(30));
    const gateway = await startGateway({ during: downAfter(10, 400), down: () => reply });
    expect((await tandem.run(...runAt({ prod: gateway }, "--quiet"))).code).toBe(0);
    expect(ends(tandem)).toEqual({ ok: 30 });
    expect(tandem.query("SELECT status FROM outage")).toEqual([{ status: reply.status }]);
  });

  test("is not seen in rows that break the bot, which says so in a line of text", async () => {
    const isBad = (prompt: string): boolean => Number(prompt.split(" ")[1]) % 4 === 0;
    const prod = await startGateway({
      answer: ({ prompt }) => (isBad(prompt) ? plain500 : { ...record(prompt), delayMs: 3 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(80));
    const { code, err } = await tandem.run(...runAt({ prod }, "--set", "wait_for_service=20s"));
    expect(ends(tandem), err).toEqual({ ambiguous: 20, ok: 60 });
    expect(code).not.toBe(3);
  });
});
