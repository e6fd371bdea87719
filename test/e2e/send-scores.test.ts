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

/** The body of `POST /api/v1/feedback` in LangSmith's API reference. */
const langsmithFeedback = z.strictObject({
  id: z.uuid(),
  run_id: z.uuid(),
  session_id: z.uuid().optional(),
  key: z.string().max(180),
  score: z.number(),
  comment: z.string().optional(),
  feedback_source: z.strictObject({ type: z.literal("api"), metadata: z.record(z.string(), z.unknown()) }),
});

/** `InsertExperimentEvent` of openapi/spec.yaml in braintrustdata/braintrust-openapi. */
const braintrustEvents = z.strictObject({
  events: z.array(
    z.strictObject({
      id: z.string().min(1),
      input: z.unknown(),
      scores: z.record(z.string(), z.number().min(0).max(1).nullable()),
      metrics: z.record(z.string(), z.number()).optional(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
});
const braintrustExperiment = z.strictObject({ project_id: z.uuid(), name: z.string().min(1) });

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
  test("are shown and not sent without --send, and the text of answers is in none", async () => {
    const tandem = await graded();
    const shown = await tandem.run("send-scores", "--to", "langfuse");
    expect([shown.code, shown.err]).toEqual([0, expect.stringContaining("Nothing was sent: --send sends them.")]);
    const bodies = shown.out
      .trim()
      .split("\n")
      .map((line) => langfuseScore.parse(JSON.parse(line).body));
    expect(bodies).toHaveLength(11);
    expect(shown.out).not.toMatch(/WHO KNOWS|answered/);
    const withReasons = await tandem.run("send-scores", "--to", "langfuse", "--reasons");
    expect(withReasons.out).toContain('"comment"');
    const missing = await tandem.run("send-scores", "--to", "langfuse", "--send");
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("LANGFUSE_PUBLIC_KEY is not set")]);
  });

  test("reach Langfuse one by one on the traces of `tandem spans`; a second time changes nothing", async () => {
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
    const sent = await tandem.run("send-scores", "--to", "langfuse", "--send");
    expect([sent.code, sent.err]).toEqual([0, expect.stringMatching(/^11 scores of two-.* sent to Langfuse\.$/m)]);
    expect(langfuse.calls[0]).toMatchObject({
      path: "/api/public/scores",
      headers: { authorization: `Basic ${Buffer.from("pk-lf-1:sk-lf-2").toString("base64")}` },
    });
    const before = new Map(stored);
    expect(before.size).toBe(11);
    await tandem.run("send-scores", "--to", "langfuse", "--send");
    expect(stored).toEqual(before);
    expect([...stored.values()].filter(({ value }) => value === 1)).toHaveLength(prompts.length);
    expect(new Set([...stored.values()].map(({ dataType }) => dataType))).toEqual(new Set(["BOOLEAN"]));
  });

  test("stop at a refused key, and are counted", async () => {
    const tandem = await graded();
    const langfuse = await startReceiver(() => ({ status: 401 }));
    tandem.env({ LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_BASE_URL: langfuse.url });
    const refused = await tandem.run("send-scores", "--to", "langfuse", "--send");
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("11 of 11 scores were not taken (it refused the key: it answered 401)");
    expect(refused.err).not.toMatch(/sk-lf/);
    expect(langfuse.calls.length).toBeLessThan(9);
    const elsewhere = "http://langfuse.example.test";
    tandem.env({ LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_BASE_URL: elsewhere });
    const open = await tandem.run("send-scores", "--to", "langfuse", "--send");
    expect([open.code, open.err]).toEqual([2, expect.stringContaining("would go over plain http")]);
  });

  test("reach Braintrust as rows of an experiment for each target, with shares as scores and the rest as metrics", async () => {
    const service = await startService(() => record("It is open at nine."));
    const suite = `name: two
dataset: p.csv
case: { key: id, input: { input_prompt: question } }
deployments: { prod: { base_url: "${service.url}" } }
targets:
  a: { deployment: prod, endpoint: video-bots, example_id: a }
  b: { deployment: prod, endpoint: video-bots, example_id: b }
scorers:
  - { type: contains, value: nine }
  - { type: length, name: words, unit: words, min: 1 }
`;
    const tandem = new Tandem().file("p.csv", "id,question\n1,When?\n2,Where?\n").file("suite.yaml", suite);
    const run = await tandem.run("run", "suite.yaml");
    expect(run.code, run.err).toBe(0);
    const experiments: string[] = [];
    const braintrust = await startReceiver(({ path, body }) => {
      if (path !== "/v1/experiment") return { status: 200, body: { row_ids: braintrustEvents.parse(body).events } };
      const { name } = braintrustExperiment.parse(body);
      if (!experiments.includes(name)) experiments.push(name);
      return { status: 200, body: { id: `e${experiments.indexOf(name)}` } };
    });
    tandem.env({
      BRAINTRUST_API_KEY: "sk-bt-1",
      BRAINTRUST_PROJECT_ID: "00000000-0000-4000-8000-000000000001",
      BRAINTRUST_API_URL: braintrust.url,
    });
    const sent = await tandem.run("send-scores", "--to", "braintrust", "--send", "--json");
    expect(JSON.parse(sent.out)).toMatchObject({ version: 1, isSent: true, scores: 8, refused: 0, unplaced: 0 });
    expect(experiments.toSorted()).toEqual([expect.stringMatching(/^two-.* a$/), expect.stringMatching(/^two-.* b$/)]);
    // Experiments are made at the same time, in either order.
    const inserts = braintrust.calls.filter(({ path }) => path.endsWith("/insert"));
    expect(inserts.map(({ path }) => path).toSorted()).toEqual([
      "/v1/experiment/e0/insert",
      "/v1/experiment/e1/insert",
    ]);
    expect(braintrustEvents.parse(inserts[0]?.body).events).toMatchObject([
      { input: { case: "1", repeat: 1 }, scores: { contains: 1 }, metrics: { words: 5 } },
      { input: { case: "2", repeat: 1 }, scores: { contains: 1 }, metrics: { words: 5 } },
    ]);
  });

  test("reach LangSmith where the id of a run is one of its own, and what it has already is counted apart", async () => {
    let made = 0;
    const id = (number: number): string => `018f4d1c-0000-7000-8000-00000000000${number}`;
    const service = await startService(() => {
      const { body = "", ...reply } = record("It is open at nine.");
      made += 1;
      return { ...reply, body: made === 1 ? body : body.replace(/"id":"\w+"/, `"id":"${id(made)}"`) };
    });
    const suite = `name: one
dataset: p.csv
case: { key: id, input: { input_prompt: question } }
deployments: { prod: { base_url: "${service.url}", concurrency: 1 } }
targets: { a: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ type: contains, value: nine }]
`;
    const tandem = new Tandem().file("p.csv", "id,question\n1,When?\n2,Where?\n3,Who?\n").file("suite.yaml", suite);
    await tandem.run("run", "suite.yaml");
    const had = new Set<string>();
    const langsmith = await startReceiver(({ body }) => {
      const feedback = langsmithFeedback.parse(body);
      if (had.has(feedback.id)) return { status: 409 };
      had.add(feedback.id);
      return { status: 200, body: feedback };
    });
    tandem.env({ LANGSMITH_API_KEY: "lsv2_1", LANGSMITH_ENDPOINT: `${langsmith.url}/api/v1` });
    for (const [time, told] of [
      ["first", "2 scores of one-"],
      ["second", "2 scores already there: LangSmith keeps the first"],
    ] as const) {
      const sent = await tandem.run("send-scores", "--to", "langsmith", "--send");
      expect([time, sent.code, sent.err]).toEqual([time, 0, expect.stringContaining(told)]);
      expect(sent.err).toContain("1 score left out: each needs an id of its run that is that of a run in LangSmith");
    }
    expect(had.size).toBe(2);
    expect(langsmith.calls[0]).toMatchObject({ path: "/api/v1/feedback", headers: { "x-api-key": "lsv2_1" } });
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
      const sent = await tandem.run("send-scores", "--to", "langfuse", "--send");
      expect([what, sent.code, terminalHarm(sent.err)]).toEqual([what, code, []]);
      expect(sent.err).not.toContain("7261");
      expect(sent.out).toBe("");
    }
    expect(other.calls).toEqual([]);
    const encoded = Buffer.from(`${user}:${word}`).toString("base64");
    for (const name of readdirSync(tandem.folder, { recursive: true, encoding: "utf8" })) {
      const path = join(tandem.folder, name);
      if (statSync(path).isFile()) expect([name, readFileSync(path, "latin1").includes("7261")]).toEqual([name, false]);
      if (statSync(path).isFile()) expect(readFileSync(path, "latin1")).not.toContain(encoded);
    }
  });

  test("show no key that cannot be sent, and no login of an address, which is sent as one", async () => {
    const tandem = await graded();
    const langsmith = await startReceiver(() => ({ status: 404 }));
    tandem.env({ BRAINTRUST_API_KEY: "sk-7261\nx", BRAINTRUST_PROJECT_ID: "p", BRAINTRUST_API_URL: langsmith.url });
    const broken = await tandem.run("send-scores", "--to", "braintrust", "--send");
    expect([broken.code, broken.err]).toEqual([
      2,
      expect.stringContaining("BRAINTRUST_API_KEY holds a space or a char"),
    ]);
    expect(broken.err).not.toContain("7261");
    const login = langsmith.url.replace("http://", "http://me:w7261@");
    tandem.env({ BRAINTRUST_API_KEY: "sk-1", BRAINTRUST_PROJECT_ID: "p", BRAINTRUST_API_URL: login });
    const away = await tandem.run("send-scores", "--to", "braintrust", "--send");
    expect([away.code, away.err]).toEqual([3, expect.stringContaining("it answered 404")]);
    expect(away.err).not.toContain("7261");
  });

  test("go to no place that an answer names in the path, and nothing that is no JSON is repeated", async () => {
    const tandem = await graded();
    for (const [id, calls] of [
      ["../../../admin?x=", 1],
      ["\u001b[31m::error::", 1],
    ] as const) {
      const braintrust = await startReceiver(() => ({ status: 200, body: { id } }));
      tandem.env({ BRAINTRUST_API_KEY: "sk-1", BRAINTRUST_PROJECT_ID: "p", BRAINTRUST_API_URL: braintrust.url });
      const sent = await tandem.run("send-scores", "--to", "braintrust", "--send");
      expect([sent.code, sent.err]).toEqual([3, expect.stringContaining("it named no experiment")]);
      expect(new Set(braintrust.calls.map(({ path }) => path))).toEqual(new Set(["/v1/experiment"]));
      expect(braintrust.calls.length).toBeGreaterThanOrEqual(calls);
    }
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
    const run = tandem.begin("send-scores", "--to", "langfuse", "--send");
    await expect.poll(() => ids.length, { timeout: 30_000 }).toBeGreaterThan(3);
    run.child.kill("SIGKILL");
    await run.ended;
    const before = ids.splice(0);
    isHeld = false;
    const again = await tandem.run("send-scores", "--to", "langfuse", "--send");
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
    const bare = await tandem.run("send-scores", "--to", "langfuse");
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining("was not graded")]);
    const unknown = await tandem.run("send-scores", "--to", "elsewhere");
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("langfuse")]);
    const other = await tandem.run("send-scores", "--to", "langsmith", "--run-ids");
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("--run-ids is for --to langfuse")]);
  });
});
