import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Tandem } from "./tandem.ts";

interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

interface Odd {
  url: string;
  asked: Asked[];
}

/** A server with a schema of its own, which no library knows. */
async function startOdd(
  answer: (asked: Asked) => { status?: number; type?: string; body: string; headers?: Record<string, string> },
): Promise<Odd> {
  const odd: Odd = { url: "", asked: [] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const asked = { method, url, headers, body: Buffer.concat(chunks).toString() };
      odd.asked.push(asked);
      const { status = 200, type = "application/json", body, headers: more = {} } = answer(asked);
      response.writeHead(status, { "content-type": type, ...more });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  odd.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return odd;
}

const suite = (url: string, endpoint: string, more = ""): string => `dataset: a.csv
deployments: { ours: { base_url: "${url}/api", concurrency: 1, retries: 0 } }
targets:
  bot: { deployment: ours, endpoint: ${endpoint} }
${more}`;

interface Kept {
  key: string;
  id: string | null;
  url: string | null;
  created_at: string | null;
  answer: string;
  outcome: string;
}

const kept = (tandem: Tandem): Kept[] =>
  tandem.query("SELECT case_key AS key, id, url, created_at, answer, outcome FROM run_records ORDER BY case_key");

describe("an endpoint that the suite describes", () => {
  test("is sent the body of its template, and its reply is read where the suite says", async () => {
    const odd = await startOdd(({ body }) => {
      const { q } = JSON.parse(body) as { q: string };
      const text = [{ part: `heard ${q}` }];
      return {
        body: JSON.stringify({ run: { no: 7, link: "https://ours.example/7" }, reply: { text }, at: "2026-11-22" }),
      };
    });
    const endpoint = `{ path: "/chat/{{ input_prompt | slice: 0 }}", query: { lang: "{{ language }}" }, headers: { X-Tenant: "\${TENANT}", Accept: application/json },
      body: { q: "{{ input_prompt }}", n: 3, top: $top, history: $messages, all: $conversation, none: $nothing }, answer: "$.reply.text[*].part", id: $.run.no, url: $.run.link, created_at: $.at }`;
    const mapped = `case: { key: id, input: { input_prompt: question, language: language, top: { column: top, type: json }, nothing: { column: empty, type: json } } }`;
    const tandem = new Tandem()
      .env({ TENANT: "tenant-secret-1" })
      .file("suite.yaml", suite(odd.url, endpoint, mapped))
      .file("a.csv", 'id,question,language,top,empty\nq1,one & two/three,am,"{""k"": [1, null]}",\n');
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("ours: the header X-Tenant (TENANT) is sent to http://127.0.0.1"),
    ]);
    const [asked] = odd.asked;
    expect(asked).toMatchObject({ method: "POST", url: "/api/chat/o?lang=am" });
    expect(asked?.headers).toMatchObject({ "x-tenant": "tenant-secret-1", "content-type": "application/json" });
    expect(asked?.headers.authorization).toBeUndefined();
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      q: "one & two/three",
      n: 3,
      top: { k: [1, null] },
      history: [],
      all: [{ role: "user", content: "one & two/three" }],
    });
    expect(kept(tandem)).toEqual([
      {
        key: "q1",
        id: "7",
        url: "https://ours.example/7",
        created_at: "2026-11-22",
        answer: "answered",
        outcome: "ok",
      },
    ]);
    expect(tandem.text("results/tandem.db")).not.toContain("tenant-secret-1");
  });

  test("may take a form and answer with plain text, turn after turn", async () => {
    const odd = await startOdd(({ body }) => {
      const form = new URLSearchParams(body);
      return { type: "text/plain", body: `you said ${form.get("text")} after ${form.get("before")}` };
    });
    const tandem = new Tandem()
      .env({})
      .file("a.csv", "talk,turn,question\nt,1,one\nt,2,two\n")
      .file(
        "suite.yaml",
        suite(
          odd.url,
          `{ path: /say, form: { text: "{{ input_prompt }}", before: "{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}" } }`,
          "case: { cluster: talk, turn: turn, input: { input_prompt: question } }",
        ),
      );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(odd.asked.map(({ headers }) => headers["content-type"])).toEqual([
      "application/x-www-form-urlencoded",
      "application/x-www-form-urlencoded",
    ]);
    const last = new URLSearchParams(odd.asked.at(-1)?.body);
    expect(last.get("before")).toBe("user:one;assistant:you said one after ;");
  });

  test("may be asked by GET and answer with a list", async () => {
    const odd = await startOdd(({ url }) => ({ body: JSON.stringify([{ generated: url }]) }));
    const tandem = new Tandem()
      .env({ TANDEM_OURS_API_KEY: "sk-ours-123456" })
      .file("a.csv", "id,question,expected\nq1,one,/api?q=one\n")
      .file(
        "suite.yaml",
        suite(
          odd.url,
          '{ method: GET, query: { q: $input_prompt }, answer: "$[0].generated" }',
          "scorers: [{ type: equals }]",
        ),
      );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(odd.asked[0]).toMatchObject({ method: "GET", body: "" });
    expect(odd.asked[0]?.headers).toMatchObject({ authorization: "Bearer sk-ours-123456" });
    expect(odd.asked[0]?.headers["content-type"]).toBeUndefined();
    expect(tandem.query("SELECT pass FROM score")).toEqual([{ pass: 1 }]);
  });

  test("tells what a status means, and where an error stands", async () => {
    const replies: Record<string, { status?: number; body: string; headers?: Record<string, string> }> = {
      fine: { body: '{"reply":"fine"}' },
      none: { body: '{"reply":""}' },
      failed: { body: '{"oops":{"text":"the model fell over"}}' },
      wrong: { status: 418, body: '{"oops":{"text":"not like that"}}' },
      busy: { status: 409, body: '{"oops":{"text":"busy"}}', headers: { "retry-after": "0.05" } },
      page: { status: 500, body: "{}" },
    };
    const seen = new Set<string>();
    const odd = await startOdd(({ body }) => {
      const { q } = JSON.parse(body) as { q: string };
      if (q === "busy" && seen.has(q)) return { body: '{"reply":"now"}' };
      seen.add(q);
      return replies[q] ?? { body: "{}" };
    });
    const names = Object.keys(replies);
    const tandem = new Tandem()
      .env({})
      .file("a.csv", `id,question\n${names.map((name) => `${name},${name}`).join("\n")}\n`)
      .file(
        "suite.yaml",
        suite(
          odd.url,
          '{ path: /chat, body: { q: "{{ input_prompt }}" }, answer: $.reply, error: $.oops.text, statuses: { "409": throttled } }',
        ),
      );
    await tandem.run("run", "suite.yaml", "--no-preflight");
    const jobs = tandem.query<{ key: string; outcome: string; error: string | null }>(
      'SELECT "case".key, attempt.outcome, attempt.error FROM attempt JOIN job ON job.id = attempt.job_id JOIN "case" ON "case".id = job.case_id ORDER BY attempt.done_at',
    );
    const outcomes = Object.fromEntries(
      names.map((name) => [name, jobs.filter(({ key }) => key === name).map((each) => each.outcome)]),
    );
    expect(outcomes).toEqual({
      fine: ["ok"],
      none: ["ok"],
      failed: ["run-failed"],
      wrong: ["rejected"],
      busy: ["throttled", "ok"],
      page: ["ambiguous"],
    });
    expect(jobs.find(({ key }) => key === "failed")?.error).toBe("the model fell over");
    expect(jobs.find(({ key }) => key === "wrong")?.error).toContain("not like that");
  });

  test("with an answer where there is none stops after the first case, and shows the reply", async () => {
    const odd = await startOdd(() => ({ body: '{"data":{"answer":"here"}}' }));
    const rows = Array.from({ length: 20 }, (_, i) => `q${i},question ${i}`).join("\n");
    const tandem = new Tandem()
      .env({})
      .file("a.csv", `id,question\n${rows}\n`)
      .file("suite.yaml", suite(odd.url, '{ path: /chat, body: { q: "{{ input_prompt }}" }, answer: $.reply.text }'));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(odd.asked).toHaveLength(1);
    const said = out.replaceAll(/\s+/g, " ");
    expect(said).toContain('$.reply.text finds nothing in the reply, which begins {"data":{"answer":"here"}}');
    // Corrected, the rest is sent.
    tandem.file(
      "suite.yaml",
      suite(odd.url, '{ path: /chat, body: { q: "{{ input_prompt }}" }, answer: $.data.answer }'),
    );
    const again = await tandem.run("resume", "--suite", "suite.yaml", "--accept-changes");
    expect([again.code, odd.asked.length]).toEqual([0, 21]);
  });

  test.each(["null", '{"other":1}'])("with an answer that is not there any more says why: %s", async (body) => {
    const odd = await startOdd((asked) => ({ body: asked.body.includes("question 1") ? body : '{"reply":"here"}' }));
    const rows = Array.from({ length: 20 }, (_, i) => `q${i},question ${i}`).join("\n");
    const tandem = new Tandem()
      .env({})
      .file("a.csv", `id,question\n${rows}\n`)
      .file("suite.yaml", suite(odd.url, '{ path: /chat, body: { q: "{{ input_prompt }}" }, answer: $.reply }'));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(4);
    expect(out.replaceAll(/\s+/g, " ")).toContain('The reason: empty: "$.reply finds nothing in the reply"');
  });

  test("with faults in its description is refused with line and column, and nothing is sent", async () => {
    const tandem = new Tandem()
      .env({})
      .file("a.csv", "id,question\nq1,one\n")
      .file(
        "suite.yaml",
        `dataset: a.csv
case: { input: { input_prompt: question } }
deployments: { ours: { base_url: "http://127.0.0.1:1" } }
targets:
  a: { deployment: ours, endpoint: { path: /a, body: { q: "{{ promt }}" } } }
  b: { deployment: ours, endpoint: { path: /a, body: { q: "{{ input_prompt" } } }
  c: { deployment: ours, endpoint: { path: /a, answer: "$.a[" } }
  d: { deployment: ours, endpoint: { path: /a, headers: { X-A: "a\\nb" } } }
  e: { deployment: ours, endpoint: { path: /a, body: { q: $input_promt }, form: { a: b } } }
  f: { deployment: ours, endpoint: { path: a?b } }
  g: { deployment: ours, endpoint: { path: /a, body: { q: 1 } }, example_id: x }
  h: { deployment: ours, endpoint: chat-completions }
  i: { deployment: ours, endpoint: video-bots, example_id: a, model: b }
  j: { deployment: ours, endpoint: { path: /a, headers: { X-Api-Key: sk-as-it-stands } } }
  k: { deployment: ours, endpoint: { path: "/a/{{ input_prompt }}/../b" } }
  l: { deployment: ours, endpoint: { path: "/a/%2e%2E/b" } }
`,
      );
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(2);
    expect(err).not.toContain("sk-as-it-stands");
    const said = err.split("\n").map((line) => line.trim());
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^suite\.yaml:5:\d+: .*uses the field "promt", which no case has/),
        expect.stringMatching(/^suite\.yaml:6:\d+: .*is not Liquid/),
        expect.stringMatching(/^suite\.yaml:7:\d+: .*must be a JSONPath such as \$\.reply\.text/),
        expect.stringMatching(/^suite\.yaml:8:\d+: .*cannot hold a line break/),
        expect.stringMatching(/^suite\.yaml:9:\d+: .*cannot be used together with body/),
        expect.stringMatching(/^suite\.yaml:10:\d+: .*must begin with \//),
        expect.stringMatching(/^suite\.yaml:11:\d+: .*example_id is not for the endpoint http/),
        expect.stringMatching(/^suite\.yaml:12:\d+: .*model is required/),
        expect.stringMatching(/^suite\.yaml:13:\d+: .*model is not for the endpoint video-bots/),
        expect.stringMatching(/^suite\.yaml:14:\d+: .*X-Api-Key is a secret as it stands: write \$\{NAME\}/),
        expect.stringMatching(
          /^suite\.yaml:15:\d+: .*path must not hold the segment \.\., which leads to another path/,
        ),
        expect.stringMatching(/^suite\.yaml:16:\d+: .*path must not hold the segment %2e%2E/),
      ]),
    );
  });

  test("with a field that no column has is refused too where columns map themselves, but for what the target sets", async () => {
    const odd = await startOdd(({ body }) => ({ body: JSON.stringify({ reply: body }) }));
    const endpoint = '{ path: /a, body: { q: $input_prompt, who: $customer, t: "{{ tone }}" }, answer: $.reply }';
    const tandem = new Tandem().env({}).file("suite.yaml", suite(odd.url, endpoint));
    const refused = await tandem.file("a.csv", "id,question,custmer,tone\nq1,one,c1,dry\n").run("run", "suite.yaml");
    expect([refused.code, odd.asked.length]).toEqual([2, 0]);
    expect(refused.err).toContain('Did you mean "custmer"?');
    expect((await tandem.run("check", "--offline", "suite.yaml")).code).toBe(2);
    const own = suite(odd.url, `${endpoint}, body: { customer: { no: 7 } }`);
    expect((await tandem.file("suite.yaml", own).run("check", "--offline", "suite.yaml")).code).toBe(0);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(JSON.parse(odd.asked[0]?.body ?? "")).toEqual({ q: "one", who: { no: 7 }, t: "dry" });
  });

  test("with a header whose variable is not set is told before anything is sent", async () => {
    const odd = await startOdd(() => ({ body: "{}" }));
    const tandem = new Tandem()
      .env({})
      .file("a.csv", "id,question\nq1,one\n")
      .file(
        "suite.yaml",
        suite(odd.url, '{ path: /a, headers: { X-Tenant: "${NOT_THERE}" }, body: { q: $input_prompt } }'),
      );
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect([code, odd.asked.length]).toEqual([2, 0]);
    expect(err).toContain(
      "The header X-Tenant of the deployment ours needs the environment variable NOT_THERE, which is not set.",
    );
  });

  test("that repeats the value of a header has it redacted", async () => {
    const odd = await startOdd(({ headers }) => ({
      body: JSON.stringify({ reply: `you are ${String(headers["x-tenant"])}` }),
    }));
    const tandem = new Tandem()
      .env({ TENANT: "tenant-secret-1" })
      .file("a.csv", "id,question\nq1,one\n")
      .file(
        "suite.yaml",
        suite(odd.url, '{ path: /a, headers: { X-Tenant: "${TENANT}" }, body: { q: $input_prompt }, answer: $.reply }'),
      );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(tandem.query("SELECT output FROM run_records")).toEqual([{ output: '{"reply":"you are [redacted]"}' }]);
  });
});
