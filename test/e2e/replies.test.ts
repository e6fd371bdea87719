import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Tandem } from "./tandem.ts";

interface Given {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** A service that replies as a test says, to the body that it was sent. */
async function startReplying(reply: (asked: string, authorization: string) => Given) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      asked.push(body);
      const given = reply(body, request.headers.authorization ?? "");
      response.writeHead(given.status ?? 200, { "content-type": given.type ?? "application/json", ...given.headers });
      response.end(given.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A suite with one target, whose endpoint and further keys are written in a line. */
const suite = (url: string, target: string, more = ""): string => `name: replies
dataset: a.csv
case: { key: id, input: { input_prompt: question }, expected: expected }
deployments: { ours: { base_url: "${url}", concurrency: 1, retries: 0 } }
targets: { bot: { deployment: ours, ${target} } }
scorers: [{ type: contains, primary: true }]
${more}`;

interface Ended {
  key: string;
  outcome: string;
  error: string | null;
  pass: number | null;
}

const ends = (tandem: Tandem): Ended[] =>
  tandem.query(`SELECT "case".key, coalesce(job.answer, job.outcome) AS outcome, attempt.error,
      (SELECT pass FROM score WHERE score.job_id = job.id) AS pass
    FROM job JOIN "case" ON "case".id = job.case_id
    JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt ORDER BY job.case_id`);

/** The bytes of a text whose characters are all below U+0100, one each. */
const latin = (text: string): Buffer => Buffer.from(text, "latin1");

describe("the charset of a reply", () => {
  const written: Record<string, Given> = {
    cafe: { type: "text/plain; charset=windows-1252", body: latin("a caf\u00e9 for 5 \u0080") },
    moscow: { type: 'text/plain; charset="windows-1251"', body: latin("\u00cc\u00ee\u00f1\u00ea\u00e2\u00e0") },
    tokyo: { type: "text/plain;charset=Shift_JIS", body: latin("\u0093\u008c\u008b\u009e") },
    wide: { type: "text/plain", body: Buffer.from("\uFEFFna\u00efve", "utf16le") },
    athens: { type: "text/plain; charset=ISO-8859-7", body: latin("\u00c1\u00e8\u00de\u00ed\u00e1") },
    plain: { type: "text/plain; charset=utf8mb4", body: "\uFEFFna\u00efve" },
  };
  const expected: Record<string, string> = {
    cafe: "caf\u00e9 for 5 \u20ac",
    moscow: "\u041c\u043e\u0441\u043a\u0432\u0430",
    tokyo: "\u6771\u4eac",
    wide: "na\u00efve",
    athens: "\u0391\u03b8\u03ae\u03bd\u03b1",
    plain: "na\u00efve",
  };
  const sheet = `id,question,expected\n${Object.entries(expected)
    .map(([name, text]) => `${name},${name},${text}`)
    .join("\n")}\n`;
  const named = (asked: string): string => (JSON.parse(asked) as { q: string }).q;

  test("is the one that it declares, and its body is kept byte for byte", async () => {
    const { url } = await startReplying((asked) => written[named(asked)] ?? { body: "" });
    const tandem = new Tandem()
      .file("suite.yaml", suite(url, 'endpoint: { body: { q: "{{ input_prompt }}" } }'))
      .file("a.csv", sheet);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(ends(tandem).map(({ key, pass }) => [key, pass])).toEqual(Object.keys(expected).map((key) => [key, 1]));
    const kept = tandem.query<{ body: Buffer }>(
      "SELECT CAST(body AS BLOB) AS body FROM run_record JOIN attempt USING (record) JOIN job ON job.id = job_id ORDER BY case_id",
    );
    for (const [place, { body }] of Object.values(written).entries())
      expect(kept[place]?.body.equals(Buffer.from(body))).toBe(true);
  });

  test("is read in JSON, in a stream and in a chat, and in the answers that a conversation repeats", async () => {
    const chat = { choices: [{ index: 0, message: { content: "d\u00e9j\u00e0 vu" }, finish_reason: "stop" }] };
    const { url, asked } = await startReplying((sent) =>
      sent.includes('"stream":true')
        ? {
            type: "text/event-stream; charset=iso-8859-1",
            body: latin('data: {"t":"d\u00e9j\u00e0"}\n\ndata: {"t":" vu"}\n\n'),
          }
        : { type: "application/json; charset=ISO-8859-15", body: latin(JSON.stringify(chat)) },
    );
    const tandem = new Tandem()
      .file(
        "suite.yaml",
        `name: replies
dataset: a.csv
case: { key: id, input: { input_prompt: question }, expected: expected, cluster: talk, turn: turn }
deployments: { ours: { base_url: "${url}", concurrency: 1, retries: 0 } }
targets:
  chat: { deployment: ours, endpoint: chat-completions, model: m }
  json: { deployment: ours, endpoint: { body: { q: $conversation }, answer: "$.choices[0].message.content" } }
  events: { deployment: ours, endpoint: { body: { stream: true, q: $conversation }, stream: true, answer: $.t } }
scorers: [{ type: contains, primary: true }]
`,
      )
      .file("a.csv", "id,talk,turn,question,expected\na,t,1,one,d\u00e9j\u00e0 vu\nb,t,2,two,d\u00e9j\u00e0 vu\n");
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code, err).toBe(0);
    expect(ends(tandem).map(({ pass }) => pass)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(asked.filter((each) => each.includes("d\u00e9j\u00e0 vu"))).toHaveLength(3);
  });

  test("is named where its bytes are none of it, and such a reply is kept and not graded", async () => {
    const broken: Record<string, Given> = {
      bare: { type: "text/plain", body: latin("caf\u00e9") },
      lying: { type: "text/plain; charset=utf-8", body: latin("caf\u00e9") },
      unknown: { type: "text/plain; charset=x-klingon", body: "caf\u00e9" },
      half: { type: "text/plain; charset=shift_jis", body: latin("caf\u0093") },
    };
    const { url } = await startReplying((asked) => broken[named(asked)] ?? { type: "text/plain", body: "caf\u00e9" });
    const tandem = new Tandem().file("suite.yaml", suite(url, 'endpoint: { body: { q: "{{ input_prompt }}" } }')).file(
      "a.csv",
      `id,question,expected\nsound,sound,caf\n${Object.keys(broken)
        .map((name) => `${name},${name},caf\n`)
        .join("")}`,
    );
    await tandem.run("run", "suite.yaml");
    expect(ends(tandem)).toMatchObject([
      { key: "sound", outcome: "answered", pass: 1 },
      {
        key: "bare",
        outcome: "run-failed",
        error: expect.stringContaining("are not UTF-8, and its Content-Type names no other charset"),
      },
      { key: "lying", outcome: "run-failed", error: expect.stringContaining("are not UTF-8, which it says it is") },
      {
        key: "unknown",
        outcome: "run-failed",
        error: expect.stringContaining("the charset x-klingon, which is not known"),
      },
      { key: "half", outcome: "run-failed", error: expect.stringContaining("are not shift_jis, which it says it is") },
    ]);
    const kept = tandem.query<{ body: Buffer }>(
      "SELECT CAST(body AS BLOB) AS body FROM run_record JOIN attempt USING (record) JOIN job ON job.id = job_id ORDER BY case_id",
    );
    expect(kept.slice(1).map(({ body }) => body)).toEqual(Object.values(broken).map(({ body }) => Buffer.from(body)));
  });

  test("hides no key: one that comes back in UTF-16 is redacted wherever it is kept", async () => {
    const key = "sk-wide-0123456789abcdef";
    const { url } = await startReplying((asked) => {
      const text = JSON.stringify({ reply: `caf\u00e9 ${key}` });
      const status = named(asked) === "refused" ? 400 : 200;
      return { status, type: "application/json", body: Buffer.from(`\uFEFF${text}`, "utf16le") };
    });
    const tandem = new Tandem()
      .env({ TANDEM_OURS_API_KEY: key })
      .file("suite.yaml", suite(url, 'endpoint: { body: { q: "{{ input_prompt }}" }, answer: $.reply }'))
      .file("a.csv", "id,question,expected\na,told,caf\u00e9\nb,refused,x\n");
    await tandem.run("run", "suite.yaml");
    expect(ends(tandem)).toMatchObject([{ pass: 1 }, { outcome: "rejected" }]);
    const stored = readFileSync(join(tandem.folder, "results", "tandem.db"));
    expect(stored.includes(key)).toBe(false);
    expect(stored.includes(Buffer.from(key, "utf16le"))).toBe(false);
    expect(stored.includes("[redacted]")).toBe(true);
  });
});

const choice = (more: { [member: string]: unknown }): string =>
  JSON.stringify({ id: "c1", choices: [{ index: 0, message: { role: "assistant", content: "half" }, ...more }] });
const chunk = (more: { [member: string]: unknown }): string =>
  `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta: { content: "half" }, finish_reason: null, ...more }] })}\n\n`;
const questions = (replies: Record<string, Given>): string =>
  `id,question,expected\n${Object.keys(replies)
    .map((name) => `${name},${name},half\n`)
    .join("")}`;

/** Asks a service that replies to each question under its name, and tells the end of each row. */
async function endsOf(
  replies: Record<string, Given>,
  target: string,
): Promise<{ rows: Record<string, Ended>; report: string; tandem: Tandem }> {
  const { url } = await startReplying((asked) => {
    const name = Object.keys(replies).find((each) => asked.includes(`"${each}"`)) ?? "";
    return replies[name] ?? { status: 500, body: "" };
  });
  const tandem = new Tandem().file("suite.yaml", suite(url, target)).file("a.csv", questions(replies));
  const { out, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
  const rows = Object.fromEntries(ends(tandem).map((end) => [end.key, end]));
  return { rows, report: out + err, tandem };
}

describe("a reply that tells of a failure", () => {
  test("in its choice is a failed run with its words, in one piece and in a stream", async () => {
    const stream = (body: string): Given => ({ type: "text/event-stream", body });
    const { rows } = await endsOf(
      {
        sound: { body: choice({ finish_reason: "stop" }) },
        ended: { body: choice({ finish_reason: "error" }) },
        told: { body: choice({ finish_reason: "error", error: { code: 502, message: "upstream went away" } }) },
        plain: { body: choice({ finish_reason: null, error: "out of memory" }) },
        network: { body: choice({ finish_reason: "network_error" }) },
        streamed: stream(chunk({}) + chunk({ finish_reason: "error" })),
        reported: stream(chunk({}) + chunk({ error: { message: "the worker died", code: "dead" } })),
        named: stream(`${chunk({})}event: error\ndata: {"message": "no memory left"}\n\n`),
        worded: stream(`${chunk({})}event: error\ndata: it broke\n\n`),
        object: { body: JSON.stringify({ object: "error", message: "context too long" }) },
        late: stream(`${chunk({})}${chunk({ finish_reason: "error", error: "too busy" })}data: [DONE]\n\n`),
      },
      "endpoint: chat-completions, model: m",
    );
    expect(rows["sound"]).toMatchObject({ outcome: "answered", pass: 1 });
    const failures = Object.values(rows).slice(1);
    expect(failures.map(({ outcome, pass }) => [outcome, pass ?? 0])).toEqual(failures.map(() => ["run-failed", 0]));
    expect(failures.map(({ error }) => error)).toEqual([
      "the answer ended with finish_reason: error",
      "upstream went away (502)",
      "out of memory",
      "the answer ended with finish_reason: network_error",
      "the answer ended with finish_reason: error",
      "the worker died (dead)",
      "no memory left",
      "it broke",
      "context too long",
      "too busy",
    ]);
  });

  test("shows its reason where it has no answer, or another status", async () => {
    const thought = { message: { content: null, reasoning_content: "First I think" }, finish_reason: "stop" };
    const { rows } = await endsOf(
      {
        thought: { body: JSON.stringify({ choices: [thought] }) },
        cut: { body: choice({ message: { content: "" }, finish_reason: "length" }) },
        filtered: { status: 400, body: choice({ message: { content: "I cannot help with that." } }) },
        refused: { status: 400, body: choice({ message: { content: null, refusal: "Not allowed here" } }) },
        bare: { status: 422, body: JSON.stringify({ error: "model overloaded" }) },
        problem: { status: 409, body: JSON.stringify({ title: "Too long", status: 409 }) },
        plain: { status: 400, type: "text/plain; charset=utf-8", body: "the prompt is\nnot valid\n" },
        quoted: { status: 400, body: JSON.stringify("only a text") },
        fault: { status: 400, body: JSON.stringify({ fault: { faultstring: "no such policy" } }) },
        unloaded: { body: JSON.stringify({ detail: "the model is not loaded" }) },
      },
      "endpoint: chat-completions, model: m",
    );
    expect(Object.values(rows).map(({ error }) => error)).toEqual([
      "reasoning_content: First I think",
      "finish_reason: length",
      expect.stringContaining("I cannot help with that."),
      expect.stringContaining("Not allowed here"),
      expect.stringContaining("model overloaded"),
      expect.stringContaining("Too long"),
      expect.stringContaining(": the prompt is not valid"),
      expect.stringContaining(": only a text"),
      expect.stringContaining("no such policy"),
      expect.stringContaining("the model is not loaded"),
    ]);
  });

  test("in XML is called that, and the words between its tags are shown", async () => {
    const soap =
      '<?xml version="1.0"?>\n<!-- e -->\n<e:Envelope xmlns:e="x"><e:Fault>no such tenant</e:Fault></e:Envelope>';
    const { rows } = await endsOf(
      {
        sound: { body: choice({ finish_reason: "stop" }) },
        fine: { body: choice({ finish_reason: "stop" }) },
        good: { body: choice({ finish_reason: "stop" }) },
        typed: { type: "application/xml", body: "<error>gone</error>" },
        soap: { type: "text/plain", body: soap },
        problem: { type: "application/problem+xml; charset=utf-8", body: "<problem><title>late</title></problem>" },
        xhtml: { type: "application/xhtml+xml", body: '<?xml version="1.0"?><html><body>Sign in</body></html>' },
        refused: { status: 400, type: "text/xml", body: soap },
        blocked: { status: 400, type: "text/html", body: "<html><h1>Blocked</h1></html>" },
      },
      "endpoint: chat-completions, model: m",
    );
    expect(Object.values(rows).map(({ error }) => error)).toEqual([
      null,
      null,
      null,
      expect.stringContaining("is XML (application/xml, 19 bytes): this is not the API"),
      expect.stringContaining("is XML (text/plain, "),
      expect.stringContaining("is XML (application/problem+xml; charset=utf-8, "),
      expect.stringContaining("is an HTML page"),
      expect.stringMatching(/^HTTP 400 from POST [^ ]+: no such tenant$/),
      expect.stringContaining("no error text (text/html)"),
    ]);
  });

  test("is no answer of an endpoint of one's own as a page or a document, but a text that begins with a tag is", async () => {
    const { rows } = await endsOf(
      {
        thought: { type: "text/plain", body: "<think>hm</think> half" },
        tagged: { type: "text/plain", body: "<answer>half</answer>" },
        fatal: { type: "text/html", body: "<br />\n<b>Fatal error</b>: half" },
        document: { type: "application/xml", body: '<?xml version="1.0"?><answer>half</answer>' },
      },
      'endpoint: { body: { q: "{{ input_prompt }}" } }',
    );
    expect(Object.values(rows).map(({ outcome }) => outcome)).toEqual([
      "answered",
      "answered",
      "not-the-api",
      "not-the-api",
    ]);
  });

  test("at an endpoint of one's own is a failed run with its error, wherever the suite looks for the answer", async () => {
    const replies: Record<string, Given> = {
      overloaded: { body: JSON.stringify({ error: "model overloaded" }) },
      coded: { body: JSON.stringify({ error: { message: "no quota", code: 7 }, status: "failed" }) },
      sound: { body: JSON.stringify({ answer: "half", error: "" }) },
    };
    for (const answer of [", answer: $.answer", ""]) {
      const { rows } = await endsOf(replies, `endpoint: { body: { q: "{{ input_prompt }}" }${answer} }`);
      expect(Object.values(rows)).toMatchObject([
        { outcome: "run-failed", error: "model overloaded" },
        { outcome: "run-failed", error: "no quota (7)" },
        { outcome: "answered", pass: 1 },
      ]);
    }
  });

  test("in a stream of an endpoint of one's own is a failed run, though a part of the answer came before", async () => {
    const stream = (end: string): Given => ({ type: "text/event-stream", body: `data: {"t":"half"}\n\n${end}` });
    const { rows } = await endsOf(
      {
        sound: stream("data: [DONE]\n\n"),
        member: stream('data: {"error":"died"}\n\n'),
        named: stream('event: error\ndata: {"message":"boom"}\n\n'),
        typed: stream('data: {"type":"error","message":"too busy"}\n\n'),
        worded: stream("event: error\ndata: it broke\n\n"),
      },
      'endpoint: { body: { q: "{{ input_prompt }}" }, stream: true, answer: $.t }',
    );
    expect(Object.values(rows)).toMatchObject([
      { outcome: "answered", pass: 1 },
      { outcome: "run-failed", error: "died" },
      { outcome: "run-failed", error: "boom" },
      { outcome: "run-failed", error: "too busy" },
      { outcome: "run-failed", error: "it broke" },
    ]);
  });

  test("that redirects to an address with a login, or names one, is kept without it", async () => {
    const { url } = await startReplying((asked) =>
      asked.includes('"moved"')
        ? {
            status: 307,
            headers: { location: "https://me:S3cret@bot.example.com/v2" },
            body: "see https://me:S3cret@bot.example.com/v2",
          }
        : { status: 400, body: JSON.stringify({ error: "no way to redis://:S3cret@10.0.0.7/0 today" }) },
    );
    const tandem = new Tandem()
      .file("suite.yaml", suite(url, 'endpoint: { body: { q: "{{ input_prompt }}" } }'))
      .file("a.csv", "id,question,expected\nb,refused,x\na,moved,x\n");
    const { out, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
    expect(out + err).toContain("[redacted]@bot.example.com");
    expect(out + err).not.toContain("S3cret");
    const folder = join(tandem.folder, "results");
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()))
      expect(readFileSync(join(entry.parentPath, entry.name)).includes("S3cret"), entry.name).toBe(false);
  });

  test("in words is a failed run where failed_when says so, of a chat and of an endpoint", async () => {
    const said: Record<string, string> = {
      sorry: "Sorry, something went wrong on our side. half",
      coded: "ERROR 500: half",
      sound: "half: an error 500 is what you saw",
      other: "half",
    };
    const chats = Object.fromEntries(
      Object.entries(said).map(([name, content]) => [
        name,
        { body: choice({ message: { content }, finish_reason: "stop" }) },
      ]),
    );
    const plain = Object.fromEntries(Object.entries(said).map(([name, body]) => [name, { type: "text/plain", body }]));
    const keys = 'failed_when: ["something went WRONG", "/^error \\\\d+/i"]';
    const results = [
      await endsOf(chats, `endpoint: chat-completions, model: m, ${keys}`),
      await endsOf(plain, `endpoint: { body: { q: "{{ input_prompt }}" } }, ${keys}`),
    ];
    for (const { rows } of results) {
      expect(Object.values(rows)).toMatchObject([
        { outcome: "run-failed", error: said["sorry"] },
        { outcome: "run-failed", error: said["coded"] },
        { outcome: "answered", pass: 1 },
        { outcome: "answered", pass: 1 },
      ]);
    }
    const tandem = results[0]?.tandem ?? new Tandem();
    tandem.file("suite.yaml", tandem.text("suite.yaml").replace("^error", "(error"));
    const { code, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect([code, out]).toEqual([2, expect.stringContaining("failed_when[1] is no regular expression")]);
  });
});

test("JSON that is graded whole is warned of, with the answer's place", async () => {
  for (const [reply, says] of [
    [{ reply: { text: "half" }, ok: true }, "`answer: $.reply.text`"],
    [[{ output: "half" }], "`answer: $[0].output`"],
    [{ n: 1 }, "a JSONPath to the answer"],
  ] as const) {
    const { url } = await startReplying(() => ({ body: JSON.stringify(reply) }));
    const tandem = new Tandem()
      .file("suite.yaml", suite(url, 'endpoint: { body: { q: "{{ input_prompt }}" } }'))
      .file("a.csv", "id,question,expected\na,x,half\nb,y,half\n");
    const { err } = await tandem.run("run", "suite.yaml");
    const flat = err.replaceAll(/\s+/g, " ");
    expect(flat).toContain("warning: bot replies in JSON, and all of it is graded");
    expect(flat).toContain(`Write ${says} into its endpoint`);
    expect(flat.split("replies in JSON")).toHaveLength(2);
  }
});

describe("a redirect", () => {
  test.each([
    [
      "adds a slash",
      'endpoint: { path: /api/chat, body: { q: "{{ input_prompt }}" } }',
      "/api/chat/",
      'write `path: "/api/chat/"`',
    ],
    [
      "takes a slash away",
      'endpoint: { path: /chat/, body: { q: "{{ input_prompt }}" } }',
      "/chat",
      'write `path: "/chat"`',
    ],
    [
      "adds a slash to a path that a row fills",
      'endpoint: { path: "/chat/{{ input_prompt }}", method: GET }',
      "/chat/x/",
      'write `path: "/chat/{{ input_prompt }}/"`',
    ],
    [
      "leads to a beginning",
      'endpoint: { path: /chat, body: { q: "{{ input_prompt }}" } }',
      "/v2/chat",
      'write `base_url: "URL/v2"`',
    ],
    [
      "adds a slash to a chat",
      "endpoint: chat-completions, model: m",
      "/v1/chat/completions/",
      "it asks for URL/v1/chat/completions/",
    ],
    [
      "leads to a login",
      'endpoint: { path: /chat, body: { q: "{{ input_prompt }}" } }',
      "/login?next=/chat",
      "check base_url",
    ],
  ])("that %s stops with what to write", async (_, target, location, says) => {
    const { url, asked } = await startReplying(() => ({ status: 308, headers: { location }, body: "" }));
    const tandem = new Tandem()
      .file("suite.yaml", suite(url, target))
      .file("a.csv", "id,question,expected\na,x,half\nb,y,half\n");
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(asked).toHaveLength(1);
    expect((out + err).replaceAll(/\s+/g, " ").replaceAll(url, "URL")).toContain(says);
  });
});

describe("a conversation that the service keeps", () => {
  const turns = "id,talk,turn,question\na1,a,1,one\na2,a,2,two\na3,a,3,three\nb1,b,1,four\nb2,b,2,five\n";
  const kept = (url: string, endpoint: string, input = "input_prompt: question"): string => `name: kept
dataset: a.csv
case: { key: id, cluster: talk, turn: turn, input: { ${input} } }
deployments: { ours: { base_url: "${url}", concurrency: 2, retries: 0 } }
targets: { bot: { deployment: ours, history: service, endpoint: ${endpoint} } }
`;

  /** Gives each conversation an id with its first turn, and says which one a turn was heard in. */
  const startKeeping = (reply: (id: string | number) => { [member: string]: unknown }) => {
    const known = new Map<string, number>();
    return startReplying((asked) => {
      const { q, in: sent } = JSON.parse(asked) as { q: string; in?: string | number };
      const id = sent === undefined || sent === "" ? 7_000 + known.size : sent;
      known.set(`${id} ${q}`, 1);
      return { body: JSON.stringify({ said: q, ...reply(id) }) };
    });
  };

  test.each([
    ["no field but the prompt", '{ body: { q: "{{ input_prompt }}" } }', "input_prompt: question"],
    [
      "fields of another kind",
      "{ body: { q: $input_prompt, lang: $language, n: 3 } }",
      "input_prompt: question, language: id",
    ],
    ["a path to it that it is not sent", "{ body: { q: $input_prompt }, session: $.id }", "input_prompt: question"],
  ])("is refused with %s, before anything is sent", async (_, endpoint, input) => {
    const { url, asked } = await startKeeping((id) => ({ id }));
    const tandem = new Tandem().file("suite.yaml", kept(url, endpoint, input)).file("a.csv", turns);
    for (const command of ["check --offline", "run"]) {
      const { code, out, err } = await tandem.run(...command.split(" "), "suite.yaml");
      expect(code).toBe(2);
      const said = (out + err).replaceAll(/\s+/g, " ");
      expect(said).toContain("targets.bot.endpoint.body names no conversation");
      expect(said).toContain("`session: $session`");
    }
    expect(asked).toHaveLength(0);
  });

  test.each([
    [
      "a text",
      "{ body: { q: $input_prompt, in: $session }, answer: $.said, session: $.conversation.id }",
      (id: string | number) => ({ conversation: { id: String(id) } }),
      "string",
    ],
    [
      "a number",
      "{ body: { q: $input_prompt, in: $session }, answer: $.said, session: $.chat }",
      (id: string | number) => ({ chat: id }),
      "number",
    ],
    [
      "in a template",
      '{ body: { q: $input_prompt, in: "{{ session }}" }, answer: $.said, session: "$.list[0]" }',
      (id: string | number) => ({ list: [id] }),
      "string",
    ],
  ])("is sent on with the id that the service gives, %s, also after a stop", async (_, endpoint, reply, type) => {
    const { url, asked } = await startKeeping(reply);
    const tandem = new Tandem().file("suite.yaml", kept(url, endpoint)).file("a.csv", turns);
    expect((await tandem.run("run", "suite.yaml", "--budget", "2")).code).toBe(3);
    const { code, err } = await tandem.run("resume");
    expect(code, err).toBe(0);
    const sent = asked.map((body) => JSON.parse(body) as { q: string; in?: string | number });
    const of = Object.fromEntries(sent.map(({ q, in: id }) => [q, id]));
    expect(sent).toHaveLength(5);
    expect(of["one"] ?? "").toBe("");
    expect(of["four"] ?? "").toBe("");
    expect(typeof of["two"]).toBe(type);
    expect(of["three"]).toBe(of["two"]);
    expect(of["five"]).not.toBe(of["two"]);
  });

  test("is not begun anew where a reply does not name it", async () => {
    const { url, asked } = await startKeeping(() => ({}));
    const endpoint = "{ body: { q: $input_prompt, in: $session }, answer: $.said, session: $.id }";
    const tandem = new Tandem().file("suite.yaml", kept(url, endpoint)).file("a.csv", turns);
    await tandem.run("run", "suite.yaml");
    expect(asked).toHaveLength(2);
    expect(tandem.query("SELECT DISTINCT error FROM attempt WHERE outcome = 'rejected'")).toEqual([
      { error: expect.stringContaining("session ($.id) finds nothing") },
    ]);
  });
});
