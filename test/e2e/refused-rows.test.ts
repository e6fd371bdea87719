import { describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "./gateway.ts";
import { record, type Reply, type Service, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const json = { "content-type": "application/json" };
const page = { "content-type": "text/html" };

/** Refusals that a whole deployment, or one row, may meet. */
const refusals: Record<string, Reply> = {
  "401": { status: 401, headers: json, body: '{"detail":{"error":"no such key"}}' },
  "402": { status: 402, headers: json, body: '{"detail":{"error":"too long for your credits"}}' },
  "403": { status: 403, headers: page, body: "<html><h1>Request blocked</h1></html>" },
  "404": { status: 404, headers: json, body: '{"detail":"nothing here"}' },
  "302": { status: 302, headers: { location: "/blocked" }, body: "" },
  "a page with status 200": { headers: page, body: "<html><h1>Are you a robot?</h1></html>" },
  "JSON without output": { headers: json, body: '{"blocked":true}' },
};
const kinds = Object.keys(refusals);
const refusal = (kind: string): Reply => ({ ...refusals[kind], delayMs: 2 });

const ends = (tandem: Tandem): Record<string, number> =>
  Object.fromEntries(
    tandem
      .query<{ outcome: string | null; n: number }>(
        "SELECT CASE outcome WHEN 'ok' THEN 'ok' ELSE iif(outcome IS NULL, 'unfinished', 'failed') END AS outcome, count(*) AS n FROM job GROUP BY 1",
      )
      .map(({ outcome, n }) => [outcome ?? "", n]),
  );

/** The number of the request that is answered now: cases are sent in an order that is drawn. */
const placeOf = ({ received }: Gateway): number => received.length;
const answer = ({ prompt }: { prompt: string }): Reply => ({ ...record(prompt), delayMs: 3 });
const rows = 60;

describe("one row that is refused", () => {
  test.each(kinds)("is a failure of that row, in its words: %s", async (kind) => {
    const gateway: Gateway = await startGateway({
      answer: (got) => (placeOf(gateway) === 23 ? refusal(kind) : answer(got)),
    });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }));
    expect(ends(tandem), err).toEqual({ ok: rows - 1, failed: 1 });
    expect(code).not.toBe(3);
    expect(gateway.received).toHaveLength(rows);
    const failed = tandem.query<{ prompt: string }>(
      `SELECT "case".input ->> '$.input_prompt' AS prompt FROM job JOIN "case" ON "case".id = job.case_id WHERE job.outcome <> 'ok'`,
    );
    expect(failed).toEqual([{ prompt: gateway.received[22]?.prompt }]);
  });

  test.each([
    ["every fifth, one at a time", 1, (n: number): boolean => n % 5 === 0],
    ["every fourth", 4, (n: number): boolean => n % 4 === 3],
    ["every third, answered sooner than the others", 8, (n: number): boolean => n % 3 === 2],
    ["the last three", 4, (n: number): boolean => n > rows - 3],
  ])("and so are many among accepted ones: %s", async (_, concurrency, isBad) => {
    const gateway: Gateway = await startGateway({
      answer: (got) => (isBad(placeOf(gateway)) ? refusal("403") : { ...record(got.prompt), delayMs: 30 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--concurrency", String(concurrency)));
    const bad = Array.from({ length: rows }, (_each, index) => index + 1).filter(isBad).length;
    expect(ends(tandem), err).toEqual({ ok: rows - bad, failed: bad });
    expect(code).not.toBe(3);
    expect(gateway.received).toHaveLength(rows);
  });

  test.each(["403", "404", "JSON without output"])(
    "and so are those that are answered before any is accepted, without a first case: %s",
    async (kind) => {
      const isBad = (n: number): boolean => n % 4 === 1;
      const gateway: Gateway = await startGateway({
        answer: (got) => (isBad(placeOf(gateway)) ? refusal(kind) : { ...record(got.prompt), delayMs: 40 }),
      });
      const tandem = new Tandem().file("p.csv", prompts(rows));
      const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--no-preflight"));
      expect(ends(tandem), err).toEqual({ ok: 45, failed: 15 });
      expect(code).not.toBe(3);
      expect(gateway.received).toHaveLength(rows);
    },
  );

  test("and so is the first that a resume sends, where others of it are accepted", async () => {
    let from = Number.POSITIVE_INFINITY;
    const gateway: Gateway = await startGateway({
      answer: (got) => (placeOf(gateway) === from + 1 ? refusal("403") : { ...record(got.prompt), delayMs: 40 }),
    });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    await tandem.killWhen(() => gateway.received.length >= 20, ...runAt({ prod: gateway }));
    from = gateway.received.length;
    const { code, err } = await tandem.run("resume");
    expect(ends(tandem), err).toEqual({ ok: rows - 1, failed: 1 });
    expect(code).not.toBe(3);
  });

  test("ends the turns that follow it in its conversation, and nothing else", async () => {
    const talks = Array.from({ length: 20 }, (_, i) => `t${i}a,talk ${i},1,ask ${i} a\nt${i}b,talk ${i},2,ask ${i} b`);
    const gateway = await startGateway({ answer: (got) => (got.prompt === "ask 9 a" ? refusal("403") : answer(got)) });
    const tandem = new Tandem().file("p.csv", `id,talk,turn,question\n${talks.join("\n")}\n`).file(
      "suite.yaml",
      `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
deployments: { prod: { base_url: "${gateway.url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
    );
    const { err } = await tandem.run("run", "suite.yaml");
    expect(tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1"), err).toEqual([
      { outcome: "auth", n: 1 },
      { outcome: "ok", n: 38 },
      { outcome: "skipped", n: 1 },
    ]);
  });
});

describe("a key, or a target, that is refused from one moment on", () => {
  const revoked =
    (kind: string, after: number, state: { isMended: boolean }) => (got: { prompt: string }, g: Gateway) =>
      !state.isMended && g.received.length > after ? refusal(kind) : answer(got);

  test.each(kinds)("stops after five and what is in flight, and costs no row: %s", async (kind) => {
    const state = { isMended: false };
    const reply = revoked(kind, 20, state);
    const gateway: Gateway = await startGateway({ answer: (got) => reply(got, gateway) });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }));
    expect(code, err).toBe(3);
    expect(ends(tandem)).toEqual({ ok: 20, unfinished: rows - 20 });
    expect(gateway.received.length).toBeLessThanOrEqual(20 + 5 + 4);
    expect(err).toMatch(/cases k\d+, k\d+, k\d+ and \d+ more, one after the other/);
    const refused = new Set(gateway.received.slice(20).map(({ prompt }) => prompt));
    state.isMended = true;
    const again = await tandem.run("resume");
    expect(again.code, again.err).toBe(0);
    expect(ends(tandem)).toEqual({ ok: rows });
    expect(gateway.received).toHaveLength(rows + refused.size);
    // Those that were refused are sent when all others were.
    expect(new Set(gateway.received.slice(-refused.size).map(({ prompt }) => prompt))).toEqual(refused);
  });

  test.each(kinds)("stops with what is in flight, and costs no row, where no first case is sent: %s", async (kind) => {
    const gateway: Gateway = await startGateway({ answer: () => refusal(kind) });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    const { code, err } = await tandem.run(...runAt({ prod: gateway }, "--no-preflight"));
    expect(code, err).toBe(3);
    expect(ends(tandem)).toEqual({ unfinished: rows });
    expect(gateway.received.length).toBeLessThanOrEqual(4);
  });

  test("stops at the first request of a later process, in which nothing was accepted", async () => {
    const state = { isMended: false };
    const reply = revoked("401", 20, state);
    const gateway: Gateway = await startGateway({ answer: (got) => reply(got, gateway) });
    const tandem = new Tandem().file("p.csv", prompts(rows));
    await tandem.run(...runAt({ prod: gateway }));
    const before = gateway.received.length;
    const { code, err } = await tandem.run("resume", "--no-preflight");
    expect(code, err).toBe(3);
    expect(gateway.received.length - before).toBeLessThanOrEqual(4);
    expect(ends(tandem)).toEqual({ ok: 20, unfinished: rows - 20 });
  });
});

test.each(["404", "403"])("one of two targets that is refused stops alone, and costs no row: %s", async (kind) => {
  let [ofNew, isMended] = [0, false];
  const service: Service = await startService((got) => {
    const isNew = got.path.includes("new-bot");
    if (isNew) ofNew += 1;
    return isNew && ofNew > 10 && !isMended ? refusal(kind) : answer(got);
  });
  const tandem = new Tandem().file("p.csv", prompts(rows)).file(
    "suite.yaml",
    `dataset: p.csv
case: { key: id, input: { input_prompt: input_prompt } }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, concurrency: 8 } }
targets:
  old: { deployment: prod, endpoint: video-bots, example_id: old-bot }
  new: { deployment: prod, endpoint: video-bots, example_id: new-bot }
`,
  );
  const ofTargets = (): unknown[] =>
    tandem.query(
      "SELECT target.name, job.outcome, count(*) AS n FROM job JOIN target ON target.id = job.target_id GROUP BY 1, 2 ORDER BY 1, 2",
    );
  const { code, err } = await tandem.run("run", "suite.yaml");
  expect(code, err).toBe(3);
  expect(ofTargets()).toEqual([
    { name: "new", outcome: null, n: rows - 10 },
    { name: "new", outcome: "ok", n: 10 },
    { name: "old", outcome: "ok", n: rows },
  ]);
  isMended = true;
  expect((await tandem.run("resume")).code).toBe(0);
  expect(ends(tandem)).toEqual({ ok: 2 * rows });
});

test("a first row that is refused stops the run with its name, and is the last of the resume", async () => {
  const gateway: Gateway = await startGateway({
    answer: (got) => (got.prompt === gateway.received[0]?.prompt ? refusal("403") : answer(got)),
  });
  const tandem = new Tandem().file("p.csv", prompts(rows));
  const { code, err } = await tandem.run(...runAt({ prod: gateway }));
  expect(code).toBe(3);
  expect(gateway.received).toHaveLength(1);
  const [{ prompt } = { prompt: "" }] = gateway.received;
  expect(err).toContain(`(case ${prompt.replace("prompt ", "k")})`);
  const again = await tandem.run("resume");
  expect(again.code).not.toBe(3);
  expect(ends(tandem)).toEqual({ ok: rows - 1, failed: 1 });
  expect(gateway.received.at(-1)?.prompt).toBe(prompt);
  expect(gateway.received).toHaveLength(rows + 1);
});

test.each(["402", "403", "a page with status 200"])("a judge refuses one question: %s", async (kind) => {
  const bot = await startService(answer);
  const judge: Service = await startService(() =>
    judge.received.length === 11 ? refusal(kind) : { ...record('{"score": 1, "reason": "fine"}'), delayMs: 2 },
  );
  const tandem = new Tandem().file("p.csv", prompts(30)).file(
    "suite.yaml",
    `dataset: p.csv
deployments:
  prod: { base_url: "${bot.url}", api_key_env: TANDEM_API_KEY }
  bench: { base_url: "${judge.url}", api_key_env: TANDEM_API_KEY }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { bench: { deployment: bench, endpoint: video-bots, example_id: j } }
scorers: [{ name: helpful, type: judge, target: bench }]
`,
  );
  const { code, err } = await tandem.run("run", "suite.yaml");
  expect(code, err).not.toBe(3);
  // Beside the 30 there is the first question, which shows whether the judge answers at all.
  expect(tandem.query("SELECT count(*) AS n FROM job WHERE kind = 'judge' AND outcome = 'ok'")).toEqual([{ n: 30 }]);
  expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome IS NULL")).toEqual([{ n: 0 }]);
  expect(judge.received).toHaveLength(31);
});
