import { describe, expect, test } from "vitest";
import { startChat } from "./chat-service.ts";
import { record, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

const keys = { CHAT_KEY: "sk-chat-0123456789" };

const echo = ({ said }: { said: string }): { message: { content: string } } => ({
  message: { content: `said ${said}` },
});

interface RunRecord {
  id: string;
  url: string | null;
  created_at: string;
  output: string;
  key: string;
  answer: string;
}

const records = (tandem: Tandem): RunRecord[] =>
  tandem.query("SELECT id, url, created_at, output, case_key AS key, answer FROM run_records ORDER BY case_key");

describe("a chat as OpenAI's API has it", () => {
  test("is asked with messages and the target's own members, and its whole reply is the record", async () => {
    const chat = await startChat(echo);
    const tandem = new Tandem()
      .env(keys)
      .file("a.csv", "id,question,expected\nq1,one,said one\nq2,two,said two\n")
      .file(
        "suite.yaml",
        `dataset: a.csv
deployments: { openai: { base_url: "${chat.url}/v1", api_key_env: CHAT_KEY } }
targets: { a: { deployment: openai, endpoint: chat-completions, model: gpt-test, body: { temperature: 0, seed: 7, system_prompt: Be brief. } } }
scorers: [{ type: contains }]
`,
      );
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect([code, err]).toEqual([0, expect.stringContaining("the key in CHAT_KEY is sent to http://127.0.0.1")]);
    expect(tandem.query("SELECT count(*) AS n FROM score WHERE pass = 1")).toEqual([{ n: 2 }]);
    expect(chat.asked.map(({ body }) => body)).toContainEqual({
      model: "gpt-test",
      temperature: 0,
      seed: 7,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "one" },
      ],
    });
    const [first] = records(tandem);
    expect(first).toMatchObject({ url: null, key: "q1", answer: "answered" });
    expect(first?.id).toMatch(/^chatcmpl-/);
    expect(first?.created_at).toMatch(/^2026-11-/);
    expect(JSON.parse(first?.output ?? "")).toMatchObject({ usage: { total_tokens: 18 }, choices: [{ index: 0 }] });
    expect(tandem.text("results/tandem.db")).not.toContain(keys.CHAT_KEY);
  });

  test("is found below /v1 of a host alone, by flags, and one without a key is asked without", async () => {
    const chat = await startChat(echo, { key: "" });
    const tandem = new Tandem().env({}).file("a.csv", "id,question\nq1,one\n");
    const asked = ["run", "a.csv", "--deployment", `mine=${chat.url}`, "--endpoint", "chat-completions"];
    const refused = await tandem.run(...asked);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--model is required")]);
    const ran = await tandem.run(...asked, "--model", "gpt-test");
    expect(chat.asked.map(({ path, authorization }) => [path, authorization])).toEqual([["/v1/chat/completions", ""]]);
    // This server wants a header all the same.
    expect([ran.code, ran.out]).toEqual([3, expect.stringMatching(/Incorrect\s+API key provided/)]);
  });

  test("carries a conversation on with the replies that were given", async () => {
    const chat = await startChat(echo);
    const tandem = new Tandem()
      .env(keys)
      .file("a.csv", "talk,turn,question\nt,1,one\nt,2,two\nt,3,three\n")
      .file(
        "suite.yaml",
        `dataset: a.csv
case: { cluster: talk, turn: turn, input: { input_prompt: question } }
deployments: { openai: { base_url: "${chat.url}", api_key_env: CHAT_KEY } }
targets: { a: { deployment: openai, endpoint: chat-completions, model: gpt-test } }
`,
      );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(chat.asked.at(-1)?.body["messages"]).toEqual([
      { role: "user", content: "one" },
      { role: "assistant", content: "said one" },
      { role: "user", content: "two" },
      { role: "assistant", content: "said two" },
      { role: "user", content: "three" },
    ]);
  });

  test("has kinds of answer for a refusal, tool calls, an answer that was cut and none at all", async () => {
    const calls = [{ id: "call_1", type: "function", function: { name: "weather", arguments: '{"in":"Addis"}' } }];
    const replies: Record<string, { message: object; finish?: string }> = {
      plain: { message: { content: "fine" } },
      refused: { message: { content: null, refusal: "I cannot." } },
      filtered: { message: { content: null }, finish: "content_filter" },
      tools: { message: { content: null, tool_calls: calls }, finish: "tool_calls" },
      cut: { message: { content: "It is lo" }, finish: "length" },
      nothing: { message: { content: "" } },
    };
    const chat = await startChat(({ said }) => ({ ...replies[said] }) as object);
    const names = Object.keys(replies);
    const tandem = new Tandem()
      .env(keys)
      .file("a.csv", `id,question\n${names.map((name) => `${name},${name}`).join("\n")}\n`)
      .file(
        "suite.yaml",
        `dataset: a.csv
deployments: { openai: { base_url: "${chat.url}", api_key_env: CHAT_KEY } }
targets: { a: { deployment: openai, endpoint: chat-completions, model: gpt-test } }
`,
      );
    // Nothing at all is no answer: too many for a valid run.
    expect((await tandem.run("run", "suite.yaml")).code).toBe(4);
    expect(Object.fromEntries(records(tandem).map(({ key, answer }) => [key, answer]))).toEqual({
      plain: "answered",
      refused: "refusal",
      filtered: "refusal",
      tools: "tool-calls",
      cut: "truncated",
      nothing: "empty",
    });
    const csv = tandem.text(`results/${tandem.query<{ name: string }>("SELECT name FROM batch")[0]?.name}/runs.csv`);
    expect(csv).toContain("I cannot.");
    expect(csv).toContain("weather");
  });

  test("an account without quota stops the deployment, where one that is too fast is waited for", async () => {
    const quota = {
      message: "You exceeded your current quota.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    };
    const limit = { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded" };
    let times = 0;
    const chat = await startChat(() => {
      times += 1;
      if (times === 1) return { status: 429, error: limit, headers: { "retry-after": "0.05" } };
      if (times === 2) return { status: 529, error: { message: "Overloaded", type: "overloaded_error" } };
      return { status: 429, error: quota };
    });
    const tandem = new Tandem()
      .env(keys)
      .file("a.csv", "id,question\nq1,q1\nq2,q2\nq3,q3\n")
      .file(
        "suite.yaml",
        `dataset: a.csv
deployments: { openai: { base_url: "${chat.url}", api_key_env: CHAT_KEY, concurrency: 1 } }
targets: { a: { deployment: openai, endpoint: chat-completions, model: gpt-test } }
`,
      );
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(3);
    expect(flat(out)).toContain("You exceeded your current quota.");
    expect(flat(out)).toContain("Add credits to the account of the deployment openai");
    const attempts = tandem.query<{ outcome: string }>("SELECT DISTINCT outcome FROM attempts ORDER BY 1");
    expect(attempts.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(["credits", "throttled"]));
  });

  test("a model that is not known stops its target with its name, and a context that is too long is the case's own fault", async () => {
    const long = {
      message: "This model's maximum context length is 4096 tokens.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    };
    const chat = await startChat(({ said }) => (said === "long" ? { status: 400, error: long } : echo({ said })));
    const tandem = new Tandem().env(keys).file("a.csv", "id,question\nq1,one\nq2,long\n");
    const suite = (model: string): string => `dataset: a.csv
deployments: { openai: { base_url: "${chat.url}", api_key_env: CHAT_KEY } }
targets: { a: { deployment: openai, endpoint: chat-completions, model: ${model} } }
`;
    const typo = await tandem.file("suite.yaml", suite("gpt-tset")).run("run", "suite.yaml");
    expect(typo.code).toBe(3);
    expect(flat(typo.out)).toContain(
      'Check model of the target a ("gpt-tset"): the deployment openai has no model of that name.',
    );
    await tandem.file("suite.yaml", suite("gpt-test")).run("run", "suite.yaml", "--out", "other");
    expect(chat.asked.filter(({ said, body }) => said === "long" && body["model"] === "gpt-test")).toHaveLength(1);
  });

  test("is compared with a bot in one suite, in the words of any comparison", async () => {
    const chat = await startChat(({ said }) => ({ message: { content: said === "q0" ? "wrong" : said } }));
    const bots = await startService(({ prompt }) => record(prompt));
    const names = Array.from({ length: 40 }, (_, i) => `q${i}`);
    const tandem = new Tandem()
      .env({ ...keys, TANDEM_API_KEY: "sk-bots-0123456789" })
      .file("a.csv", `id,question,language,expected\n${names.map((q) => `${q},${q},en,${q}`).join("\n")}\n`)
      .file(
        "suite.yaml",
        `dataset: a.csv
case: { key: id, expected: expected, input: { input_prompt: question, variables.language: language } }
deployments:
  prod: { base_url: "${bots.url}", api_key_env: TANDEM_API_KEY }
  openai: { base_url: "${chat.url}/v1", api_key_env: CHAT_KEY }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: abc }
  chat: { deployment: openai, endpoint: chat-completions, model: gpt-test }
scorers: [{ type: contains }]
gates: [{ metric: contains, margin: 0.2 }]
`,
      );
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect(err).toContain(
      "suite.yaml:2:91: variables.language is not sent to chat (chat-completions has no such field)",
    );
    expect(code).toBe(0);
    expect(out).toContain("PASS");
    // The two reply in forms of their own: no output field is said to have changed for that.
    expect(out).not.toContain("choices");
    expect(chat.asked.every(({ body }) => body["variables"] === undefined)).toBe(true);
  });
});

test("a chat is a judge of bots, pairs and all, and its judgements can be read with SQL", async () => {
  const bots = await startService(({ prompt }) => record(`answer to ${prompt}`));
  const chat = await startChat(() => ({ message: { content: '{"score": 1, "verdict": "C", "reason": "fine"}' } }));
  const tandem = new Tandem()
    .env({ ...keys, TANDEM_API_KEY: "sk-bots-0123456789" })
    .file("a.csv", "id,question,expected\nq1,one,answer\nq2,two,answer\n")
    .file(
      "suite.yaml",
      `dataset: a.csv
deployments:
  prod: { base_url: "${bots.url}", api_key_env: TANDEM_API_KEY }
  openai: { base_url: "${chat.url}/v1", api_key_env: CHAT_KEY }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: prod, endpoint: video-bots, example_id: b }
judges: { grader: { deployment: openai, endpoint: chat-completions, model: gpt-test, body: { temperature: 0 } } }
scorers:
  - { name: helpful, type: judge, target: grader, primary: true }
  - { name: better, type: pairwise, target: grader }
`,
    );
  await tandem.run("run", "suite.yaml");
  expect(
    tandem.query("SELECT scorer, count(*) AS n, count(value) AS scored FROM scores GROUP BY 1 ORDER BY 1"),
  ).toEqual([
    { scorer: "better", n: 2, scored: 2 },
    { scorer: "helpful", n: 4, scored: 4 },
  ]);
  expect(chat.asked.every(({ body }) => body["temperature"] === 0 && body["model"] === "gpt-test")).toBe(true);
  const said = tandem.query<{ said: string }>(
    "SELECT DISTINCT output ->> '$.choices[0].message.content' AS said FROM judgements",
  );
  expect(said).toEqual([{ said: '{"score": 1, "verdict": "C", "reason": "fine"}' }]);
});
