import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { batchOfTwo, prompts } from "../viewer/viewing.ts";
import { terminalHarm } from "../hostile/harm.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** `CreateScoreRequest` of fern/apis/server/definition/legacy/score-v1.yml in langfuse/langfuse, for the types that are used. */
const langfuseScore = z.strictObject({
  id: z.string().min(1),
  traceId: z.string().min(1),
  observationId: z.string().optional(),
  name: z.string(),
  value: z.number(),
  dataType: z.enum(["NUMERIC", "BOOLEAN"]),
  comment: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
});

interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A program that takes scores: `answer` says what it thinks of a call. */
async function startReceiver(answer: (call: Call) => { status: number; body?: object }) {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const call = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text) };
      calls.push(call);
      const { status, body = {} } = answer(call);
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, calls };
}

async function graded(): Promise<Tandem> {
  const { tandem } = await batchOfTwo();
  await tandem.run("run", "suite.yaml");
  return tandem;
}

describe("scores for other programs", () => {
  test("are shown and not sent with --dry-run, and the text of answers is in none", async () => {
    const tandem = await graded();
    const shown = await tandem.run("send", "langfuse", "--dry-run");
    expect([shown.code, shown.err]).toEqual([0, expect.stringContaining("Nothing was sent.")]);
    const bodies = shown.out
      .trim()
      .split("\n")
      .map((line) => langfuseScore.parse(JSON.parse(line).body));
    expect(bodies).toHaveLength(11);
    expect(shown.out).not.toMatch(/WHO KNOWS|answered/);
    const withReasons = await tandem.run("send", "langfuse", "--dry-run", "--reasons");
    expect(withReasons.out).toContain('"comment"');
    const missing = await tandem.run("send", "langfuse");
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("LANGFUSE_PUBLIC_KEY is not set")]);
  });

  test("reach Langfuse one by one on the traces of `tandem send spans`; a second time changes nothing", async () => {
    const tandem = await graded();
    const stored = new Map<string, z.infer<typeof langfuseScore>>();
    let busy = 3;
    const langfuse = await startReceiver(({ body }) => {
      if (busy-- > 0) return { status: 429 };
      const score = langfuseScore.parse(body);
      stored.set(score.id, score);
      return { status: 200, body: { id: score.id } };
    });
    tandem.env({ LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_BASE_URL: langfuse.url });
    const sent = await tandem.run("send", "langfuse");
    expect([sent.code, sent.err]).toEqual([0, expect.stringMatching(/^11 scores of two-.* sent to Langfuse\.$/m)]);
    expect(langfuse.calls[0]).toMatchObject({
      path: "/api/public/scores",
      headers: { authorization: `Basic ${Buffer.from("pk-lf-1:sk-lf-2").toString("base64")}` },
    });
    const before = new Map(stored);
    expect(before.size).toBe(11);
    await tandem.run("send", "langfuse");
    expect(stored).toEqual(before);
    expect([...stored.values()].filter(({ value }) => value === 1)).toHaveLength(prompts.length);
    expect(new Set([...stored.values()].map(({ dataType }) => dataType))).toEqual(new Set(["BOOLEAN"]));
  });

  test("stop at a refused key, and are counted", async () => {
    const tandem = await graded();
    const langfuse = await startReceiver(() => ({ status: 401 }));
    tandem.env({ LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_BASE_URL: langfuse.url });
    const refused = await tandem.run("send", "langfuse");
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("11 of 11 scores were not taken (it refused the key: it answered 401)");
    expect(refused.err).not.toMatch(/sk-lf/);
    expect(langfuse.calls.length).toBeLessThan(9);
    const elsewhere = "http://langfuse.example.test";
    tandem.env({ LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_BASE_URL: elsewhere });
    const open = await tandem.run("send", "langfuse");
    expect([open.code, open.err]).toEqual([2, expect.stringContaining("would go over plain http")]);
  });

  test("reach no other host by a redirect, and no long or endless answer is kept; no key is shown or written", async () => {
    const tandem = await graded();
    const other = await startReceiver(() => ({ status: 200 }));
    const [user, word] = ["pk-lf-7261-public", "sk-lf-7261-secret"];
    let answer: (response: ServerResponse) => void = () => {};
    const langfuse = createServer((request, response) => {
      request.resume().on("end", () => answer(response));
    });
    await new Promise<void>((resolve) => langfuse.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void langfuse.close());
    onTestFinished(() => langfuse.closeAllConnections());
    const address = langfuse.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    tandem.env({ LANGFUSE_PUBLIC_KEY: user, LANGFUSE_SECRET_KEY: word, LANGFUSE_BASE_URL: url });
    const endless = (response: ServerResponse): void => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1_000_000, `${word}\u001b[31m`)));
      };
      response.on("drain", more);
      more();
    };
    const answers: [string, number, (response: ServerResponse) => void][] = [
      ["a redirect", 3, (response) => response.writeHead(307, { location: `${other.url}/api/public/scores` }).end()],
      ["20 MB that are fine", 0, (response) => response.end(Buffer.alloc(20_000_000, "x"))],
      ["an endless answer that is fine", 0, endless],
      ["an endless failure", 3, (response) => endless(response.writeHead(500))],
      ["no HTTP", 3, (response) => response.socket?.end("\u001b[31m::error::x\r\n\r\n")],
    ];
    for (const [what, code, says] of answers) {
      answer = says;
      const sent = await tandem.run("send", "langfuse");
      expect([what, sent.code, terminalHarm(sent.err)]).toEqual([what, code, []]);
      expect(sent.err).not.toContain("7261");
      expect(sent.out).toBe("");
    }
    expect(other.calls).toEqual([]);
    const encoded = Buffer.from(`${user}:${word}`).toString("base64");
    for (const name of readdirSync(tandem.folder, { recursive: true, encoding: "utf8" })) {
      const path = join(tandem.folder, name);
      if (statSync(path).isFile())
        expect([name, readFileSync(path, "latin1").includes("7261-")]).toEqual([name, false]);
      if (statSync(path).isFile()) expect(readFileSync(path, "latin1")).not.toContain(encoded);
    }
  });

  test("show no key that cannot be sent, and no login of an address, which is sent as one", async () => {
    const tandem = await graded();
    const langfuse = await startReceiver(() => ({ status: 404 }));
    const keys = { LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-7261\nx" };
    const broken = await tandem.env({ ...keys, LANGFUSE_BASE_URL: langfuse.url }).run("send", "langfuse");
    expect([broken.code, broken.err]).toEqual([
      2,
      expect.stringContaining("LANGFUSE_SECRET_KEY holds a space or a char"),
    ]);
    expect(broken.err).not.toContain("7261");
    const login = langfuse.url.replace("http://", "http://me:w7261@");
    const away = await tandem
      .env({ ...keys, LANGFUSE_SECRET_KEY: "sk-1", LANGFUSE_BASE_URL: login })
      .run("send", "langfuse");
    expect([away.code, away.err]).toEqual([3, expect.stringContaining("it answered 404")]);
    expect(away.err).not.toContain("7261");
  });

  test("that were being sent when it was killed are sent again with the same ids", async () => {
    const tandem = await graded();
    const ids: string[] = [];
    let isHeld = true;
    const langfuse = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => (text += part));
      request.on("end", () => {
        ids.push(langfuseScore.parse(JSON.parse(text)).id);
        if (isHeld && ids.length > 3) return;
        response.end("{}");
      });
    });
    await new Promise<void>((resolve) => langfuse.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void langfuse.close());
    onTestFinished(() => langfuse.closeAllConnections());
    const address = langfuse.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    tandem.env({ LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_BASE_URL: url });
    const run = tandem.begin("send", "langfuse");
    await expect.poll(() => ids.length, { timeout: 30_000 }).toBeGreaterThan(3);
    run.child.kill("SIGKILL");
    await run.ended;
    const before = ids.splice(0);
    isHeld = false;
    const again = await tandem.run("send", "langfuse");
    expect(again.code, again.err).toBe(0);
    expect(ids).toHaveLength(11);
    expect(new Set(ids).size).toBe(11);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("are refused for a batch without grades, for a program that nobody knows, and with a flag that is another's", async () => {
    const service = await startService(() => record("yes"));
    const suite = `name: bare
dataset: p.csv
case: { key: id, input: { input_prompt: question } }
deployments: { prod: { base_url: "${service.url}" } }
targets: { a: { deployment: prod, endpoint: video-bots, example_id: a } }
`;
    const tandem = new Tandem().file("p.csv", "id,question\n1,When?\n").file("suite.yaml", suite);
    await tandem.run("run", "suite.yaml");
    const bare = await tandem.run("send", "langfuse", "--dry-run");
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining("was not graded")]);
    const unknown = await tandem.run("send", "elsewhere");
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("langfuse")]);
    const other = await tandem.run("send", "spans", "--run-ids");
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("--run-ids is for `tandem send langfuse`")]);
    const gone = await tandem.run("send-scores", "--to", "langfuse");
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining("Type: tandem send langfuse")]);
  });
});
