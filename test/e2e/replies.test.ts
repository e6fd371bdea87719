import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Tandem } from "./tandem.ts";

vi.setConfig({ testTimeout: 120_000 });

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
