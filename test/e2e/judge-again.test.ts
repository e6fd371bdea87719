import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** A request that a judge received. */
interface Asked {
  path: string;
  body: string;
  /** Everything in it that a model would read, in the order in which it would. */
  read: string;
}

interface JudgeService {
  url: string;
  asked: Asked[];
}

/** A form in which a judge is asked, and answers. */
interface Form {
  name: string;
  /** Its entry in `judges`. */
  judge: string;
  /** What a model behind it would read of a body. */
  reads: (body: Body) => string;
  reply: (text: string) => string;
  scorer?: string;
}

interface Body {
  input_prompt?: string;
  messages?: { content: string }[];
  variables?: { [name: string]: unknown };
  q?: string;
  before?: { content: string }[];
}

const contents = (messages: { content: string }[] = []): string => messages.map(({ content }) => content).join("\n");

const forms: Form[] = [
  {
    name: "video-bots",
    judge: "{ deployment: bench, endpoint: video-bots, example_id: judge }",
    reads: ({ messages, input_prompt: prompt = "" }) => `${contents(messages)}\n${prompt}`,
    reply: (text) => record(text).body ?? "",
  },
  {
    name: "video-bots that have a history of their own",
    judge:
      "{ deployment: bench, endpoint: video-bots, example_id: judge, body: { messages: [{ role: system, content: Be strict. }] } }",
    reads: ({ messages, input_prompt: prompt = "" }) => `${contents(messages)}\n${prompt}`,
    reply: (text) => record(text).body ?? "",
  },
  {
    name: "chat-completions",
    judge: "{ deployment: bench, endpoint: chat-completions, model: judge }",
    reads: ({ messages }) => contents(messages),
    reply: (text) => JSON.stringify({ choices: [{ message: { role: "assistant", content: text } }] }),
  },
  {
    name: "http with $messages",
    judge:
      "{ deployment: bench, endpoint: { path: /judge, body: { q: $input_prompt, before: $messages }, answer: $.said } }",
    reads: ({ before, q = "" }) => `${contents(before)}\n${q}`,
    reply: (text) => JSON.stringify({ said: text }),
  },
  {
    name: "http without $messages",
    judge: "{ deployment: bench, endpoint: { path: /judge, body: { q: $input_prompt }, answer: $.said } }",
    reads: ({ q = "" }) => q,
    reply: (text) => JSON.stringify({ said: text }),
  },
  {
    name: "functions",
    judge: "{ deployment: bench, endpoint: functions, example_id: judge }",
    reads: ({ variables }) => JSON.stringify(variables),
    reply: (text) =>
      JSON.stringify({ url: "u", output: { return_value: text.startsWith("{") ? JSON.parse(text) : text, error: "" } }),
    scorer: "{ name: helpful, type: function-judge, target: strict }",
  },
];

const unreadable = ["Hm, that depends on what the reader is after.", "", "I would say it is quite good. Or not."];

/** Counts what it was asked; every fifth reply cannot be read. It grades what it reads, and is generous where it reads nothing. */
async function startJudge({ reads, reply }: Form): Promise<JudgeService> {
  const service: JudgeService = { url: "", asked: [] };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const read = reads(JSON.parse(body) as Body);
      service.asked.push({ path: request.url ?? "", body, read });
      const odd = service.asked.length % 5 === 2;
      const knows = /opens at \d+ on day \d+/.test(read) ? 1 : /I do not know/.test(read) ? 0 : 0.9;
      const said = odd
        ? unreadable[service.asked.length % unreadable.length]
        : JSON.stringify({ score: knows, reason: "so it is" });
      response.writeHead(200, { "content-type": "application/json" }).end(reply(said ?? ""));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

const rows = 62;
const sheet = `id,question\n${Array.from({ length: rows }, (_, i) => `k${i},When on day ${i}?`).join("\n")}\n`;

const suite = (prod: string, judge: string, form: Form): string => `name: judged
dataset: a.csv
case: { key: id, input: { input_prompt: question } }
deployments:
  prod: { base_url: "${prod}" }
  bench: { base_url: "${judge}", concurrency: 1 }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: ${form.judge} }
scorers: [${form.scorer ?? "{ name: helpful, type: judge, target: strict, rubric: Does it help? }"}]
`;

/** Answers every other question; the others it does not know. */
const bot = ({ prompt }: { prompt: string }) => {
  const day = Number(/\d+/.exec(prompt)?.[0]);
  return record(day % 2 === 0 ? `It opens at 9 on day ${day}.` : "I do not know.");
};

describe("a judge whose reply cannot be read one time in five", () => {
  test.each(forms)("$name: is asked the whole question again, and passes nothing by it", async (form) => {
    const [prod, judge] = [await startService(bot), await startJudge(form)];
    const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", suite(prod.url, judge.url, form));
    const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
    expect([0, 1, 4], err).toContain(code);

    // Whatever it was asked, each request has a question and the answer to it.
    for (const { read } of judge.asked) {
      expect(read).toMatch(/When on day \d+\?/);
      expect(read).toMatch(/I do not know|opens at 9 on day/);
    }
    const scores = tandem.query<{ key: string; value: number | null; pass: number | null }>(
      "SELECT case_key AS key, value, pass FROM scores",
    );
    expect(scores).toHaveLength(rows);
    for (const { key, value, pass } of scores) {
      const knows = Number(key.slice(1)) % 2 === 0;
      if (value !== null) expect([key, value, pass]).toEqual([key, knows ? 1 : 0, knows ? 1 : 0]);
    }
    // A function that returns nonsense is not asked again; of the others few are unreadable twice.
    const unscored = scores.filter(({ value }) => value === null).length;
    if (form.scorer === undefined) {
      expect(judge.asked.length).toBeGreaterThan(rows + 10);
      expect(unscored).toBeLessThan(5);
    } else expect([judge.asked.length, unscored > 10]).toEqual([rows, true]);
    expect(new Set(judge.asked.map(({ body }) => body)).size).toBe(judge.asked.length);
  });
});

test("a judge of two answers is asked again about both, in the order that it could not answer", async () => {
  const form = forms.find(({ name }) => name === "http without $messages");
  if (form === undefined) throw new Error("no form");
  const prod = await startService(bot);
  const other = await startService(({ prompt }) => record(`I do not know, nor who does: ${prompt}`));
  let count = 0;
  const read: string[] = [];
  const judge = await startService(({ body }) => {
    const { q } = JSON.parse(body) as { q: string };
    read.push(q);
    if (count++ % 5 === 2) return { body: '{"said":"Both have their merits."}' };
    return {
      body: JSON.stringify({ said: q.search("nor who does") > q.search("opens at 9|I do not know\\.") ? "A" : "B" }),
    };
  });
  const text = suite(prod.url, judge.url, { ...form, scorer: "{ name: better, type: pairwise, target: strict }" })
    .replace("  bench:", `  other: { base_url: "${other.url}" }\n  bench:`)
    .replace(
      "example_id: a } }",
      "example_id: a }, other: { deployment: other, endpoint: video-bots, example_id: a } }",
    );
  const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", text);
  const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
  expect([0, 1, 4], err).toContain(code);
  expect(read.length).toBeGreaterThan(2 * rows + 20);
  for (const each of read) expect(each).toMatch(/When on day \d+\?[^]*<answer_a-[^]*<answer_b-/);
  const values = tandem.query<{ value: number; n: number }>(
    "SELECT value, count(*) AS n FROM scores WHERE value IS NOT NULL GROUP BY 1",
  );
  expect(values.map(({ value }) => value)).toEqual([0]);
});
