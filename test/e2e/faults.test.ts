import { describe, expect, test } from "vitest";
import { type Received, record, type Reply, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const failed = (id: string, error: string): string =>
  JSON.stringify({
    detail: { id, url: `https://bots.example.test/?run_id=${id}`, created_at: "2026-11-20T19:30:12+00:00", error },
  });

const reported = (error: string): string => JSON.stringify({ detail: { error } });

/** Replies of the service to the first, second ... request of a prompt; afterwards it answers. */
const plays: Record<string, Reply[]> = {
  "दुनिया को नमस्ते 👋🏽": [],
  "a failed run": [{ status: 500, body: failed("aaaaaaaaaaaa", "out of memory") }],
  "a run that fails for ever": [1, 2, 3].map((n) => ({ status: 500, body: failed(`bbbbbbbbbbb${n}`, `failed ${n}`) })),
  "a run that needs a login": [{ status: 401, body: failed("cccccccccccc", "log in elsewhere") }],
  "an unhandled error": [{ status: 500, body: '{"detail":"ValueError: 7"}' }],
  "a bad gateway": [{ status: 502, headers: { "content-type": "text/html" }, body: "<html>502</html>" }],
  "a time-out of the service": [{ status: 504, body: "" }],
  "408": [{ status: 408, body: "{}" }],
  "425": [{ status: 425, body: "{}" }],
  "a reset": [{ act: "reset" }],
  "half a record": [{ body: '{"id":"dddddddddddd","url":"https://x.test/?run_id=dddddddddddd","output":{"outp' }],
  "half a record for ever": [1, 2, 3].map(() => ({ body: '{"id":"eeeeeeeeeeee","output":{"outp' })),
  "too many a minute": [
    {
      status: 429,
      headers: { "retry-after": "0.3712345" },
      body: reported("Rate limit exceeded. Limit: 5000 requests in 1m."),
    },
  ],
  "too many at once": [
    { status: 429, headers: { "retry-after": "240.5" }, body: reported("Busy. Limit: 3 concurrent runs in 30m.") },
  ],
  "come back later": [{ status: 503, headers: { "retry-after": "0.2" }, body: "" }],
  "a wrong request": [{ status: 422, body: '{"detail":[{"type":"missing","loc":["body"],"msg":"no","input":null}]}' }],
  "no reply": [{ body: JSON.stringify({ id: "ffffffffffff", output: { output_text: [], raw_output_text: null } }) }],
};

const play = ({ prompt, time }: Received): Reply => plays[prompt]?.[time - 1] ?? record(`answer to ${prompt}`);

interface Played {
  prompt: string;
  outcome: string;
  attempts: string;
  id: string | null;
}

describe("a service that fails in every way", () => {
  test("each outcome is retried, waited for or final as the contract says, and counted", async () => {
    const service = await startService(play);
    const names = Object.keys(plays);
    const tandem = new Tandem().file(
      "p.csv",
      `id,input_prompt\n${names.map((name, i) => `${i},${name}`).join("\n")}\n`,
    );
    const { code, out, err } = await tandem.run(...runAt({ prod: service }, "-j", "4", "--json"));
    const jobs = tandem.query<Played>(`
      SELECT "case".input ->> '$.input_prompt' AS prompt, job.outcome || coalesce(' ' || job.answer, '') AS outcome,
        (SELECT group_concat(outcome, ' ') FROM (SELECT outcome FROM attempt WHERE job_id = job.id ORDER BY number)) AS attempts,
        (SELECT group_concat(id, ' ') FROM attempt JOIN run_record USING (record) WHERE job_id = job.id AND attempt.outcome <> 'ok') AS id
      FROM job JOIN "case" ON "case".id = job.case_id ORDER BY "case".id`);
    const answered = "ok answered";
    const twice = { outcome: answered, attempts: "ambiguous ok", id: null };
    expect(Object.fromEntries(jobs.map(({ prompt, ...rest }) => [prompt, rest])), err).toEqual({
      "दुनिया को नमस्ते 👋🏽": { outcome: answered, attempts: "ok", id: null },
      "a failed run": { outcome: answered, attempts: "run-failed ok", id: "aaaaaaaaaaaa" },
      "a run that fails for ever": {
        outcome: "run-failed",
        attempts: "run-failed run-failed run-failed",
        id: "bbbbbbbbbbb1 bbbbbbbbbbb2 bbbbbbbbbbb3",
      },
      "a run that needs a login": { outcome: answered, attempts: "run-failed ok", id: "cccccccccccc" },
      "an unhandled error": twice,
      "a bad gateway": twice,
      "a time-out of the service": twice,
      "408": twice,
      "425": twice,
      "a reset": twice,
      "half a record": { ...twice, id: "dddddddddddd" },
      "half a record for ever": {
        outcome: "ambiguous",
        attempts: "ambiguous ambiguous ambiguous",
        id: "eeeeeeeeeeee eeeeeeeeeeee eeeeeeeeeeee",
      },
      "too many a minute": { outcome: answered, attempts: "throttled ok", id: null },
      "too many at once": { outcome: answered, attempts: "throttled ok", id: null },
      "come back later": { outcome: answered, attempts: "throttled ok", id: null },
      "a wrong request": { outcome: "rejected", attempts: "rejected", id: null },
      "no reply": { outcome: "ok empty", attempts: "ok", id: null },
    });
    expect(service.received).toHaveLength(jobs.flatMap(({ attempts }) => attempts.split(" ")).length);
    // Seven were sent again once, one twice.
    expect(JSON.parse(out)).toMatchObject({ state: "finished", possiblyPaidTwice: 9 });
    // Three of seventeen cases have no answer: that is more than `errors` allows a target.
    expect(code).toBe(4);
    // The wait that a 429 of the concurrency kind names is a guess; that of the other kind is not.
    const [first, second] = service.received.filter(({ prompt }) => prompt === "too many a minute");
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(371);
  });

  test("what stops a target or a deployment stops nothing else, says why, and a resume finishes the rest", async () => {
    let isWell = false;
    const sick: Record<string, (received: Received) => Reply> = {
      broke: () => ({ status: 402, body: failed("aaaaaaaaaaaa", "You have run out of credits.") }),
      locked: () => ({ status: 401, body: reported("Missing Authorization header.") }),
      moved: () => ({ status: 302, headers: { location: "https://elsewhere.example.test/" } }),
      gone: () => ({ status: 404, body: '{"detail":"Not Found"}' }),
      wrong: ({ time, prompt }) => ({
        status: 500,
        body: failed(`bbbbbbbbbb${time}${prompt.length % 10}`, "Unknown model: gpt-9"),
      }),
      well: ({ prompt }) => record(prompt),
    };
    const services = await Promise.all(
      Object.values(sick).map((answer) =>
        startService((received) => (isWell ? record(received.prompt) : answer(received))),
      ),
    );
    const names = Object.keys(sick);
    const tandem = new Tandem().file("p.csv", prompts(12));
    const at = Object.fromEntries(names.map((name, index) => [name, { url: services[index]?.url ?? "" }]));
    const { code, out } = await tandem.run(...runAt(at, "-j", "2", "--no-preflight", "--json"));
    expect(code).toBe(3);
    const told402 = services[0]?.received.length ?? 0;
    expect(told402).toBeLessThanOrEqual(2);
    for (const index of [1, 2, 3]) expect(services[index]?.received.length).toBeLessThanOrEqual(2);
    expect(services[4]?.received.length).toBeGreaterThanOrEqual(5);
    expect(services[5]?.received).toHaveLength(12);
    const { stopped } = JSON.parse(out) as { stopped: { name: string; reason: string }[] };
    const reasons = stopped.map(({ name, reason }) => `${name}: ${reason}`).join("\n");
    for (const text of [
      "out of credits",
      "Missing Authorization",
      "elsewhere.example.test",
      "Not Found",
      "Unknown model",
    ])
      expect(reasons).toContain(text);
    expect(reasons).not.toContain("well");
    isWell = true;
    const again = await tandem.run("resume", "--json");
    expect([0, 4], again.err).toContain(again.code);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome IS NULL")).toEqual([{ n: 0 }]);
    expect(services[5]?.received).toHaveLength(12);
  });

  test("on_ambiguous: fail sends nothing again that may have been paid", async () => {
    const service = await startService(({ prompt }) =>
      prompt === "prompt 2" ? { status: 502, body: "?" } : record(prompt),
    );
    const tandem = new Tandem().file("p.csv", prompts(3)).file(
      "suite.yaml",
      `dataset: p.csv
deployments: { prod: { base_url: ${service.url}, api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
on_ambiguous: fail
`,
    );
    const { out } = await tandem.run("run", "suite.yaml", "--json");
    expect(service.received).toHaveLength(3);
    expect(tandem.query("SELECT outcome, possibly_paid AS paid FROM attempt ORDER BY outcome")).toEqual([
      { outcome: "ambiguous", paid: 1 },
      { outcome: "ok", paid: 0 },
      { outcome: "ok", paid: 0 },
    ]);
    expect(JSON.parse(out)).toMatchObject({ possiblyPaidTwice: 0 });
  });
});
